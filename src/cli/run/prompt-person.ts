import type * as z from 'zod';
import type { Choice, Person, Question } from '../../action/ports.ts';
import { words } from '../../contract/schema/hint.ts';
import { structureOf } from '../../contract/schema/structure.ts';
import { inClockTime } from '../../domain/calendar.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors/usage-error.ts';
import { canAsk } from '../session/interaction.ts';
import { type Session, zoneOf } from '../session/session.ts';
import { say } from './texts.ts';

type Verdict = true | string;

function judge(schema: z.ZodType, answer: string): Verdict {
  const read = schema.safeParse(answer.trim(), { error: words });
  return read.success || (read.error.issues[0]?.message ?? say().answer.notUnderstood);
}

/** Validates a typed answer: refuses impossible ones, and unusual ones the first time they are typed. */
function judging({ schema, doubt }: Question): (answer: string) => Verdict {
  let doubted: string | undefined;
  return (answer) => {
    const verdict = judge(schema, answer);
    if (verdict !== true) return verdict;
    const reported = doubt?.(answer);
    if (reported === undefined || doubted === answer) return true;
    doubted = answer;
    return say().answer.doubt({ doubt: reported });
  };
}

/** The choices of a question: its own, otherwise the values of its enum; undefined for a free-form answer. */
function choicesOf({ schema, choices }: Question): readonly Choice[] | undefined {
  if (choices !== undefined) return choices;
  const structure = structureOf(schema);
  return structure.kind === 'name' ? structure.values.map((value) => ({ name: value, value })) : undefined;
}

/** Prints text above the questions, wrapped between words to the terminal's width. */
async function tell({ stderr }: Context, text: string, hang = 0): Promise<void> {
  const { wrapWords } = await import('../../platform/terminal/word-wrap.ts');
  const indent = 2;
  const width = stderr.columns ? stderr.columns - indent : Number.POSITIVE_INFINITY;
  const lines = wrapWords(makeSafe(text), width, hang).map((line) => `${' '.repeat(indent)}${line}\n`);
  await stderr.write(lines.join(''));
}

async function tellAside({ stderr, env }: Context, { globals }: Session, text: string): Promise<void> {
  const { colourOn, styled } = await import('../print/style.ts');
  const colour = colourOn({ isTerminal: stderr.isTerminal, env, noColour: globals['no-color'] === true });
  await stderr.write(`${styled(makeSafe(text), 'dim', colour)}\n`);
}

/** A search ends with any choice, even one that only says what to type next. */
async function askLive(context: Context, question: Question, message: string): Promise<string> {
  const source = question.search ?? (() => []);
  for (;;) {
    const answer = await context.prompter.search({ message, source, takesMessage: question.takesMessage === true });
    const verdict = judge(question.schema, answer);
    if (verdict === true) return answer.trim();
    await tell(context, verdict);
  }
}

async function askFor(context: Context, question: Question, timeZone: string | undefined): Promise<unknown> {
  const { prompter } = context;
  const { message: given, schema, initial, secret, until } = question;
  const shown = () => inClockTime(typeof given === 'function' ? given() : given, timeZone);
  const message = shown();
  const proposed = typeof initial === 'string' ? { initial } : {};
  const choices = choicesOf(question);
  if (choices !== undefined) return prompter.choose({ message, choices, ...proposed });
  if (question.search !== undefined) return askLive(context, question, message);
  const structure = structureOf(schema);
  if (structure.kind === 'scalar' && structure.type === 'boolean') {
    return prompter.confirm({ message, ...(typeof initial === 'boolean' ? { initial } : {}) });
  }
  const validate = judging(question);
  const takesMessage = question.takesMessage === true;
  if (until !== undefined) return (await prompter.textUntil({ message: shown, validate, signal: until })).trim();
  const text = secret
    ? await prompter.secret({ message, validate })
    : await prompter.text({ message, validate, takesMessage, isMore: question.isMore === true, ...proposed });
  return text.trim();
}

/** The person at the terminal, asked one line at a time. */
export function personAt(context: Context, session: Session, previewing: boolean): Person {
  return {
    get isThere() {
      return canAsk(context, session);
    },
    hasAgreed: session.globals.yes === true,
    readsResult: context.stdout.isTerminal,
    ask: async (question) => question.schema.parse(await askFor(context, question, zoneOf(session))),
    tell(text, { hang, isAside } = {}) {
      const shown = inClockTime(text, zoneOf(session));
      return isAside === true ? tellAside(context, session, shown) : tell(context, shown, hang);
    },
    async show(rows, view) {
      const [{ printTable }, { howToPrint }] = await Promise.all([
        import('../print/table.ts'),
        import('../report/how-to-print.ts'),
      ]);
      const { fields: _, query: __, ...settings } = await howToPrint(context, session);
      const { columns = 80 } = context.stderr;
      let shown: readonly string[] = [];
      const onColumns = (paths: readonly string[]) => {
        shown = paths;
      };
      await printTable(rows, view, { ...settings, columns, terminal: true, onColumns }, context.stderr);
      return shown;
    },
    async confirm({ what, message }) {
      if (session.globals.yes === true || previewing) return;
      if (!canAsk(context, session)) throw new UsageError(say().confirm.needed({ what }));
      const shown = inClockTime(message, zoneOf(session));
      if (!(await context.prompter.confirm({ message: shown, initial: false }))) {
        throw new UsageError(say().confirm.notDone, { usage: '' });
      }
    },
  };
}

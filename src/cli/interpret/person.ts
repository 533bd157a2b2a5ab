import type * as z from 'zod';
import type { Person, Question } from '../../actions/ports.ts';
import { words } from '../../contract/field-errors.ts';
import { structureOf } from '../../contract/structure.ts';
import type { Context } from '../context.ts';
import { canAsk } from '../interaction.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';

function judge(schema: z.ZodType, answer: string): true | string {
  const read = schema.safeParse(answer.trim(), { error: words });
  return read.success || (read.error.issues[0]?.message ?? 'is not understood');
}

async function askFor({ prompter }: Context, question: Question): Promise<unknown> {
  const { message: given, schema, initial, secret, until, labels = {} } = question;
  const message = typeof given === 'function' ? given() : given;
  const structure = structureOf(schema);
  if (structure.kind === 'name') {
    const choices = structure.values.map((value) => ({ name: labels[value] ?? value, value }));
    return prompter.choose({ message, choices, ...(typeof initial === 'string' ? { initial } : {}) });
  }
  if (structure.kind === 'scalar' && structure.type === 'boolean') {
    return prompter.confirm({ message, ...(typeof initial === 'boolean' ? { initial } : {}) });
  }
  const validate = (answer: string) => judge(schema, answer);
  if (until !== undefined) {
    return (
      await prompter.textUntil({
        message: () => (typeof given === 'function' ? given() : given),
        validate,
        signal: until,
      })
    ).trim();
  }
  const text = secret
    ? await prompter.secret({ message, validate })
    : await prompter.text({ message, validate, ...(typeof initial === 'string' ? { initial } : {}) });
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
    ask: async (question) => question.schema.parse(await askFor(context, question)),
    async confirm({ what, message }) {
      if (session.globals.yes === true || previewing) return;
      if (!canAsk(context, session)) throw new UsageError(`${what} needs --yes where nobody can be asked`);
      if (!(await context.prompter.confirm({ message, initial: false }))) {
        throw new UsageError('not confirmed, nothing was done');
      }
    },
  };
}

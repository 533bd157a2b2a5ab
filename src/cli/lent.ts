import type { Action } from '../action/action.ts';
import type { Ending, Means, Opened, Opening } from '../action/means.ts';
import type { Person } from '../action/ports.ts';
import { Refusal } from '../client/refusal.ts';
import type { ErrorData } from '../contract/operation.ts';
import { jsonSchema } from '../contract/schema/json-schema.ts';
import type { Cell, ColumnKind } from '../contract/view.ts';
import { inClockTime } from '../domain/calendar.ts';
import { type Fields, fieldsIn, isRecord, valueAt } from '../domain/json/values.ts';
import { plainlyWritten } from '../domain/json/written-numbers.ts';
import type { Sink } from '../platform/terminal/streams.ts';
import { jsonSafe, makeSafe } from '../platform/terminal/text-safety.ts';
import { type Context, driftEnded, ledgerOf } from './context.ts';
import { shellWord } from './errors/advice.ts';
import { exitCodes } from './errors/exit.ts';
import type { Flag, Invocation } from './flags/command.ts';
import { flagsOfAction } from './flags/fields.ts';
import { readWritten } from './input/written-values.ts';
import type { GivenGlobals } from './line/globals.ts';
import { cellText, momentShown, styleOf } from './print/cell.ts';
import { earlierWrite, wayToFindOut } from './report/find-out.ts';
import { hintForProfile } from './report/hint-for-profile.ts';
import { hintInScope } from './report/in-scope.ts';
import { inWords } from './report/refusal-words.ts';
import { concealedReport, messageOf, type Report, reportOf, withLedger } from './report/report.ts';
import { checked, looked, withSettings } from './run/action-input.ts';
import { refuseBlankSelectors } from './run/blank-selectors.ts';
import { newReport, Previewed, portsOf } from './run/ports.ts';
import { say } from './run/texts.ts';
import { concealing } from './session/concealing.ts';
import { openSession, sessionOf, zoneOf } from './session/session.ts';
import { groups } from './tree/groups.ts';
import { chosen } from './tree/of-actions.ts';

type Input = Fields;
type Further = Readonly<Record<string, string | undefined>>;

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** A value as the text of a flag or an argument; a text that would be read as a file's name is escaped. */
function textOf(value: unknown): string {
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return value.startsWith('@') ? `@${value}` : value;
}

const wordFor = (text: string) => shellWord(jsonSafe(text));

/** The words of one flag; undefined if its value cannot be written as one. */
function wordsOf({ name, type }: Flag, value: unknown): readonly string[] | undefined {
  if (type === 'boolean') return [value === false ? `--no-${name}` : `--${name}`];
  const values = Array.isArray(value) ? value : [value];
  const texts = values.map(textOf);
  // A single dash reads stdin.
  if (texts.includes('-')) return undefined;
  return texts.map((text) => (text.startsWith('-') ? `--${name}=${wordFor(text)}` : `--${name} ${wordFor(text)}`));
}

/** The flags for an input, and the fields that they cover; a record is given by the flags of its fields. */
function flagsFor(action: Action, input: Input): { readonly words: string[]; readonly covered: ReadonlySet<string> } {
  const words: string[] = [];
  const covered = new Set<string>();
  const known = flagsOfAction(action).filter(({ path, type, entries }) => path && !(type === 'object' && entries));
  for (const flag of known) {
    const value = valueAt(input, (flag.path ?? []).join('.'));
    if (!isGiven(value)) continue;
    const written = wordsOf(flag, value);
    if (written === undefined) continue;
    words.push(...written);
    covered.add(flag.path?.[0] ?? '');
  }
  return { words, covered };
}

/** The global flags that select the account of a call, in the order in which the help lists them. */
const ofAccount = ['profile', 'shop', 'as', 'base-url'];

/** The flags of a line that its account depends on, as they are typed. */
function accountFlags(given: GivenGlobals): string {
  const values = ofAccount.map((name) => [name, given[name]] as const);
  return values.map(([name, value]) => (typeof value === 'string' ? ` --${name} ${shellWord(value)}` : '')).join('');
}

/**
 * The command line that gives an action this input, as it is pasted into a shell: positional arguments and flags, or the
 * whole input on stdin where a flag cannot say it.
 */
function typedCommand(
  action: Action,
  input: Input,
  { globals, further = {} }: { readonly globals: GivenGlobals; readonly further?: Further | undefined },
): string {
  const { words, positional = [] } = action;
  const others = Object.entries(further).flatMap(([name, value]) => (value ? [` --${name} ${wordFor(value)}`] : []));
  const account = `${others.join('')}${accountFlags(globals)}`;
  const command = ['shopctl', ...words].join(' ');
  const places = positional.filter((name) => isGiven(input[name]));
  const first = places.flatMap((name) => [input[name]].flat().map((value) => wordFor(textOf(value))));
  const named = Object.fromEntries(Object.entries(input).filter(([name]) => !places.includes(name)));
  const flags = flagsFor(action, named);
  const missing = Object.keys(named).filter((name) => isGiven(named[name]) && !flags.covered.has(name));
  const isEmpty = (name: string) => isRecord(named[name]) && Object.keys(named[name]).length === 0;
  if (missing.every(isEmpty) || action.whole !== true) {
    return `${[command, ...first, ...flags.words].join(' ')}${account}`;
  }
  return `echo ${wordFor(JSON.stringify(input))} | ${command} --input -${account}`;
}

/** Thrown where a person has to agree first; carries the question. */
class Unagreed extends Error {
  readonly kind = 'usage';
}

/** Nothing of a run goes to the terminal where the console was started. */
const nowhere: Sink = { write: async () => {}, closed: false, isTerminal: false, columns: undefined };

/** A question without its numbers: one that was agreed to and differs in them alone has changed since. */
const withoutNumbers = (question: string) => question.replaceAll(/\d[\d.,]*/g, '0');

/** Somebody at a page: asked by showing the question, which they answer by running it again. */
const personAtPage = ({ isLook, agreed, asks, report }: Opening, timeZone: string | undefined): Person => ({
  isThere: false,
  hasAgreed: false,
  readsResult: true,
  isAtPage: true,
  ask: () => Promise.reject(new Unagreed('a page asks nothing in between')),
  tell: async () => {},
  show: async () => [],
  async confirm({ message }) {
    const question = makeSafe(inClockTime(message, timeZone), 'keep');
    if (isLook) asks?.(question);
    else if (!agreed.includes(question)) {
      const was = agreed.findLast((one) => withoutNumbers(one) === withoutNumbers(question));
      if (was !== undefined) report.notice(say().confirm.changedSince({ was }));
      throw new Unagreed(question);
    }
  },
});

/** The context of one run: nothing is read from the terminal or written to it. */
const contextOf = (context: Context, signal: AbortSignal): Context => ({
  ...context,
  // What is run here was allowed by a plan, or by whoever looks at a page.
  env: { ...context.env, SHOPCTL_AGENT: undefined },
  argv: [],
  stdin: { readAll: async () => '', isTerminal: false },
  stdout: nowhere,
  stderr: nowhere,
  signal,
});

const dataOf = (report: Report, timeZone: string | undefined): ErrorData => ({
  code: report.code,
  message: makeSafe(inClockTime(messageOf(report), timeZone), 'keep'),
  ...(report.hint === undefined ? {} : { hint: makeSafe(report.hint, 'keep') }),
  ...(report.operation === undefined ? {} : { operation: report.operation }),
  outcome: report.outcome,
  exitCode: exitCodes[report.exit].code,
  ...(report.httpStatus === undefined ? {} : { httpStatus: report.httpStatus }),
  fields: (report.fieldErrors ?? []).map(({ path, message }) => ({ path: makeSafe(path), message: makeSafe(message) })),
});

/** A failure as the command line reports it, with what is known about the run's writes. */
async function failed(thrown: unknown, action: Action | undefined, context: Context): Promise<ErrorData> {
  // A form has a field for what the command line takes without a flag.
  const places = (action?.positional ?? []).map((name) => ({ name: name.replaceAll('_', '-'), path: [name] }));
  const flags = action === undefined ? [] : [...flagsOfAction(action), ...places];
  const worded = thrown instanceof Refusal ? inWords(thrown, action, flags) : thrown;
  const session = sessionOf(context);
  const isError = typeof worded === 'object' && worded !== null;
  const advice = session === undefined || !isError ? undefined : await hintForProfile(worded, session, context.env);
  const entry = ledgerOf(context).gravest;
  const report = reportOf(worded, advice);
  const write = entry ?? earlierWrite(report);
  const way = write === undefined ? undefined : await wayToFindOut(write);
  const hinted = hintInScope(withLedger(report, entry, way), session?.scope);
  return dataOf(concealedReport(hinted, concealing(context, session)), session && zoneOf(session));
}

/** Every action, of those with the same words the one for the profile's kind. */
async function actionsFor({ session }: Pick<Invocation, 'session'>): Promise<readonly Action[]> {
  const loaded = await Promise.all(groups.map(({ load }) => load()));
  return loaded.flatMap(({ commands }) =>
    commands.flatMap(({ actions: [first, ...others] }) =>
      first === undefined ? [] : [chosen([first, ...others], { session })],
    ),
  );
}

const tones: Readonly<Record<string, Cell['tone']>> = { red: 'urgent', yellow: 'unusual' };

function cellOf(value: unknown, kind: ColumnKind | undefined, timeZone: string | undefined): Cell {
  const tone = tones[styleOf(kind, value) ?? ''];
  const moment = kind === 'time' || kind === 'moment' ? momentShown(value, kind) : undefined;
  return {
    text: cellText(value, kind, { timeZone }),
    ...(tone === undefined ? {} : { tone }),
    ...(moment === undefined ? {} : { moment }),
  };
}

/** What the command line lends to a console that serves one profile. */
export function meansOf(invocation: Invocation, globals: GivenGlobals): Means {
  const { context } = invocation;
  const contexts = new WeakMap<Opened, Context>();
  let actions: Promise<readonly Action[]> | undefined;
  let zone = zoneOf(invocation.session);
  return {
    version: context.version,
    actions() {
      actions ??= actionsFor(invocation);
      return actions;
    },
    async open(opening) {
      const own = contextOf(context, opening.signal);
      const session = await openSession(own, { ...globals, ...(opening.isLook ? { 'dry-run': true as const } : {}) });
      const reported = newReport(async () => {});
      const run: Invocation = { ...invocation, context: own, session, given: { arguments: [], flags: {} } };
      const ports = portsOf(run, reported);
      // An address of a console is for whoever reads the terminal, never for a page.
      const sandboxes = { ...ports.sandboxes, consoleOf: async () => undefined };
      const conceal = concealing(own, session);
      // Settings that were changed since hold for everything that is shown from now on.
      zone = zoneOf(session);
      const report = {
        ...opening.report,
        notice: (text: string) => opening.report.notice(conceal(inClockTime(text, zone))),
      };
      const opened: Opened = {
        ports: { ...ports, person: personAtPage(opening, zone), report, sandboxes, opened: opening.opened },
        async check(action, input) {
          const draft = { ...fieldsIn(readWritten(jsonSchema(action.input), input, plainlyWritten)) };
          refuseBlankSelectors(action, draft);
          withSettings(action, run, draft);
          const whole = checked(action, draft);
          for (const note of await looked(action, own, whole)) opening.report.notice(note);
          return whole;
        },
        async end() {
          session.scratch.remove();
          await driftEnded(own);
        },
      };
      contexts.set(opened, own);
      return opened;
    },
    async ending(thrown, action, opened): Promise<Ending> {
      if (thrown instanceof Unagreed) return { kind: 'asked', question: thrown.message };
      if (thrown instanceof Previewed) {
        const { document } = thrown.result;
        return { kind: 'looked', request: document.kind === 'record' ? document.value : undefined };
      }
      const own = (opened && contexts.get(opened)) ?? contextOf(context, context.signal);
      return { kind: 'failed', error: await failed(thrown, action, own) };
    },
    typed: (action, input, further) => typedCommand(action, input, { globals, further }),
    cell: (value, kind) => cellOf(value, kind, zone),
  };
}

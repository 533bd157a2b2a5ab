import type { Action } from '../../action/action.ts';
import { removalQuestion, tellRemoval } from '../../action/effects.ts';
import type { Ports } from '../../action/ports.ts';
import { CallError } from '../../client/errors.ts';
import { isOfMissing } from '../../contract/schema/hint.ts';
import type { ChartView } from '../../contract/view.ts';
import type { Chart } from '../../domain/chart.ts';
import { fieldsIn, valueAt } from '../../domain/json/values.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Invocation } from '../flags/command.ts';
import type { Document, View } from '../print/document.ts';
import { formatOf } from '../print/formats.ts';
import { howToPrint } from '../report/how-to-print.ts';
import { canAsk } from '../session/interaction.ts';
import type { Session } from '../session/session.ts';
import type { Called, GivenInput } from './action-input.ts';
import { rememberIds, rememberingIds } from './id-cache.ts';
import { isPreview } from './ports.ts';
import type { Screen } from './screen.ts';
import { say } from './texts.ts';

/** Thrown when a person answered no to a confirmation; nothing was sent. */
function declined(): UsageError {
  return new UsageError(say().confirm.notSent, { usage: '' });
}

/** The input with the id of the record that was called by another name; says what name that is. */
export async function withFound(
  { find }: Action,
  given: GivenInput,
  { field, text }: Called,
  ports: Ports,
): Promise<GivenInput> {
  const found = await find?.(text, ports);
  if (found === undefined) return given;
  if (found.id !== text) ports.report.notice(say().isNameOf({ text, by: found.by, id: found.id }));
  return { ...given, input: { ...given.input, [field]: found.id }, called: undefined };
}

/** A failure for what is missing, with what can be given for it, where the action knows that. */
export async function withSuggestion(action: Action, error: unknown, ports: Ports): Promise<unknown> {
  if (!(error instanceof UsageError) || !error.fieldErrors.some(isOfMissing)) return error;
  // Wherever that would come from is broken, what is missing is still said.
  const hint = await action.suggests?.(ports).catch(() => undefined);
  return hint === undefined ? error : new UsageError(error.message, { fieldErrors: error.fieldErrors, hint });
}

/** What was given as an id that the service does not have, which may be another name of a record; undefined otherwise. */
function otherwiseCalled(
  { find, positional: [field] = [] }: Action,
  { input }: GivenInput,
  invocation: Invocation,
  error: unknown,
): Called | undefined {
  const [text] = invocation.given.arguments;
  const isNone = error instanceof CallError && error.code === 'not_found' && error.outcome === 'not_applied';
  if (!isNone || find === undefined || field === undefined || text === undefined) return undefined;
  return input[field] === text ? { field, text } : undefined;
}

/** Whether an action removes something that nobody has agreed to yet. */
const isAsked = (invocation: Invocation, { destructive }: Action) =>
  destructive === true && !isPreview(invocation) && invocation.session.globals.yes !== true;

/** Refuses to remove something where nobody agreed to it and nobody can be asked. */
export function requireAgreed(invocation: Invocation, action: Action): void {
  const { words, undo, effect, positional } = action;
  if (!isAsked(invocation, action) || canAsk(invocation.context, invocation.session)) return;
  // A record that was deleted does not come back; a membership can be made again.
  const isForGood = undo === undefined ? effect !== 'delete' || positional !== undefined : typeof undo !== 'string';
  const removed = { words: words.join(' ') };
  const message = isForGood ? say().confirm.forGood(removed) : say().confirm.removes(removed);
  throw new UsageError(message, { usage: '' });
}

/** Asks before something is removed, unless that was agreed to. */
async function confirmRemoval(invocation: Invocation, action: Action, question: () => Promise<string>): Promise<void> {
  if (!isAsked(invocation, action)) return;
  const { context } = invocation;
  if (!(await context.prompter.confirm({ message: await question(), initial: false }))) throw declined();
}

/** Asks for what has to be agreed to, and runs; what is the id of no record is tried as another name of one. */
export async function ranByName(action: Action, given: GivenInput, invocation: Invocation, ports: Ports) {
  const attempt = async ({ input }: GivenInput) => {
    await confirmRemoval(invocation, action, () => removalQuestion(action, input, ports));
    if (action.readsFirst === true && invocation.session.globals['dry-run'] === true)
      await tellRemoval(action, input, ports);
    return action.run(input, ports);
  };
  return attempt(given).catch(async (error: unknown) => {
    const called = otherwiseCalled(action, given, invocation, error);
    if (called === undefined) throw error;
    const found = await withFound(action, given, called, ports).catch(() => {
      throw error;
    });
    return attempt(found);
  });
}

/** Passes the rows of a list on: counts them for the progress display, and caches their ids for completion. */
export function shownRows<Row>(
  { context, session }: Invocation,
  group: string,
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncIterable<Row> {
  return rememberingIds(counting(session, rows), (ids) => rememberIds(context, session, group, ids));
}

async function* counting<Row>({ progress }: Session, rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows) {
    count += 1;
    progress.came(count);
    yield row;
  }
}

const DEFAULT_WIDTH = 80;

/** Whether a person looks at the result as it is, rather than at what was asked of it. */
export function isLookedAt({ session: { globals, settings } }: Invocation): boolean {
  const isAsked = globals.fields !== undefined || globals.query !== undefined;
  return formatOf(settings.output.value).forPeople === true && !isAsked;
}

/** The text that is shown instead of a value: the one that the view names, or its chart; undefined if there is none. */
export async function textInstead(value: unknown, view: View, invocation: Invocation): Promise<Document | undefined> {
  const { chart, text } = view;
  if (text !== undefined && formatOf(invocation.session.settings.output.value).bareText === true) {
    return { kind: 'text', text: `${String(valueAt(value, text) ?? '')}\n` };
  }
  if (chart === undefined || !isLookedAt(invocation)) return undefined;
  return { kind: 'text', text: await drawn(chart.of(value), invocation, chart) };
}

async function drawn(
  chart: Chart,
  { context, session }: Invocation,
  { width, ascii = false }: Pick<ChartView, 'width' | 'ascii'>,
): Promise<string> {
  const { chartText } = await import('../print/chart-text.ts');
  const { colour, columns } = await howToPrint(context, session);
  const fromEnv = Number(context.env.COLUMNS);
  const found = width ?? (fromEnv > 0 ? fromEnv : undefined) ?? (columns || DEFAULT_WIDTH);
  return `${chartText(chart, { width: found, colour, ascii }).join('\n')}\n`;
}

/** The rows of a list as a person sees them: with their totals as the last one, if the view has any. */
export function withTotal(
  rows: readonly unknown[],
  value: unknown,
  { total, columns }: View,
  invocation: Invocation,
): readonly unknown[] {
  const [first] = columns;
  if (total === undefined || first === undefined || rows.length === 0 || !isLookedAt(invocation)) return rows;
  return [...rows, { ...fieldsIn(valueAt(value, total.path)), [first.path]: total.label }];
}

/** The screen that results are drawn on, one in the place of the other; undefined where they are printed. */
export async function screenFor({ screen }: View, invocation: Invocation): Promise<Screen | undefined> {
  const { context, session } = invocation;
  if (screen !== true || !isLookedAt(invocation) || !context.stdout.isTerminal || context.env.TERM === 'dumb') return;
  return new (await import('./screen.ts')).Screen(context, session);
}

import type { Action } from '../../action/action.ts';
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
import { rememberIds, rememberingIds } from './id-cache.ts';
import type { Screen } from './screen.ts';

/** Thrown when a person answered no to a confirmation; nothing was sent. */
function declined(): UsageError {
  return new UsageError('not confirmed, nothing was sent', { usage: '' });
}

/** Asks before something is deleted; without a terminal `--yes` is required. */
export async function confirmDestructive(
  { context, session }: Invocation,
  { words }: Pick<Action, 'words'>,
  question: () => Promise<string>,
): Promise<void> {
  if (session.globals.yes === true) return;
  if (!canAsk(context, session)) {
    throw new UsageError(`${words.join(' ')} removes something: it needs --yes in a script`);
  }
  if (!(await context.prompter.confirm({ message: await question(), initial: false }))) throw declined();
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

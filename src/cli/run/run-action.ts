import { resolve } from 'node:path';
import type { Action, Rows } from '../../action/action.ts';
import { isRefusedReadOnly, isRefusedToAgents, refusedFieldReadOnly } from '../../action/effects.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { labels } from '../../contract/labels.ts';
import { jsonSchema } from '../../contract/schema/json-schema.ts';
import { structureOf } from '../../contract/schema/structure.ts';
import type { Beside } from '../../contract/view.ts';
import { type Fields, fieldsIn, valueAt } from '../../domain/json/values.ts';
import { besideRecords, besideRows, shownBeside } from '../../operations/actions/beside.ts';
import { viewOfOutput } from '../../operations/actions/views.ts';
import type { Sink } from '../../platform/terminal/streams.ts';
import { displayWidth } from '../../platform/terminal/text-width.ts';
import { emptyVariables, heldBy } from '../../settings/in-force.ts';
import { ConfigurationError, ReadOnlyError } from '../errors/usage-error.ts';
import type { Flag, Invocation, Result } from '../flags/command.ts';
import { asFlag, namedByFlags } from '../flags/field-names.ts';
import { flagsOfAction, listsRecords, toFlag } from '../flags/fields.ts';
import { textFlag } from '../flags/read-flags.ts';
import { skeletonResult } from '../flags/skeleton.ts';
import type { Notice } from '../print/diagnostics.ts';
import type { Document, View } from '../print/document.ts';
import { formatOf as formatNamed } from '../print/formats.ts';
import { mapped } from '../print/rows.ts';
import { beforeSending, csvStyle } from '../report/how-to-print.ts';
import { printResult } from '../report/print-result.ts';
import { inWords } from '../report/refusal-words.ts';
import { type Concealing, concealed, concealing } from '../session/concealing.ts';
import { type GivenInput, readGiven, readInput } from './action-input.ts';
import {
  isLookedAt,
  ranByName,
  requireAgreed,
  screenFor,
  shownRows,
  textInstead,
  withFound,
  withSuggestion,
  withTotal,
} from './drawn.ts';
import { isPreview, newReport, Previewed, portsOf, type Reported } from './ports.ts';
import { say } from './texts.ts';

/** In read-only mode, refuses what writes at the service, changes settings or keys, removes, or takes a person's word. */
function refuseWrites(action: Action, invocation: Invocation): void {
  const { readOnly } = invocation.session.settings;
  if (readOnly.value === false || isPreview(invocation) || action.refusesItself === true) return;
  if (!isRefusedReadOnly(action)) return;
  throw new ReadOnlyError(action.id.includes('/') ? action.id : action.words.join(' '), heldBy(readOnly));
}

/** In read-only mode, refuses a field with which an action does more than without it. */
function refuseFields(
  action: Action,
  input: GivenInput['input'],
  flags: readonly Flag[],
  invocation: Invocation,
): void {
  const { readOnly } = invocation.session.settings;
  if (readOnly.value === false || isPreview(invocation)) return;
  const field = refusedFieldReadOnly(action, input);
  if (field === undefined) return;
  throw new ReadOnlyError(`${action.words.join(' ')} ${asFlag(field, flags)}`, heldBy(readOnly));
}

/** Whether an agent types what may write, or does what only people may: then it needs a plan that is allowed. */
const needsPlan = (action: Action, input: GivenInput['input'], invocation: Invocation): boolean =>
  (invocation.context.env.SHOPCTL_AGENT ?? '') !== '' &&
  !isPreview(invocation) &&
  (isRefusedToAgents(action) || refusedFieldReadOnly(action, input) !== undefined);

/** A write by a plan that is allowed; its exit says whether all of it was done. */
async function byPlan(action: Action, input: GivenInput['input'], invocation: Invocation): Promise<Result> {
  const value = await invocation.writeAsAgent(invocation, action, input);
  const exits: Readonly<Record<string, Result['exit']>> = { done: 'success', unclear: 'unknownOutcome' };
  const exit = exits[String(value.state)] ?? 'failure';
  return {
    document: { kind: 'record', value, view: { columns: [] }, isWhole: true },
    exit,
    applied: exit === 'success',
  };
}

/** What an empty variable of shopctl was to name is not known: it is refused where it could be about the service. */
function refuseEmptyVariables({ needs }: Action, { context: { env } }: Invocation): void {
  const empty = needs.some((need) => need === 'service' || need === 'key' || need === 'workspace')
    ? emptyVariables(env)
    : [];
  if (empty.length === 0) return;
  throw new ConfigurationError(say().variables.empty({ names: empty }), say().variables.unset);
}

/** Waits for the first row: in a dry run, it is what ends the run. */
async function begun(rows: Rows<unknown>): Promise<Rows<unknown>> {
  if (!(Symbol.asyncIterator in rows)) return rows;
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  return {
    async *[Symbol.asyncIterator]() {
      if (first.done === true) return;
      yield first.value;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    },
  };
}

/** Passes rows on; errors are reworded for the command line. */
async function* withWords(rows: AsyncIterable<unknown>, worded: (error: unknown) => unknown): AsyncGenerator<unknown> {
  try {
    yield* rows;
  } catch (error) {
    throw worded(error);
  }
}

/** A result without keys; rows lose theirs as they come. */
function shownSettings(value: unknown, conceal: Concealing): unknown {
  if (!isRows(value) || !(Symbol.asyncIterator in value)) return concealed(value, conceal);
  return mapped(value, (row) => concealed(row, conceal));
}

const isRows = (value: unknown): value is Rows<unknown> =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);

interface Shown {
  readonly action: Action;
  readonly view: View;
  readonly invocation: Invocation;
  readonly given: GivenInput;
  readonly ports: Ports;
}

/** The paths of the printed values, if known in advance; a query sees the whole response. */
function printedPaths({ columns }: View, { session }: Invocation): readonly string[] {
  const { globals, settings } = session;
  if (globals.query !== undefined) return [];
  if (typeof globals.fields === 'string') return globals.fields.split(',').map((field) => field.trim());
  return formatNamed(settings.output.value).columns === true ? columns.map(({ path }) => path) : [];
}

/** Whether a result is the list of what a deletion leaves: a person has not asked for it. */
function isWhatRemains({ action: { effect }, view, invocation: { session } }: Shown): boolean {
  const { settings, globals } = session;
  const isAsked = globals.fields !== undefined || globals.query !== undefined;
  return (
    effect === 'delete' && view.list !== undefined && formatNamed(settings.output.value).forPeople === true && !isAsked
  );
}

async function documentOf(value: unknown, shown: Shown): Promise<Document> {
  const { action, view, invocation, given, ports } = shown;
  const beside = shownBeside(view.beside, printedPaths(view, invocation));
  const structure = structureOf(action.output);
  if ((structure.kind === 'list' || Array.isArray(value)) && isRows(value)) {
    if (action.format === 'as-read' && given.readAs?.isList === false && Symbol.iterator in value)
      return { kind: 'record', value: [...value][0], view };
    const complete = beside.length === 0 ? value : besideRows(value, beside, ports);
    const rows = isPreview(invocation) ? await begun(complete) : complete;
    const isOfService = action.needs.includes('key');
    return {
      kind: 'list',
      rows: isOfService ? shownRows(invocation, action.words[0], rows) : rows,
      view,
      live: typeof action.live === 'function' ? action.live(given.input) : action.live === true,
    };
  }
  if (value === undefined || isWhatRemains(shown)) return { kind: 'none' };
  if (typeof value === 'string') return { kind: 'text', text: value };
  const instead = await textInstead(value, view, invocation);
  if (instead !== undefined) return instead;
  return recordOf(beside.length === 0 ? value : await withBeside(value, beside, shown), view, invocation);
}

/** A record joined with related data, or with that of the records it lists. */
async function withBeside(value: unknown, beside: readonly Beside[], { view, ports }: Shown): Promise<unknown> {
  const { list } = view;
  if (list === undefined) return (await besideRecords([value], beside, ports))[0];
  const rows = valueAt(value, list);
  return Array.isArray(rows) ? { ...fieldsIn(value), [list]: await besideRecords(rows, beside, ports) } : value;
}

/** A record unchanged; for a person, one that consists only of a list is shown as that list. */
function recordOf(value: unknown, view: View, invocation: Invocation): Document {
  const { globals, settings } = invocation.session;
  const hasColumns = formatNamed(settings.output.value).columns === true;
  const asked = globals.fields !== undefined || globals.query !== undefined;
  const rows = view.list === undefined || asked ? undefined : valueAt(value, view.list);
  if (!Array.isArray(rows) || !hasColumns) {
    const { brief } = view;
    if (brief === undefined || asked || !isLookedAt(invocation)) return { kind: 'record', value, view };
    const columns = view.columns.filter(({ path }) => brief.includes(path));
    return { kind: 'record', value, view: { ...view, columns } };
  }
  const { list: _, ...ofRows } = { ...view, columns: view.columns };
  return { kind: 'list', rows: withTotal(rows, value, view, invocation), view: ofRows };
}

/** How a list goes on; a cursor that a terminal would break over its lines is none that can be copied. */
function restNotice(rest: Readonly<Record<string, string>>, { isTerminal, columns }: Sink): Notice {
  const flags = Object.entries(rest).map(([name, value]) =>
    value.startsWith('-') ? `--${name}=${value}` : `--${name} ${value}`,
  );
  const about = { code: 'list_truncated', rest };
  if (flags.length === 0) return { message: say().more.some, about };
  const isBroken = isTerminal && columns !== undefined && displayWidth(flags.join(' ')) > columns;
  return { message: isBroken ? say().more.limit : say().more.goOn({ flags: flags.join(' ') }), about };
}

/**
 * Adjusts the input to the format in force: a table is for looking; any other format, and a query, is for everything.
 */
function meant(action: Action, { session }: Invocation, input: GivenInput['input']): GivenInput['input'] {
  const isLookedAt =
    formatNamed(session.settings.output.value).forPeople === true && session.globals.query === undefined;
  return isLookedAt && action.atFirstSight !== undefined ? action.atFirstSight(input) : input;
}

function formatOf({ format: wanted }: Action, { input, readAs }: GivenInput): Pick<Result, 'defaultFormat'> {
  const format = typeof wanted === 'function' ? wanted(input) : wanted;
  if (format === undefined) return {};
  return { defaultFormat: format === 'json' ? 'json' : (readAs?.format ?? 'json') };
}

/** Whether something was changed, as far as known: by the action's effect, or by the calls it made. */
function changed({ effect }: Action, { wrote }: Reported): boolean {
  return effect === 'by-call' ? wrote : effect !== 'read';
}

function resultOf(value: unknown, document: Document, reported: Reported, shown: Shown): Result {
  const { action, invocation, given } = shown;
  return {
    document,
    get exitCode() {
      return reported.verdict === 'unknownOutcome' ? undefined : reported.exitCode;
    },
    get exit() {
      return reported.verdict ?? 'success';
    },
    // An error while rows are streamed is a failure of the action, not of printing.
    applied: changed(action, reported) && !(isRows(value) && Symbol.asyncIterator in value),
    ...(Array.isArray(value) ? { rows: value } : {}),
    wrote: reported.wrote,
    ...formatOf(action, given),
    reported: async () => reported.onceReported?.(),
    notices: (columns) => [...reported.notices, ...meanings(value, columns, shown)],
    // A reader that disconnected (`| head`) has what it wanted.
    // Whoever set a limit and asked for quiet knows that there is more.
    warnings: () => {
      const { alone, rest } = reported;
      const isKnown = invocation.session.globals.quiet === true && invocation.given.flags.limit !== undefined;
      const isWhole = rest === undefined || isKnown || invocation.context.stdout.closed;
      return [
        ...(alone === undefined ? [] : [alone]),
        ...(isWhole ? [] : [restNotice(rest, invocation.context.stderr)]),
      ];
    },
  };
}

/** The skeleton of an input as one document, without the fields given beside it. */
async function skeleton(action: Action, invocation: Invocation): Promise<Result> {
  const { input, hints, words } = action;
  const schema = jsonSchema(input);
  const isOwn = ([name]: readonly [string, unknown]) => hints?.[name]?.beside !== true;
  const own = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(isOwn));
  const { draft } = await readGiven(action, invocation, flagsOfAction(action));
  const filled = Object.fromEntries(Object.entries(draft).filter(isOwn));
  return skeletonResult({ ...schema, properties: own }, invocation, words, filled);
}

function viewFor({ view, output }: Action, input: Fields): View {
  if (view === undefined) return viewOfOutput(output);
  return typeof view === 'function' ? view(input) : view;
}

/** Explanations of the columns of a table, for those with a value. */
function meanings(rows: unknown, columns: readonly string[], { view, invocation }: Shown): Notice[] {
  const { settings, globals } = invocation.session;
  const isRead = formatNamed(settings.output.value).forPeople === true;
  if (!isRead || globals.fields !== undefined || globals.query !== undefined) return [];
  if (!Array.isArray(rows)) return [];
  return view.columns.flatMap(({ path, header, meaning }) => {
    const isSaid = meaning !== undefined && rows.some((row: unknown) => (valueAt(row, path) ?? null) !== null);
    return isSaid && columns.includes(path)
      ? [{ message: say().meaning({ column: labels().heading(header ?? path), meaning: meaning() }) }]
      : [];
  });
}

/** Refuses an output file with an unknown extension before anything is sent to the service. */
async function nameOfList(to: string, worded: (error: unknown) => unknown): Promise<void> {
  const { listFileFormat } = await import('../../operations/actions/list-to-file.ts');
  try {
    listFileFormat(to);
  } catch (error) {
    throw worded(error);
  }
}

/** Writes the rows of a list to a file; the result is the file's name and the number of records. */
async function writtenTo(to: string, rows: Rows<unknown>, shown: Shown): Promise<Document> {
  const { action, view, invocation, ports } = shown;
  const { writeList } = await import('../../operations/actions/list-to-file.ts');
  const path = resolve(invocation.context.workingDirectory, to);
  const { globals } = invocation.session;
  const only = typeof globals.fields === 'string' ? globals.fields.split(',').map((field) => field.trim()) : undefined;
  const first = view.columns.map(({ path }) => path);
  const beside = /\.jsonl$/i.test(to) && only === undefined ? [] : shownBeside(view.beside, only ?? first);
  const complete = beside.length === 0 ? rows : besideRows(rows, beside, ports);
  const coming = isPreview(invocation) ? await begun(complete) : complete;
  ports.intend({ write: to });
  let records = 0;
  async function* counted() {
    for await (const row of shownRows(invocation, action.words[0], coming)) {
      records += 1;
      yield row;
    }
  }
  const schema = jsonSchema(action.output).items ?? { type: 'object' };
  const style = csvStyle(invocation.session);
  const timeZone = ports.timeZone();
  await ports.progress.during(() => writeList(path, counted(), schema, { style, first, only, timeZone }));
  return { kind: 'record', value: { file: to, records }, view: { columns: [] }, isWhole: true };
}

/** The output of a dry run, with the notices from before it ended. */
function withNotices(result: Result, notices: readonly Notice[]): Result {
  const { notices: own = [] } = result;
  return { ...result, notices: (shown) => [...(typeof own === 'function' ? own(shown) : own), ...notices] };
}

const textsOf = (notices: readonly Notice[]) => notices.map(({ message }) => message);

/** Runs an action as one command: flags in, a document out. */
export async function runAction(action: Action, invocation: Invocation): Promise<Result> {
  const { context, session } = invocation;
  if (invocation.given.flags.skeleton === true) return skeleton(action, invocation);
  const listed = await beforeSending(context, session, viewFor(action, {}));
  if (listed !== undefined) return listed;
  refuseWrites(action, invocation);
  refuseEmptyVariables(action, invocation);
  const flags = flagsOfAction(action);
  const worded = (error: unknown) => (error instanceof Refusal ? inWords(error, action, flags) : error);
  const reported = newReport(async (value) => {
    const document = await documentOf(value, shown);
    if (screen !== undefined) return screen.show(textsOf(reported.notices.splice(0)), document);
    await printResult(context, session, resultOf(value, document, reported, shown));
    reported.notices.length = 0;
    reported.onceReported = undefined;
  });
  const ports = portsOf(invocation, reported, action.effect === 'read' && action.mayAlso === undefined);
  const read = await readInput(action, invocation, flags).catch(async (error: unknown) => {
    throw await withSuggestion(action, worded(error), ports);
  });
  refuseFields(action, read.input, flags, invocation);
  if (needsPlan(action, read.input, invocation))
    return byPlan(action, read.input, invocation).catch((error: unknown) => {
      throw worded(error);
    });
  const to = listsRecords(action) && read.input.to === undefined ? textFlag(invocation, toFlag.name) : undefined;
  // A file gets the whole list.
  let given: GivenInput = { ...read, input: to === undefined ? meant(action, invocation, read.input) : read.input };
  if (to !== undefined) await nameOfList(to, worded);
  requireAgreed(invocation, action);
  if (given.called !== undefined) {
    given = await withFound(action, given, given.called, ports).catch((error: unknown) => {
      throw worded(error);
    });
  }
  const shown = { action, view: viewFor(action, given.input), invocation, given, ports };
  const screen = await screenFor(shown.view, invocation);
  try {
    const returned = await ranByName(action, given, invocation, ports);
    const value = action.showsSettings === true ? shownSettings(returned, concealing(context, session)) : returned;
    const isComing = isRows(value) && Symbol.asyncIterator in value;
    // Rows fail while they are printed, after the run has returned.
    const named = (error: unknown) => namedByFlags(worded(error), flags, invocation.given);
    const result = isComing ? withWords(value, named) : value;
    if (to !== undefined && isRows(result)) return resultOf(value, await writtenTo(to, result, shown), reported, shown);
    const isInstead = reported.alone !== undefined && isLookedAt(invocation);
    return resultOf(value, isInstead ? { kind: 'none' } : await documentOf(result, shown), reported, shown);
  } catch (error) {
    if (error instanceof Previewed) return withNotices(error.result, reported.notices);
    throw worded(error);
  } finally {
    await screen?.close();
    session.scratch.remove();
  }
}

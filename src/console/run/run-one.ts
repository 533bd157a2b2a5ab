import type { Action } from '../../action/action.ts';
import { removalQuestion } from '../../action/effects.ts';
import type { Means, Opened } from '../../action/means.ts';
import type { Ports, Report } from '../../action/ports.ts';
import { invalidInput } from '../../client/refusal.ts';
import { labels } from '../../contract/labels.ts';
import { type JsonSchema, jsonSchema } from '../../contract/schema/json-schema.ts';
import { AMOUNT_UNIT } from '../../contract/schema/scalars.ts';
import { inClockTime } from '../../domain/calendar.ts';
import { whole } from '../../domain/coming-lists.ts';
import { type Fields, fieldsIn, isRecord } from '../../domain/json/values.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { say } from '../texts.ts';
import type { Ran, RunRequest } from '../wire.ts';
import { downloadOf, mayRun, refusePaths, shapeOf, withUploads } from './closed-set.ts';
import type { StoredFiles } from './files.ts';
import { PAGE, type Run, type Shown, shown, writeRows } from './result.ts';
import { fieldsOf, isRows, nameOfColumn } from './shown.ts';

/** The amounts of money in a request that are not zero, by the names of their fields and of those that they stand in. */
function amountsIn(schema: JsonSchema, value: unknown, name = ''): readonly (readonly [string, number])[] {
  if (Array.isArray(value)) {
    const items = schema.items ?? { type: 'object' };
    return value.flatMap((item, index) => amountsIn(items, item, `${name} ${index + 1}`));
  }
  if (!isRecord(value)) {
    return schema.unit === AMOUNT_UNIT && typeof value === 'number' && value !== 0 ? [[name, value]] : [];
  }
  const within = (inner: string) => [name, nameOfColumn(inner)].filter((part) => part !== '').join(' · ');
  return Object.entries(schema.properties ?? {}).flatMap(([inner, field]) =>
    Object.hasOwn(value, inner) ? amountsIn(field, value[inner], within(inner)) : [],
  );
}

type Input = Fields;

/** What an action says besides its value. */
interface Said {
  readonly notices: string[];
  rest: Readonly<Record<string, string>> | undefined;
  whenReported: (() => Promise<void>) | undefined;
}

const noted = ({ notices }: Said, text: string) => void notices.push(makeSafe(text, 'keep'));

/** The notices, with their times as the clocks of the page's zone show them: the page names the zone. */
const noticesOf = ({ notices }: Said, ports?: Ports) =>
  notices.map((notice) => inClockTime(notice, ports?.timeZone(), true));

const reportTo = (said: Said): Report => ({
  notice: (text) => noted(said, text),
  alone: (text) => void said.notices.unshift(makeSafe(text, 'keep')),
  say: (text) => noted(said, text),
  insist: (text) => noted(said, text),
  verdict: () => {},
  ready: async () => {},
  result: async () => {},
  onceReported(work) {
    said.whenReported = work;
  },
  passOn: () => {},
  rest(input) {
    said.rest = input;
  },
});

/** The input of one page: as for a table, but far enough for the pages behind the first. */
function pagedInput(action: Action, input: Input, from: number): Input {
  const seen = action.atFirstSight?.({ ...input }) ?? input;
  if (shapeOf(action) !== 'list') return seen;
  if (input.limit !== undefined || !('limit' in seen)) return seen;
  // A list of the service says where it goes on; another one shows it by having one row more.
  const isOfService = (action.operations ?? []).length > 0;
  return { ...seen, limit: from + PAGE + (isOfService ? 0 : 1) };
}

/** What a dry run would have sent, and the money in it. */
function looked({ input }: Action, request: unknown, { cell }: Means): Omit<Shown & { kind: 'look' }, 'questions'> {
  const body = fieldsIn(request).body;
  const isCall = isRecord(body);
  const amounts = amountsIn(jsonSchema(input), isCall ? body : request);
  // What makes no call says in English what it would do.
  const isSentence = (value: unknown) => !isCall && typeof value === 'string' && labels().sentence(value) !== value;
  const shown: Means['cell'] = (value, kind) => cell(value, isSentence(value) ? 'sentence' : kind);
  return {
    kind: 'look',
    fields: fieldsOf(request, { columns: [] }, shown),
    amounts: amounts.map(([name, amount]) => ({ name, cell: cell(amount, 'number') })),
  };
}

/**
 * Asks before something is removed, as the command line does; the question is the one to agree to. Throws what refuses it, in
 * a dry run too.
 */
async function confirmRemoval(action: Action, input: Input, ports: Ports): Promise<void> {
  if (action.destructive !== true) return;
  await ports.person.confirm({ what: action.words.join(' '), message: await removalQuestion(action, input, ports) });
}

/** An input with a name in place of the file that it will be written to, which the check requires. */
function checkable(action: Action, input: Input, format: string | undefined): Input {
  const download = downloadOf(action);
  return download === undefined || format === undefined ? input : { ...input, [download.field]: `file.${format}` };
}

/** The name of a file that is written for a page: what it has, in a word or two. */
const fileName = ({ words, positional = [] }: Action, input: Input, format: string) =>
  `${[...words, ...positional.flatMap((name) => input[name] ?? [])].join('-')}.${format}`;

/** The files that the page has sent, by their fields, and where they are. Throws a Refusal for one that is not there. */
async function sentFiles({ files = {} }: RunRequest, kept: StoredFiles) {
  const ids = Object.values(files).flat();
  if (ids.length === 0) return undefined;
  const gathered = await kept.gather(ids);
  if (gathered === undefined)
    throw invalidInput(Object.keys(files).map((path) => ({ path, message: say().given.fileGone })));
  const names = Object.entries(files).map(([field, own]) => [field, own.map((id) => gathered.names.get(id) ?? '')]);
  return { directory: gathered.directory, names: Object.fromEntries(names) };
}

/** Runs an action whose result goes to a file, or shows it. */
async function resultOf(run: Run): Promise<Shown> {
  const { action, input, request, kept, ports } = run;
  const { format } = request;
  if (format === undefined) return shown(await whole(await action.run({ ...input }, ports)), run);
  const download = downloadOf(action);
  const formats = download?.formats ?? (shapeOf(action) === 'list' ? ['csv', 'xlsx', 'jsonl'] : []);
  if (!formats.includes(format)) throw invalidInput([{ path: 'format', message: say().given.noFormat }]);
  const name = fileName(action, request.input, format);
  const { id, path } = await kept.room(name);
  // Lists that are still coming end with it.
  const value = await whole(
    await action.run({ ...input, ...(download === undefined ? {} : { [download.field]: path }) }, ports),
  );
  if (download === undefined && isRows(value)) await writeRows(path, value, run);
  return { kind: 'file', name, id };
}

/** The command line that does what a request asks for; files that were sent are given by their names. */
function commandOf(means: Means, action: Action, request: RunRequest, kept: StoredFiles): string {
  const { input, files = {}, format, columns = [] } = request;
  const paths = Object.entries(files).map(([field, ids]) => [field, ids.map((id) => kept.name(id) ?? 'FILE')]);
  const to = format === undefined ? undefined : fileName(action, input, format);
  const typed = { ...input, ...Object.fromEntries(paths) };
  const download = downloadOf(action);
  return means.typed(action, download === undefined || to === undefined ? typed : { ...typed, [download.field]: to }, {
    fields: columns.join(','),
    ...(download === undefined ? { to } : {}),
  });
}

/** What runs need besides their action. */
export interface RunMeans {
  readonly means: Means;
  readonly kept: StoredFiles;
  /** Told what was found of a list that takes long. */
  readonly early?: ((ran: Ran) => void) | undefined;
  /** Keeps what is to be done when the page has shown the result, and returns its receipt. */
  readonly receiptFor: (whenReported: () => Promise<void>) => string;
}

/** Runs an action for the page: JSON in, what the page shows out; undefined if it may not be run from one. Throws nothing. */
export async function runOne(
  { means, kept, early, receiptFor }: RunMeans,
  action: Action,
  request: RunRequest,
  signal: AbortSignal,
): Promise<Ran | undefined> {
  const said: Said = { notices: [], rest: undefined, whenReported: undefined };
  const { look = false, agreed = [], from = 0, format, opened: mark } = request;
  const command = commandOf(means, action, request, kept);
  let opened: Opened | undefined;
  const questions: string[] = [];
  try {
    const asks = (asked: string) => void questions.push(asked);
    const opening = { isLook: look, agreed, asks, signal, report: reportTo(said), opened: mark };
    opened = await means.open(opening);
    if (!(await mayRun(action, opened.ports))) return undefined;
    refusePaths(action, request.input);
    const sent = await sentFiles(request, kept);
    // Files are named as people know them: they lie in the directory in which this run works.
    const ports = sent === undefined ? opened.ports : { ...opened.ports, workingDirectory: sent.directory };
    const given = await opened.check(
      action,
      checkable(action, withUploads(action, request.input, sent?.names ?? {}), format),
    );
    const input = format === undefined ? pagedInput(action, given, from) : given;
    await confirmRemoval(action, input, ports);
    const tell = (found: Shown) => early?.({ ...found, command, notices: noticesOf(said, ports) });
    const reported = request.early === true && early !== undefined ? { early: tell } : {};
    const result = await resultOf({ action, input, request, means, ports, kept, rest: () => said.rest, ...reported });
    // Nobody was told before the page says so: whoever sends the same again until then is told then.
    const receipt = said.whenReported === undefined ? {} : { receipt: receiptFor(said.whenReported) };
    return { ...result, command, notices: noticesOf(said, ports), ...receipt };
  } catch (thrown) {
    const end = await means.ending(thrown, action, opened);
    const rest = { command, notices: noticesOf(said, opened?.ports) };
    if (end.kind === 'looked') return { ...looked(action, end.request, means), questions, ...rest };
    if (end.kind === 'asked') return { kind: 'asks', question: end.question, ...rest };
    return { kind: 'error', error: end.error, ...rest };
  } finally {
    await opened?.end();
  }
}

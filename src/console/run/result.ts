import type { Action, Rows } from '../../action/action.ts';
import { curlOfCall } from '../../action/curl.ts';
import type { Means } from '../../action/means.ts';
import type { Ports } from '../../action/ports.ts';
import { jsonSchema } from '../../contract/schema/json-schema.ts';
import type { Beside, Column, View } from '../../contract/view.ts';
import type { Chart } from '../../domain/chart.ts';
import { chartLook } from '../../domain/chart-columns.ts';
import { chartSvg } from '../../domain/chart-svg.ts';
import { whileWaiting } from '../../domain/coming-lists.ts';
import { fieldsIn, recordsIn, valueAt } from '../../domain/json/values.ts';
import { besideRecords, besideRows, shownBeside } from '../../operations/actions/beside.ts';
import { listFileFormat, writeList } from '../../operations/actions/list-to-file.ts';
import { viewOfOutput } from '../../operations/actions/views.ts';
import { elapsedOn } from '../../platform/process/clock.ts';
import type { CopyData, LayoutData, More, Ran, RunRequest } from '../wire.ts';
import type { StoredFiles } from './files.ts';
import { fieldsOf, isRows, laidOut, nameOf, nameOfColumn, tableOf, withSpread } from './shown.ts';

/** Records of a page. */
export const PAGE = 100;
/** Rows that fill a screen: they are shown while others are still looked for. */
const SCREENFUL = 25;
/** How long a list may take until a screenful of it is shown. */
const PATIENCE_MS = 200;
/** How often further rows of it are shown, and fewer than a screenful. */
const AGAIN_MS = 500;
/** Fields of a record beyond those of its sheet are shown if they are so few. */
const FEW = 6;
/** The widths of a drawing for a desk and for a phone; the page scales them. */
const WIDE = 880;
const NARROW = 340;

type Input = Readonly<Record<string, unknown>>;

/** A result without what every one has. */
export type Shown = Ran extends infer Each ? (Each extends unknown ? Omit<Each, 'command' | 'notices'> : never) : never;

/** A run that has returned. */
export interface Run {
  readonly action: Action;
  readonly input: Input;
  readonly request: RunRequest;
  readonly means: Means;
  readonly ports: Ports;
  readonly kept: StoredFiles;
  /** What the action said about the rows that it left out. */
  rest(): Readonly<Record<string, string>> | undefined;
  /** Told what was found of a list that takes long; absent if nobody wants to know. */
  readonly early?: (found: Shown) => void;
}

function viewFor({ view, output }: Action, input: Input): View {
  if (view === undefined) return viewOfOutput(output);
  return typeof view === 'function' ? view(input) : view;
}

/** Adds the rows behind the first ones to a page; returns whether there are more behind it. */
async function fill(page: unknown[], rows: Rows<unknown>, from: number): Promise<boolean> {
  let at = 0;
  for await (const row of rows) {
    at += 1;
    if (at <= from) continue;
    if (page.length === PAGE) return true;
    page.push(row);
  }
  return false;
}

/** Tells what is on a page while its next row is waited for: once a screen is full, then now and then. */
function telling(page: readonly unknown[], { clock }: Ports, tell: () => Promise<void>) {
  let [reported, last] = [0, elapsedOn(clock)];
  const isDue = () => {
    const patience = reported === 0 && page.length >= SCREENFUL ? PATIENCE_MS : AGAIN_MS;
    return page.length > reported && elapsedOn(clock) - last >= patience;
  };
  return async (came: AbortSignal) => {
    for (; !came.aborted; await clock.wait(AGAIN_MS, came)) {
      if (!isDue()) continue;
      [reported, last] = [page.length, elapsedOn(clock)];
      await tell();
    }
  };
}

/** Rows with their related data, which is read once for each, however often they are asked for. */
function joining(page: readonly unknown[], beside: readonly Beside[], ports: Ports): () => Promise<readonly unknown[]> {
  let complete: Promise<readonly unknown[]> = Promise.resolve([]);
  return () => {
    const most = page.length;
    complete = complete.then(async (known) => {
      const rest = page.slice(known.length, most);
      return [...known, ...(beside.length === 0 ? rest : await besideRecords(rest, beside, ports))];
    });
    return complete;
  };
}

/** Where the next page begins: at a cursor, or behind the rows that were shown. */
function moreOf(rest: Readonly<Record<string, string>> | undefined, isCut: boolean, from: number): More | undefined {
  if (rest !== undefined && Object.keys(rest).length > 0) return { input: rest, from: 0 };
  return isCut || rest !== undefined ? { input: {}, from: from + PAGE } : undefined;
}

const others = ({ columns, fields = [] }: View): Column[] =>
  fields.filter((path) => !columns.some((column) => column.path === path)).map((path) => ({ path }));

/** Columns without the parts of what a record shows whole. */
const withoutParts = (columns: readonly Column[], all: readonly Column[]): readonly Column[] =>
  columns.filter(({ path }) => !all.some((whole) => path.startsWith(`${whole.path}.`)));

/** The columns that were chosen, of those that there are. */
function chosen(view: View, columns: readonly string[] | undefined): readonly Column[] {
  if (columns === undefined || columns.length === 0) return view.pageColumns ?? view.columns;
  const all = [...(view.pageColumns ?? []), ...view.columns, ...others(view)];
  return columns.flatMap((path) => all.find((column) => column.path === path) ?? []);
}

/** The call that a row stands for, as commands. */
async function copiesOf(row: unknown, { action, means, ports }: Run): Promise<readonly CopyData[]> {
  const call = typeof action.page === 'object' ? action.page.call?.(row) : undefined;
  const base = ports.settings.baseUrl?.value;
  const curl = call === undefined || base === undefined ? undefined : await curlOfCall(call, base);
  if (call === undefined || curl === undefined) return [];
  const same = (await means.actions()).find(({ id }) => id === call.operation);
  const typed = same === undefined ? [] : [{ label: 'shopctl', text: means.typed(same, fieldsIn(call.body)) }];
  return [{ label: 'curl', text: curl }, ...typed];
}

/** A drawing as an image of its own: it has its style, and the colours of the page's theme. */
function pictureOf(chart: Chart, kept: StoredFiles) {
  if (chart.labels.length === 0) return {};
  const style = `<style>:root { color-scheme: light dark; color: CanvasText; } ${chartLook}</style>`;
  const drawn = (width: number) =>
    kept.picture(chartSvg(chart, { width, id: 'chart' }).replace('</title>', () => `</title>${style}`));
  return { picture: { wide: drawn(WIDE), narrow: drawn(NARROW), title: chart.title } };
}

/** The rows of a list as a table, or one of them whole. */
async function listed(rows: Rows<unknown>, view: View, run: Run): Promise<Shown> {
  const { means, ports, request, rest, early } = run;
  const columns = chosen(view, request.columns);
  const beside = shownBeside(
    view.beside,
    columns.map(({ path }) => path),
  );
  const found: unknown[] = [];
  const joined = joining(found, beside, ports);
  const whole = { ...view, columns: [...view.columns, ...others(view)] };
  const fields = whole.columns.map(({ path, header, kind }) => ({
    path,
    header: nameOfColumn(header ?? path, kind, path),
  }));
  const isSpread = view.spread !== undefined && !request.columns?.length;
  const tableFor = (page: readonly unknown[]) => {
    const table = tableOf(page, { ...view, columns }, means.cell);
    return isSpread ? withSpread(table, page, view.spread ?? '', means.cell) : table;
  };
  const tell = async () => early?.({ kind: 'list', table: tableFor(await joined()), fields, isComing: true });
  const coming =
    early === undefined || request.row !== undefined ? rows : whileWaiting(rows, telling(found, ports, tell));
  const isCut = await fill(found, coming, request.from ?? 0);
  const page = await joined();
  if (request.row !== undefined) {
    const row = page.find((each) => nameOf(each, view.name ?? 'id') === request.row);
    const fields = fieldsOf(row ?? {}, whole, means.cell);
    return { kind: 'record', name: request.row, fields, parts: [], copies: await copiesOf(row, run) };
  }
  const more = moreOf(rest(), isCut, request.from ?? 0);
  return {
    kind: 'list',
    table: tableFor(page),
    fields,
    ...(more === undefined ? {} : { more }),
  };
}

/** A list within a record, such as the figures of a report, with its sums and its picture. */
async function listWithin(value: unknown, rows: readonly unknown[], view: View, run: Run): Promise<Shown> {
  const shown = await listed(rows, view, run);
  const { total, picture } = view;
  const [record] = recordsOf(value);
  if (shown.kind !== 'list' || record === undefined) return shown;
  const sums = fieldsIn(valueAt(value, total?.path ?? ''));
  const cells = view.columns.map(({ path, kind }, index) =>
    index === 0 ? { text: total?.label ?? '' } : run.means.cell(sums[path], kind),
  );
  const isSummed = total !== undefined && Object.keys(sums).length > 0;
  return {
    ...shown,
    table: { ...shown.table, ...(isSummed ? { total: cells } : {}) },
    ...(picture === undefined ? {} : pictureOf(picture(value), run.kept)),
  };
}

const recordsOf = (value: unknown) => (typeof value === 'object' && value !== null ? [value] : []);

/** Parts of a record that are told of: an order has a few parcels. */
const MOST_PARTS = 5;

/** The ids of the records within a record, and of those that its page names: a parcel's order. */
function partsOf(record: unknown, layout: LayoutData | undefined): readonly string[] {
  const ids = Object.values(fieldsIn(record)).flatMap((value) => recordsIn(value).map(({ id }) => id));
  const named = layout?.parts.flatMap(({ fields }) => fields.map(({ link }) => link?.record)) ?? [];
  return [...new Set([...ids, ...named])]
    .filter((id) => typeof id === 'string')
    .filter((id) => /^\d{19}$/.test(id))
    .slice(0, MOST_PARTS);
}

function progressIn(value: unknown, { progress }: View) {
  const of = valueAt(value, progress?.of ?? '');
  const left = valueAt(value, progress?.left ?? '');
  return typeof of === 'number' && typeof left === 'number' ? { progress: { of, left } } : {};
}

const withoutOf = (value: unknown, { page }: Action) =>
  typeof page === 'object' && page.without !== undefined ? { without: page.without(value) } : {};

/** A result of `run` as the page shows it. */
export async function shown(value: unknown, run: Run): Promise<Shown> {
  const { action, input, means, ports } = run;
  const view = viewFor(action, input);
  const within = view.list === undefined ? undefined : valueAt(value, view.list);
  if (Array.isArray(within)) return listWithin(value, within, view, run);
  if (isRows(value) && typeof value !== 'string') return listed(value, view, run);
  if (value === undefined) return { kind: 'nothing' };
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (view.text !== undefined) return { kind: 'text', text: String(valueAt(value, view.text) ?? '') };
  const beside = shownBeside(
    view.beside,
    view.columns.map(({ path }) => path),
  );
  const [record] = beside.length === 0 ? [value] : await besideRecords([value], beside, ports);
  const name = valueAt(record, view.name ?? 'id');
  const further = others(view);
  const columns = further.length > FEW || view.columns.length === 0 ? view.columns : [...view.columns, ...further];
  const { layout, left: unplaced } = laidOut(record, { ...view, columns }, means.cell);
  const left = withoutParts(unplaced, columns);
  return {
    kind: 'record',
    name: typeof name === 'string' ? name : '',
    fields: left.length === 0 ? [] : fieldsOf(record, { columns: left }, means.cell),
    ...(layout === undefined ? {} : { layout }),
    parts: partsOf(record, layout),
    copies: [],
    ...progressIn(record, view),
    ...withoutOf(value, action),
  };
}

/** Writes a list to a file as the command line does: the whole of it, with the columns that were chosen. */
export async function writeRows(path: string, rows: Rows<unknown>, { action, input, request, ports }: Run) {
  listFileFormat(path);
  const view = viewFor(action, input);
  const first = view.columns.map((column) => column.path);
  const only = request.columns?.length ? chosen(view, request.columns).map((column) => column.path) : undefined;
  const beside = /\.jsonl$/.test(path) && only === undefined ? [] : shownBeside(view.beside, only ?? first);
  const complete = beside.length === 0 ? rows : besideRows(rows, beside, ports);
  const schema = jsonSchema(action.output).items ?? { type: 'object' };
  await writeList(path, complete, schema, { style: ports.csv, first, only, timeZone: ports.timeZone() });
}

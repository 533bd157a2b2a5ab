import { labels } from '../../contract/labels.ts';
import { isRecord, readerOf } from '../../domain/json/values.ts';
import { cellText } from './cell.ts';
import type { Column, ColumnKind, View } from './document.ts';

/** Spaces between two columns. */
const gap = 2;
/** The minimum width of a truncated column: less is meaningless. */
const least = 5;
/**
 * Where the other columns alone are too wide and the terminal wraps every row anyway, truncating further gains nothing.
 */
const leastWhenWrapped = 20;

/** Truncated below this, a column of prose is no longer worth its space. */
const worthReading = 12;

/**
 * The columns to show: all of them if a row fits `available` columns with its prose still worth reading; otherwise the
 * last one that goes first is dropped, and so on, then the last of the others that may go; one that turns out to fit is restored.
 */
export function columnsThatFit(
  wanted: readonly number[],
  cuttable: readonly boolean[],
  mayGo: readonly (boolean | 'first')[],
  available: number,
): number[] {
  const widthOf = (index: number) =>
    Math.min(wanted[index] ?? 0, cuttable[index] ? worthReading : Number.POSITIVE_INFINITY);
  const leastOf = (index: number) => Math.min(wanted[index] ?? 0, cuttable[index] ? least : Number.POSITIVE_INFINITY);
  const shown = wanted.map((_, index) => index);
  const row = () => shown.reduce((sum, index) => sum + widthOf(index), gap * (shown.length - 1));
  const left: number[] = [];
  while (row() > available) {
    const blank = shown.findLastIndex((index) => mayGo[index] === 'first');
    const last = blank < 0 ? shown.findLastIndex((index) => mayGo[index]) : blank;
    if (last < 0) break;
    left.push(...shown.splice(last, 1));
  }
  // A wide column dropped later may have made room for narrow ones dropped before it.
  for (const index of left.slice(0, -1).toReversed()) {
    if (row() + gap + widthOf(index) > available) continue;
    shown.push(index);
    shown.sort((one, other) => one - other);
  }
  // Nobody reads wrapped rows: then the last columns are dropped too, except for the first two, which identify the row.
  const leastRow = () => shown.reduce((sum, index) => sum + leastOf(index), gap * (shown.length - 1));
  while (shown.length > 2 && leastRow() > available) shown.pop();
  return shown;
}

/**
 * Column widths that fit a row into `available` columns of the terminal: the widest column that may be truncated
 * shrinks first. If all are at their minimum and a row still does not fit, it stays too wide, and the terminal wraps
 * it.
 */
export function fitWidths(wanted: readonly number[], cuttable: readonly boolean[], available: number): number[] {
  const cutTo = (limit: number) => wanted.map((width, index) => (cuttable[index] ? Math.min(width, limit) : width));
  const rowOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
  if (rowOf(cutTo(least)) > available) return cutTo(leastWhenWrapped);
  let limit = available;
  while (rowOf(cutTo(limit)) > available) limit -= 1;
  return spend(cutTo(limit), wanted, available - rowOf(cutTo(limit)));
}

/** Distributes the remaining width to truncated columns, from the left. */
function spend(widths: readonly number[], wanted: readonly number[], spare: number): number[] {
  let left = spare;
  return widths.map((width, index) => {
    const more = left > 0 && width < (wanted[index] ?? width) ? 1 : 0;
    left -= more;
    return width + more;
  });
}

/**
 * The columns that go below their rows, as few as possible: none if a row fits `available` columns of the terminal
 * uncut, otherwise the last that may go, and so on; one that turns out to fit is restored.
 */
export function columnsBelow(wanted: readonly number[], mayGo: readonly boolean[], available: number): Set<number> {
  const below = new Set<number>();
  const row = () => wanted.reduce((sum, width, index) => (below.has(index) ? sum : sum + width + gap), -gap);
  for (let index = wanted.length - 1; index >= 0 && row() > available; index -= 1) if (mayGo[index]) below.add(index);
  for (const index of [...below].reverse()) {
    below.delete(index);
    if (row() > available) below.add(index);
  }
  return below;
}

/** One column of a table or of csv: where its value comes from and how it is displayed. */
export interface PrintColumn {
  readonly path: string;
  /** Heading for people. */
  readonly header: string;
  readonly kind: ColumnKind | undefined;
  readonly optional: boolean;
  readonly goesFirst?: boolean;
  readonly keptIfVaried?: boolean;
  readonly unlessBlank?: boolean;
  readonly cut?: Column['cut'];
  readonly blank?: Column['blank'];
  readonly below?: Column['below'];
  /** The zone of its times, if its heading names that. */
  readonly zone?: string;
  /** For a list of records: the columns of its entries. */
  readonly each?: readonly PrintColumn[];
  /** Whether those entries stand below the names of their columns. */
  readonly heads: boolean;
  read(row: unknown): unknown;
}

/** The columns, and whether they have names: values and arrays from a query have none, so they get no header row. */
export interface ColumnPlan {
  readonly columns: readonly PrintColumn[];
  readonly named: boolean;
}

/** The columns of requested fields; with `gathers`, those of the entries of one list are columns of that list. */
function requested({ columns }: View, fields: readonly string[], gathers: boolean): readonly Column[] {
  const known = new Map(columns.map((column) => [column.path, column]));
  if (!gathers) return fields.map((path) => known.get(path) ?? { path });
  const found = new Map<string, Column>();
  for (const path of fields) {
    // The entries of a record have names of their own.
    const list = columns.find(
      ({ path: own, each }) => each?.every((one) => one.path !== 'key') && path.startsWith(`${own}.`),
    );
    if (list === undefined) {
      found.set(path, known.get(path) ?? { path });
      continue;
    }
    const name = path.slice(list.path.length + 1);
    const { optional: _, ...entry } = list.each?.find((one) => one.path === name) ?? { path: name };
    found.set(list.path, { ...list, heads: true, each: [...(found.get(list.path)?.each ?? []), entry] });
  }
  return [...found.values()];
}

/** The requested fields, else the view's columns, else the fields of the sample rows. */
export function planColumns(
  view: View,
  fields: readonly string[] | undefined,
  sample: readonly unknown[],
  { gathers = false } = {},
): ColumnPlan {
  if (fields !== undefined)
    return { columns: requested(view, fields, gathers).map((column) => atPath(column)), named: true };
  if (view.columns.length > 0)
    return { columns: view.columns.map((each) => atPath(each, labels().heading)), named: true };
  if (sample.length > 0 && sample.every(isRecord)) {
    const keys = new Set(sample.flatMap((row) => Object.keys(row)));
    return { columns: [...keys].map((key) => column(key, (row) => ownValue(row, key))), named: true };
  }
  if (sample.length > 0 && sample.every(Array.isArray)) {
    const length = Math.max(...sample.map((row) => row.length));
    const positions = Array.from({ length }, (_, position) => String(position));
    return { columns: positions.map((position) => column(position, (row) => ownValue(row, position))), named: false };
  }
  return { columns: sample.length > 0 ? [column('value', (row) => row)] : [], named: false };
}

/** The name of a column as people see it above its values. */
export const heading = ({ header, zone }: PrintColumn): string =>
  `${cellText(header, 'text', {}).toUpperCase()}${zone === undefined ? '' : ` (${zone})`}`;

/** A column, whose name people read in their language unless it was given as a field. */
function atPath(
  declared: Column,
  named: (name: string, kind?: ColumnKind, path?: string) => string = (name) => name,
): PrintColumn {
  const {
    path,
    header,
    kind,
    optional = false,
    goesFirst = false,
    keptIfVaried = false,
    unlessBlank = false,
    cut,
    blank,
    below,
    each,
    heads = false,
  } = declared;
  return {
    path,
    header: named(header ?? path, kind, path),
    kind,
    optional,
    goesFirst,
    keptIfVaried,
    unlessBlank,
    heads,
    ...(cut === undefined ? {} : { cut }),
    ...(blank === undefined ? {} : { blank }),
    ...(below === undefined ? {} : { below }),
    ...(each === undefined ? {} : { each: each.map((entry) => atPath(entry, named)) }),
    read: readerOf(path),
  };
}

function column(path: string, read: (row: unknown) => unknown): PrintColumn {
  return { path, header: path, kind: undefined, optional: false, heads: false, read };
}

/** A row of a query may have keys with dots, which are not paths. */
function ownValue(row: unknown, key: string): unknown {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, key)) return undefined;
  return Reflect.get(row, key);
}

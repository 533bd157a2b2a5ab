import { isRecord, readerOf } from '../../../domain/json/json-extent.ts';
import type { Column, ColumnKind, View } from '../document.ts';
import { cellText } from './cell.ts';

/** One column of a table or of csv: where its value comes from and how it is displayed. */
export interface PrintColumn {
  readonly path: string;
  /** Heading for people. */
  readonly header: string;
  readonly kind: ColumnKind | undefined;
  readonly optional: boolean;
  readonly keptIfVaried?: boolean;
  readonly unlessBlank?: boolean;
  readonly cut?: Column['cut'];
  readonly blank?: Column['blank'];
  readonly below?: Column['below'];
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

/** The requested fields, else the view's columns, else the fields of the sample rows. */
export function planColumns(view: View, fields: readonly string[] | undefined, sample: readonly unknown[]): ColumnPlan {
  if (fields !== undefined) {
    const known = new Map(view.columns.map((column) => [column.path, column]));
    return { columns: fields.map((path) => atPath(known.get(path) ?? { path })), named: true };
  }
  if (view.columns.length > 0) return { columns: view.columns.map(atPath), named: true };
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
export const heading = ({ header }: PrintColumn): string => cellText(header, 'text', { utc: true }).toUpperCase();

function atPath({
  path,
  header,
  kind,
  optional = false,
  keptIfVaried = false,
  unlessBlank = false,
  cut,
  blank,
  below,
  each,
  heads = false,
}: Column): PrintColumn {
  return {
    path,
    header: header ?? path,
    kind,
    optional,
    keptIfVaried,
    unlessBlank,
    heads,
    ...(cut === undefined ? {} : { cut }),
    ...(blank === undefined ? {} : { blank }),
    ...(below === undefined ? {} : { below }),
    ...(each === undefined ? {} : { each: each.map(atPath) }),
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

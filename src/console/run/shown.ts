import type { Rows } from '../../action/action.ts';
import { labels } from '../../contract/labels.ts';
import { type Column, type ColumnKind, inPlaceOfBlank, type Placed, type View } from '../../contract/view.ts';
import { entriesOf, type Fields, fieldsIn, isRecord, valueAt, writeJson } from '../../domain/json/values.ts';
import { jsonSafe } from '../../platform/terminal/text-safety.ts';
import type { Cell, FieldData, LayoutData, RowData, TableData } from '../wire.ts';

/** Rows of a table within a record that are shown. */
const MOST = 100;

/** Whether a result is the rows of a list. */
export const isRows = (value: unknown): value is Rows<unknown> =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);

/** The name of a column or a field for people. */
export const nameOfColumn = (name: string, kind?: ColumnKind, path?: string) =>
  labels().heading(name, kind, path).replaceAll(/[._]/g, ' ');

/** Writes a value as a table of the command line does. */
export type WriteCell = (value: unknown, kind?: ColumnKind) => Cell;

/** What identifies a row. */
export const nameOf = (row: unknown, path: string): string => {
  const value = valueAt(row, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** The kinds of fields that no view has: a dry run shows what would be stored. */
const kinds: ReadonlyMap<string, ColumnKind> = new Map([
  ['state', 'state'],
  ['cell', 'place'],
]);

/** The columns of a view; where it has none, the fields of the rows. */
function columnsOf({ columns }: Pick<View, 'columns'>, rows: readonly unknown[]): readonly Column[] {
  if (columns.length > 0) return columns;
  const paths = [...new Set(rows.filter(isRecord).flatMap((row) => Object.keys(row)))];
  return paths.map((path) => {
    const kind = kinds.get(path);
    return kind === undefined ? { path } : { path, kind };
  });
}

/** Records as a table. */
export function tableOf(rows: readonly unknown[], view: Pick<View, 'columns' | 'name'>, cell: WriteCell): TableData {
  const columns = columnsOf(view, rows);
  return {
    key: view.name ?? 'id',
    columns: columns.map(({ path, header, kind, optional = false, meaning }) => ({
      path,
      header: nameOfColumn(header ?? path, kind, path),
      ...(kind === undefined ? {} : { kind }),
      optional,
      ...(meaning === undefined ? {} : { meaning: meaning() }),
    })),
    rows: rows.map(
      (row): RowData => ({
        name: nameOf(row, view.name ?? 'id'),
        cells: columns.map((column) => cell(valueAt(row, column.path) ?? inPlaceOfBlank(column, row), column.kind)),
      }),
    ),
  };
}

/** Writes cells of a file: a number may be a phone, and has the digits that it has there. */
const asWritten =
  (cell: WriteCell): WriteCell =>
  (value, kind) =>
    cell(value, typeof value === 'number' ? 'text' : kind);

/** A table with a column for each field of a record within its rows, as the file has them, where there is room for it. */
export function withSpread(table: TableData, rows: readonly unknown[], path: string, cell: WriteCell): TableData {
  const records = rows.map((row) => fieldsIn(valueAt(row, path)));
  const names = [...new Set(records.flatMap(Object.keys))];
  const cellsOf = (record: Fields = {}) =>
    names.map((name) => asWritten(cell)(Object.hasOwn(record, name) ? record[name] : undefined));
  return {
    ...table,
    columns: [...table.columns, ...names.map((name) => ({ path: `${path}.${name}`, header: name, optional: true }))],
    rows: table.rows.map((row, at) => ({ ...row, cells: [...row.cells, ...cellsOf(records[at])] })),
  };
}

/** Whether there is nothing to show; an unset id is 0 (decisions, section 2). */
function isEmpty(path: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.every((item) => item === undefined || item === null || item === '');
  return value === '0' && /(?:^|[._])id$/.test(path);
}

/** Whether a record has lists of records, at any depth. */
const hasLists = (value: Fields): boolean =>
  Object.values(value).some((part) => (Array.isArray(part) ? part.some(isRecord) : isRecord(part) && hasLists(part)));

/** A record within a record: its values, one on a line with what it stands in, or its JSON if it has lists of records. */
function partsOf(value: Fields, cell: WriteCell): Cell {
  const linesOf = (within: Fields, names: readonly string[]): readonly string[] =>
    Object.entries(within).flatMap(([name, part]) => {
      const path = [...names, labels().heading(name)];
      if (isRecord(part)) return linesOf(part, path);
      return `${path.join(' · ')}: ${cell(part, typeof part === 'number' ? 'number' : undefined).text}`;
    });
  if (hasLists(value)) return { text: jsonSafe(writeJson(value, 2)) };
  return {
    text: linesOf(value, [])
      .map((line) => cell(line).text)
      .join('\n'),
  };
}

/** A record by the layout of its kind, and the columns that this leaves out. */
export function laidOut(
  record: unknown,
  { columns, layout }: Pick<View, 'columns' | 'layout'>,
  cell: WriteCell,
): { readonly layout?: LayoutData; readonly left: readonly Column[] } {
  if (layout === undefined) return { left: columns };
  const shown = new Set<string>();
  const placed = (all: readonly Placed[]) => {
    const named = all.flatMap((one): readonly Column[] => {
      const { path, label } = typeof one === 'string' ? { path: one, label: undefined } : one;
      shown.add(path);
      const column = columns.find((each) => each.path === path);
      return column === undefined ? [] : [{ ...column, ...(label === undefined ? {} : { header: label }) }];
    });
    return named.length === 0 ? [] : fieldsOf(record, { columns: named }, cell);
  };
  const [title = ''] = layout.title.map((path) => nameOf(record, path)).filter((text) => text !== '');
  const data: LayoutData = {
    title,
    states: placed(layout.states),
    first: placed(layout.first),
    parts: layout.parts
      .map(({ title, shows, isAddress = false }) => ({
        title: labels().heading(title),
        fields: placed(shows),
        isAddress,
      }))
      .filter(({ fields }) => fields.length > 0),
  };
  return { layout: data, left: columns.filter(({ path }) => !shown.has(path)) };
}

/** The page of the one record that a column names. */
function linkOf({ path, of }: Column, record: unknown): Pick<FieldData, 'link'> {
  const [named, another] = [valueAt(record, of?.id ?? path)].flat();
  const isOne = typeof named === 'string' && named !== '' && another === undefined;
  return of === undefined || !isOne ? {} : { link: { group: of.group, record: named } };
}

/** The fields of rows in which any has a value that is no record. */
const filledColumns = (rows: readonly unknown[]): readonly Column[] =>
  columnsOf({ columns: [] }, rows).filter(({ path }) =>
    rows.some((row) => {
      const value = valueAt(row, path);
      return !isRecord(value) && !isEmpty(path, value);
    }),
  );

/** A record as its fields, those without a value left out; a list of records is a table. */
export function fieldsOf(
  record: unknown,
  view: Pick<View, 'columns' | 'spread'>,
  cell: WriteCell,
): readonly FieldData[] {
  if (!isRecord(record)) return [{ name: nameOfColumn('value'), cell: cell(record) }];
  return columnsOf(view, [record]).flatMap((column): readonly FieldData[] => {
    const { path, header, kind, each } = column;
    const found = valueAt(record, path);
    const value = each === undefined ? found : (entriesOf(found) ?? found);
    const name = nameOfColumn(header ?? path, kind, path);
    if (isEmpty(path, value)) return [];
    const ofParts = path === view.spread ? asWritten(cell) : cell;
    if (isRecord(value) && kind === undefined) return [{ name, cell: partsOf(value, ofParts) }];
    const isTable = Array.isArray(value) && value.some(isRecord);
    return isTable
      ? [
          {
            name,
            table: {
              ...tableOf(value.slice(0, MOST), { columns: each ?? filledColumns(value) }, cell),
              of: value.length,
            },
          },
        ]
      : [{ name, cell: cell(value, kind), ...linkOf(column, record) }];
  });
}

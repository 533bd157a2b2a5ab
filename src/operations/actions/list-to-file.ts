import type { Rows } from '../../action/action.ts';
import { Refusal } from '../../client/refusal.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { BYTE_ORDER_MARK, type CsvStyle } from '../../domain/csv-guard.ts';
import { valueAt, writeJson } from '../../domain/json/values.ts';
import { writeParts } from '../../platform/files/file-parts.ts';
import { escapeHidden, jsonSafe } from '../../platform/terminal/text-safety.ts';
import {
  delimitedLine,
  type RecordColumn,
  recordCells,
  recordColumns,
  textWriter,
} from '../../sheets/formats/records-as-lines.ts';
import type { Cell } from '../../sheets/formats/sheet.ts';
import type { Tab } from '../../sheets/xlsx/write-xlsx.ts';
import { say } from './texts.ts';

/** The formats for writing a list, by the file's extension. */
export const listFileFormats = ['csv', 'xlsx', 'jsonl'] as const;

/** The format of an output file. Throws a Refusal for an unknown extension. */
export function listFileFormat(path: string): (typeof listFileFormats)[number] {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  const format = listFileFormats.find((one) => one === ending);
  if (format !== undefined) return format;
  throw new Refusal('format_unknown', say().list.format({ path }));
}

const textOf = (cell: Cell) => (cell === null ? '' : String(cell));

async function* csvParts(
  rows: Rows<unknown>,
  columns: readonly RecordColumn[],
  style: CsvStyle,
): AsyncGenerator<string, void, undefined> {
  const written = textWriter(style);
  if (style.forExcel === true) yield BYTE_ORDER_MARK;
  yield delimitedLine(columns.map(({ name }) => name));
  for await (const row of rows) yield delimitedLine(recordCells(row, columns).map((cell) => written(textOf(cell))));
}

async function* jsonParts(rows: Rows<unknown>): AsyncGenerator<string, void, undefined> {
  for await (const row of rows) yield `${jsonSafe(writeJson(row))}\n`;
}

/** Builds a workbook of one sheet. Throws a Refusal if it exceeds the limits of a sheet or a cell. */
export async function workbook(tab: Omit<Tab, 'name'> & Partial<Tab>, ...more: readonly Tab[]): Promise<Uint8Array> {
  const { workbookOf } = await import('../../sheets/xlsx/write-xlsx.ts');
  try {
    return workbookOf([{ name: 'Sheet1', ...tab }, ...more]);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('sheet_full', error.message);
    throw error;
  }
}

async function* xlsxParts(
  rows: Rows<unknown>,
  columns: readonly RecordColumn[],
  timeZone: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const lines: Cell[][] = [];
  for await (const row of rows) {
    lines.push(recordCells(row, columns).map((cell) => (typeof cell === 'string' ? escapeHidden(cell) : cell)));
  }
  yield await workbook({
    columns: columns.map(({ name }) => name),
    lines,
    kinds: columns.map(({ isMoment }) => (isMoment === true ? 'moment' : undefined)),
    timeZone,
  });
}

/** How a list is written to a file. */
export interface ListStyle {
  readonly style?: CsvStyle;
  /** The paths of the columns that a person sees in the table: they come first. */
  readonly first?: readonly string[];
  /** The paths that were asked for, in their order; all when absent. */
  readonly only?: readonly string[] | undefined;
  /** The zone of the dates in a workbook; UTC when absent. The other formats keep moments as the service writes them. */
  readonly timeZone?: string;
}

function columnsOf(schema: JsonSchema, first: readonly string[], only: readonly string[] | undefined): RecordColumn[] {
  const own = recordColumns(schema);
  const known = new Map(own.map((column) => [column.name, column]));
  const inRow = (name: string) => known.has(name.split('.')[0] ?? '');
  const column = (name: string): RecordColumn => known.get(name) ?? { name, path: name.split('.') };
  if (only !== undefined) return only.map(column);
  // What lies in a list of the record is in the cell of that list already.
  const ahead = first.filter((name) => known.has(name) || !inRow(name)).map(column);
  const names = new Set(ahead.map(({ name }) => name));
  return [...ahead, ...own.filter(({ name }) => !names.has(name))];
}

async function* projected(rows: Rows<unknown>, only: readonly string[]): AsyncGenerator<unknown> {
  for await (const row of rows) yield Object.fromEntries(only.map((path) => [path, valueAt(row, path) ?? null]));
}

/**
 * Writes the records of a list to a file, all or nothing, in a form that a batch can read back; the schema is that of
 * one record. Throws a FileError, a Refusal, and what the rows throw.
 */
export async function writeList(
  path: string,
  rows: Rows<unknown>,
  schema: JsonSchema,
  { style = {}, first = [], only, timeZone = 'UTC' }: ListStyle = {},
): Promise<void> {
  const columns = columnsOf(schema, first, only);
  const format = listFileFormat(path);
  if (format === 'jsonl') await writeParts(path, jsonParts(only === undefined ? rows : projected(rows, only)));
  else await writeParts(path, format === 'csv' ? csvParts(rows, columns, style) : xlsxParts(rows, columns, timeZone));
}

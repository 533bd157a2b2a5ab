import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { type CsvStyle, cellWriter, unguard } from '../../domain/csv-guard.ts';
import { valueAt, writeJson } from '../../domain/json/values.ts';
import { escapeHidden, unescapeHidden } from '../../platform/terminal/text-safety.ts';
import type { Cell } from './sheet.ts';

/**
 * The function that writes the text of a csv cell in this manner, before it is quoted: hidden characters are escaped, and
 * formulas guarded. `textInCell` reads it back.
 */
export function textWriter(style: CsvStyle): (text: string) => string {
  const written = cellWriter(style);
  return (text) => written(escapeHidden(text));
}

/** The text that was passed to `textWriter`; a cell of another program is returned as it is, but for an escape of ours. */
export function textInCell(cell: string): string {
  return unescapeHidden(unguard(cell));
}

/** A column for writing records: the path of its field, whose dotted name is the header. */
export interface RecordColumn {
  readonly name: string;
  readonly path: readonly string[];
  /** Whether it is a moment by its declaration. */
  readonly isMoment?: boolean;
}

/** The columns of records by their declaration: one per field, with nested objects dotted; a list is one cell. */
export function recordColumns(schema: JsonSchema, path: readonly string[] = []): RecordColumn[] {
  const { properties, format } = schema;
  if (properties === undefined)
    return path.length === 0 ? [] : [{ name: path.join('.'), path, isMoment: format === 'date-time' }];
  return Object.entries(properties).flatMap(([name, inner]) => recordColumns(inner, [...path, name]));
}

/** Texts that can be joined by `|` in one cell and read back unchanged. */
function areDivisible(items: readonly unknown[]): items is readonly string[] {
  const isPlain = (item: unknown) =>
    typeof item === 'string' && item !== '' && item === item.trim() && !/[|\r\n]|^\[/.test(item);
  return items.every(isPlain);
}

/** A value as one cell: blank if there is none, texts joined by `|` where they can be told apart, else JSON. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    if (value.length === 0) return '';
    return areDivisible(value) ? value.join(' | ') : writeJson(value);
  }
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : writeJson(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

/** A record as one line of these columns, as a batch reads it: a missing value is blank, lists of records are JSON. */
export function recordCells(record: unknown, columns: readonly RecordColumn[]): Cell[] {
  return columns.map(({ name }) => cellOf(valueAt(record, name)));
}

/** Cells as one line of csv (RFC 4180). */
export function delimitedLine(cells: readonly string[], delimiter = ','): string {
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  const needsQuotes = (cell: string) => cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell);
  return `${cells.map((cell) => (needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\r\n`;
}

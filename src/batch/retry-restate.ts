import type { JsonSchema } from '../contract/schema/json-schema.ts';
import { isRecord, readOwn, valueAt } from '../domain/json/values.ts';
import { fieldNamed, spelt } from '../sheets/fields.ts';
import type { Cell } from '../sheets/formats/sheet.ts';
import { exportOf } from '../sheets/mapping/exports.ts';
import { recognised } from '../sheets/service/service-rows.ts';
import { recordOf } from './result-table.ts';
import type { Match } from './retry-match.ts';
import type { Batch } from './store/batches.ts';
import type { WholeRow } from './store/row.ts';
import { sourceOf } from './stored-source.ts';

/** A batch, the schema of its rows, and how its corrected file was written. */
interface Forms {
  readonly batch: Pick<Batch, 'do' | 'source'>;
  readonly schema: JsonSchema;
  readonly from: Pick<Batch, 'source'>;
}

/**
 * What a column of the batch has of the record: a field as it is; undefined where its cells are converted, or decide how
 * others are read; null where it has nothing of it.
 */
function fieldIn({ batch, schema }: Forms): (column: string) => string | undefined | null {
  const { columns, mapping: own } = sourceOf(batch);
  const mapping = Object.keys(own?.columns ?? {}).length > 0 ? own : exportOf(columns, batch.do)?.mapping;
  const entries = mapping?.columns ?? {};
  const deciding = new Set([
    ...Object.keys(mapping?.leaveOut ?? {}),
    ...(mapping?.statuses?.words ?? []).map(({ column }) => column),
    ...Object.values(entries).flatMap((entry) => Object.keys(entry?.when ?? {})),
  ]);
  const isOfService = mapping === undefined && recognised(columns) !== undefined;
  return (column) => {
    if (isOfService || deciding.has(column)) return undefined;
    const entry = Object.hasOwn(entries, column) ? entries[column] : undefined;
    if (entry === undefined)
      return [column, spelt(column)].find((name) => fieldNamed(schema, name) !== undefined) ?? null;
    if (entry === null) return null;
    const { field, ...conversion } = entry;
    return Object.values(conversion).every((part) => part === undefined) ? field : undefined;
  };
}

/** A value as a cell has it; blank where it is none, or a record. */
function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellOf).join('|');
  return value === null || value === undefined || isRecord(value) ? '' : String(value);
}

/** The cells of a field: one for each entry of the list that it belongs to, or the same one on every line. */
function cellsAt(record: unknown, field: string): Cell | readonly Cell[] {
  const at = field.lastIndexOf('.');
  const holder = at < 0 ? record : valueAt(record, field.slice(0, at));
  const name = field.slice(at + 1);
  return Array.isArray(holder) ? holder.map((entry) => cellOf(valueAt(entry, name))) : cellOf(valueAt(holder, name));
}

/** The cells of a corrected row in one column of its batch, if its file says them. */
function cellsSaid({ cells }: WholeRow, forms: Forms): (column: string) => Cell | readonly Cell[] | undefined {
  const { columns } = sourceOf(forms.from);
  if (columns.length > 0) {
    const lines = readOwn<Cell[][]>(cells);
    const said = (column: string) => lines.map((line) => line[columns.indexOf(column)] ?? '');
    return (column) => (columns.includes(column) ? said(column) : undefined);
  }
  const record = recordOf({ cells }, columns);
  const fieldOf = fieldIn(forms);
  return (column) => {
    const field = fieldOf(column);
    return typeof field === 'string' ? cellsAt(record, field) : undefined;
  };
}

/** The corrected lines in the columns of the batch; blank where the corrected file says nothing of a field. */
function linesOf({ corrected, row }: Match, forms: Forms): Cell[][] {
  const fieldOf = fieldIn(forms);
  const said = cellsSaid(corrected, forms);
  const before = readOwn<Cell[][]>(row.cells);
  const own = (index: number) => before.map((line) => line[index] ?? '');
  const { columns } = sourceOf(forms.batch);
  const found = columns.map((column) => said(column));
  const count = Math.max(1, ...found.map((cells) => (Array.isArray(cells) ? cells.length : 1)));
  const whole = found.map((cells, index) => cells ?? (fieldOf(columns[index] ?? '') === null ? own(index) : ''));
  return Array.from({ length: count }, (_, line) =>
    whole.map((cells) => (Array.isArray(cells) ? (cells[line] ?? '') : cells)),
  );
}

/**
 * How a corrected row is shown in a batch whose other rows stay as they are: in the batch's columns, by their names, or
 * by the fields that they are. What is no field of the record stays as it was.
 */
export function shownAs(match: Match, forms: Forms): Pick<WholeRow, 'cell' | 'cells'> {
  const { corrected, row } = match;
  const [from, to] = [sourceOf(forms.from).columns, sourceOf(forms.batch).columns];
  if (from.join('\0') === to.join('\0')) return corrected;
  if (corrected.content === row.content) return row;
  const lines = to.length === 0 ? [[JSON.stringify(recordOf(corrected, from))]] : linesOf(match, forms);
  return { cell: corrected.cell, cells: JSON.stringify(lines) };
}

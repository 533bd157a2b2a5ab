import { labels } from '../contract/labels.ts';
import { type Fields, readFields, readOwn } from '../domain/json/values.ts';
import { isVietnamese } from '../domain/language.ts';
import { isOfResult, RESULT_PREFIX, VIETNAMESE_RESULT_PREFIX } from '../sheets/fields.ts';
import type { Cell } from '../sheets/formats/sheet.ts';
import type { Batch } from './store/batches.ts';
import { faultInWords, fieldErrorsOf, type WholeRow } from './store/row.ts';
import type { Rows } from './store/rows.ts';
import { sourceOf } from './stored-source.ts';

/** The columns that a result adds to each row. */
export const resultNames = ['state', 'id', 'code', 'shipping_code', 'carrier', 'fee', 'external_id', 'error'] as const;

type ResultName = (typeof resultNames)[number];

/** What the columns are called in a workbook of people who read Vietnamese; an earlier result is known by them. */
const inVietnamese: Readonly<Record<ResultName, string>> = {
  state: 'trạng thái',
  id: 'id',
  code: 'mã đơn hàng',
  shipping_code: 'mã vận đơn',
  carrier: 'ĐVVC',
  fee: 'phí giao hàng',
  external_id: 'mã đơn của shop',
  error: 'lỗi',
};

/** The titles that a column of results may have, the one of this run first. */
export function titlesOf(name: ResultName): readonly [string, string] {
  const [english, vietnamese] = [RESULT_PREFIX + name, VIETNAMESE_RESULT_PREFIX + inVietnamese[name]];
  return isVietnamese() ? [vietnamese, english] : [english, vietnamese];
}

/** Who reads a result: a program, or people, who read it in their language. */
export type ResultReader = 'program' | 'person';

/** One line of a result: the original cells followed by the outcome of its record; its fee on the first line only. */
export interface ResultLine {
  readonly cells: readonly Cell[];
  readonly results: readonly (string | number | null)[];
}

/** A record of a result: the original with its outcome. */
export interface ResultRecord {
  readonly record: Fields;
  readonly result: Fields;
}

function resultsOf(row: WholeRow, reader: ResultReader): (string | number | null)[] {
  const isPerson = reader === 'person' && isVietnamese();
  const message = row.error_message ?? '';
  const error =
    row.error_code === null ? null : `${row.error_code}: ${isPerson ? faultInWords(row.error_code, message) : message}`;
  return [
    isPerson ? labels().state(row.state) : row.state,
    row.id,
    row.code,
    row.shipping_code,
    row.carrier,
    row.fee,
    row.name,
    error,
  ];
}

/** The header of a result; columns of an earlier result are replaced by the new ones. */
export function resultHeader(batch: Batch, reader: ResultReader): string[] {
  const { columns } = sourceOf(batch);
  return [
    ...storedColumns(columns).map((index) => columns[index] ?? ''),
    ...resultNames.map((name) => (reader === 'person' ? titlesOf(name)[0] : RESULT_PREFIX + name)),
  ];
}

/** The columns of a file itself, by index, without those of an earlier result. */
export function storedColumns(columns: readonly string[]): number[] {
  return columns.flatMap((name, index) => (isOfResult(name) ? [] : [index]));
}

/** The original lines of a table, in order, each with its outcome. */
export async function* resultLines(
  rows: Rows,
  batch: Batch,
  reader: ResultReader,
): AsyncGenerator<ResultLine, void, undefined> {
  const kept = storedColumns(sourceOf(batch).columns);
  for await (const row of rows.each({ batch: batch.number })) {
    const lines = readOwn<Cell[][]>(row.cells);
    for (const [index, cells] of lines.entries()) {
      // A fee on every line of an order would be counted more than once in a sum.
      const results = resultsOf(index === 0 ? row : { ...row, fee: null }, reader);
      yield { cells: kept.map((column) => cells[column] ?? ''), results };
    }
  }
}

/** A row as it stands in its file, without an earlier result; of several lines the first. */
export function recordOf({ cells }: Pick<WholeRow, 'cells'>, columns: readonly string[]): ResultRecord['record'] {
  const [first = []]: readonly Cell[][] = JSON.parse(cells);
  if (columns.length > 0) {
    return Object.fromEntries(storedColumns(columns).map((index) => [columns[index] ?? '', first[index] ?? '']));
  }
  const { result: _, ...record } = readFields(String(first[0] ?? '{}'));
  return record;
}

/** The records of a file without columns, or the rows of a table as records, each with its outcome. */
export async function* resultRecords(rows: Rows, batch: Batch): AsyncGenerator<ResultRecord, void, undefined> {
  const { columns } = sourceOf(batch);
  for await (const row of rows.each({ batch: batch.number })) {
    const values = resultsOf(row, 'program');
    const result = Object.fromEntries(resultNames.map((name, index) => [name, values[index] ?? null]));
    yield { record: recordOf(row, columns), result: { ...result, field_errors: fieldErrorsOf(row) } };
  }
}

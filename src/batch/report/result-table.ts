import { readFields, readOwn } from '../../domain/json/json-extent.ts';
import type { Answers } from '../../sheets/account/questions.ts';
import { RESULT_PREFIX } from '../../sheets/fields.ts';
import type { Cell, TableManner } from '../../sheets/formats/sheet.ts';
import type { Mapping } from '../../sheets/mapping/mapping.ts';
import type { BatchState } from '../../store/tables.ts';
import type { BatchContext } from '../batch-context.ts';
import type { Batch } from '../store/batches.ts';
import type { WholeRow } from '../store/claims.ts';
import type { Rows } from '../store/read-rows.ts';

/** How a file was written, as stored with its batch. */
export interface StoredSource {
  readonly name: string;
  /** Its absolute path; not of stdin, nor of a batch of an older version. */
  readonly path?: string | undefined;
  /** The sheet that was asked for. */
  readonly sheet?: string | undefined;
  /** Whether several sheets were read together. */
  readonly isOfSheets?: true;
  /** The row of the header, where it is not the first one. */
  readonly headerRow?: number | undefined;
  readonly format: string;
  /** The header; empty for records without one. */
  readonly columns: readonly string[];
  readonly manner: TableManner;
  /** How its columns were read, for a corrected file; a mapping of constants alone is added to what the columns are. */
  readonly mapping?: Mapping | undefined;
  /** What was answered about it, for a corrected file. */
  readonly answers?: Answers | undefined;
  /** For an undo: the number of the batch that it undoes. */
  readonly undoes?: number;
  /** Whether rows that equal earlier ones are new ones, or those of an earlier batch, if the user said so. */
  readonly equals?: 'again' | 'continue';
  /** Whether somebody waits for its summary, and nobody was told of it yet. */
  readonly isUntold?: boolean;
}

/** How the source of a batch was written. */
export function sourceOf(batch: Pick<Batch, 'source'>): StoredSource {
  return { name: '', format: 'csv', columns: [], manner: {}, ...readOwn<Partial<StoredSource>>(batch.source) };
}

/** How a corrected file of a batch is read: by the mapping of the first one, if its columns are the same. */
export function mappingsOf(batch: Pick<Batch, 'source' | 'do'>): {
  readonly mapping?: Mapping;
  readonly saved: readonly (readonly [string, Mapping])[];
} {
  const { mapping } = sourceOf(batch);
  if (mapping === undefined) return { saved: [] };
  if (Object.keys(mapping.columns).length === 0) return { mapping, saved: [] };
  return { saved: [['of the batch', { ...mapping, command: batch.do }]] };
}

/** The undo of a batch, if it is in one of these states. */
export async function undoOf(
  { batches }: Pick<BatchContext, 'batches'>,
  { account, number }: Batch,
  states: readonly BatchState[],
): Promise<Batch | undefined> {
  const undos = await batches.list({ account, states });
  return undos.find((batch) => sourceOf(batch).undoes === number);
}

/** The columns that a result adds to each row. */
export const resultNames = ['state', 'id', 'code', 'shipping_code', 'carrier', 'fee', 'external_id', 'error'] as const;

/** One line of a result: the original cells followed by the outcome of its record; its fee on the first line only. */
export interface ResultLine {
  readonly cells: readonly Cell[];
  readonly results: readonly (string | number | null)[];
}

/** A record of a result: the original with its outcome. */
export interface ResultRecord {
  readonly record: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
}

function resultsOf(row: WholeRow): (string | number | null)[] {
  const error = row.error_code === null ? null : `${row.error_code}: ${row.error_message ?? ''}`;
  return [row.state, row.id, row.code, row.shipping_code, row.carrier, row.fee, row.name, error];
}

/** The header of a result; columns of an earlier result are replaced by the new ones. */
export function resultHeader(batch: Batch): string[] {
  const { columns } = sourceOf(batch);
  return [
    ...storedColumns(columns).map((index) => columns[index] ?? ''),
    ...resultNames.map((name) => RESULT_PREFIX + name),
  ];
}

/** The columns of a file itself, by index, without those of an earlier result. */
export function storedColumns(columns: readonly string[]): number[] {
  return columns.flatMap((name, index) => (name.toLowerCase().startsWith(RESULT_PREFIX) ? [] : [index]));
}

/** The original lines of a table, in order, each with its outcome. */
export async function* resultLines(rows: Rows, batch: Batch): AsyncGenerator<ResultLine, void, undefined> {
  const kept = storedColumns(sourceOf(batch).columns);
  for await (const row of rows.each({ batch: batch.number })) {
    const lines = readOwn<Cell[][]>(row.cells);
    for (const [index, cells] of lines.entries()) {
      // A fee on every line of an order would be counted more than once in a sum.
      const results = index === 0 ? resultsOf(row) : resultsOf({ ...row, fee: null });
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
    const values = resultsOf(row);
    const result = Object.fromEntries(resultNames.map((name, index) => [name, values[index] ?? null]));
    yield { record: recordOf(row, columns), result };
  }
}

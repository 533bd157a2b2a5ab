import type { Rows } from '../../action/action.ts';
import type { CsvStyle } from '../../domain/csv-guard.ts';
import { isRecord } from '../../domain/json/values.ts';
import type { Sink } from '../../platform/terminal/streams.ts';
import type { ListDocument, RecordDocument } from './document.ts';

/**
 * Splits rows into arrays: the first has up to `first` rows, later ones up to `later`. If reading fails, the rows read
 * so far are yielded first, then the error is thrown.
 */
export async function* inChunks(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  first: number,
  later: number,
): AsyncGenerator<unknown[], void> {
  let chunk: unknown[] = [];
  let size = first;
  try {
    for await (const row of rows) {
      chunk.push(row);
      if (chunk.length < size) continue;
      yield chunk;
      chunk = [];
      size = later;
    }
  } catch (error) {
    if (chunk.length > 0) yield chunk;
    throw error;
  }
  if (chunk.length > 0) yield chunk;
}

/** Reads all rows, for consumers that need the whole result. */
export async function collect(rows: AsyncIterable<unknown> | Iterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** Everything that affects how a result is printed. */
export interface PrintSettings extends CsvStyle {
  /** The name of the format. */
  readonly format: string;
  /** `--fields a,b.c`: only these paths, in this order. */
  readonly fields?: readonly string[];
  /** `--query`: a JMESPath expression over the whole result. */
  readonly query?: string;
  readonly colour: boolean;
  /** Width of the terminal; absent without one, where a table is never truncated. */
  readonly columns?: number;
  /** Whether stdout is a terminal. */
  readonly terminal: boolean;
  readonly quiet: boolean;
  /** IANA name of the zone of times; the machine's own when absent. Times in UTC are marked with a Z. */
  readonly timeZone?: string | undefined;
  /** Stops the printing of a list between two rows. */
  readonly signal?: AbortSignal;
  /** Called with the paths of the columns that a table shows, and of those for which a terminal is too narrow. */
  readonly onColumns?: (paths: readonly string[], leftOut: readonly string[]) => void;
  /** Called when a query found nothing because it asks a list for a field. */
  readonly onFieldOfList?: (field: string) => void;
}

/** What was printed. `closed` means that the reader disconnected (`| head`), which is success. */
export interface Printed {
  /** Number of records that stdout accepted; 1 for a record, 0 for text. */
  readonly rows: number;
  readonly closed: boolean;
}

/** Writes documents in one format; both methods return how many records stdout accepted. */
export interface Writer {
  list(document: ListDocument, settings: PrintSettings, stdout: Sink): Promise<number>;
  record(document: RecordDocument, settings: PrintSettings, stdout: Sink): Promise<number>;
}

/** The requested fields as a tree; `true` takes the whole value. */
type FieldTree = Map<string, FieldTree | true>;

/**
 * A function that keeps only the requested paths of a record, nested as before, in the requested order. Lists on the
 * way keep their length (`lines.quantity` returns objects with a quantity each). Missing values become null, so that
 * every record has the same shape.
 */
function projectTo(fields: readonly string[]): (record: unknown) => unknown {
  const tree: FieldTree = new Map();
  for (const path of fields) plant(tree, path.split('.'));
  return (record) => project(record, tree);
}

function plant(tree: FieldTree, path: readonly string[]): void {
  const [key = '', ...rest] = path;
  const branch = tree.get(key);
  if (rest.length === 0 || branch === true) {
    tree.set(key, true);
    return;
  }
  const next: FieldTree = branch ?? new Map();
  tree.set(key, next);
  plant(next, rest);
}

function project(value: unknown, tree: FieldTree | true): unknown {
  if (value === undefined) return null;
  if (tree === true) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, tree));
  if (!isRecord(value)) return value === null ? null : undefined;
  return Object.fromEntries(
    [...tree].map(([key, branch]) => [key, project(Object.hasOwn(value, key) ? value[key] : undefined, branch)]),
  );
}

/** What is printed of a record: all of it, or the requested fields. */
export function projectionOf({ fields }: Pick<PrintSettings, 'fields'>): (record: unknown) => unknown {
  return fields === undefined ? (record) => record : projectTo(fields);
}

/** Writes a text for each row as it arrives; returns how many rows stdout accepted. */
export async function writeEach(rows: Rows<unknown>, textOf: (row: unknown) => string, stdout: Sink): Promise<number> {
  let count = 0;
  for await (const row of rows) {
    await stdout.write(textOf(row));
    if (stdout.closed) return count;
    count += 1;
  }
  return count;
}

/** Writes the text of one record; returns 1 unless stdout did not accept it. */
export async function writeOne(text: string, stdout: Sink): Promise<number> {
  await stdout.write(text);
  return stdout.closed ? 0 : 1;
}

/** Maps each row as it arrives. */
export async function* mapped(rows: Rows<unknown>, change: (row: unknown) => unknown): AsyncGenerator<unknown, void> {
  for await (const row of rows) yield change(row);
}

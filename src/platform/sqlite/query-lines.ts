import { openReadOnly } from './sqlite-read-only.ts';

/** One line about a query: its columns, then its rows, then that there are no more; or why there are none. */
export type QueryLine =
  | { readonly columns: readonly string[] }
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly done: true }
  | { readonly error: 'writes' | 'database'; readonly message: string };

const ROWS_AT_ONCE = 200;

/** A value as JSON carries it: no digit is lost, and bytes are written in hex. */
function told(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** Runs a query in this thread, which it blocks; a failure is a line too. */
export async function* queryLines(path: string, sql: string): AsyncGenerator<QueryLine, void, undefined> {
  try {
    const query = (await openReadOnly(path)).prepare(sql);
    if (!query.onlyReads) {
      yield { error: 'writes', message: 'the statement writes' };
      return;
    }
    yield { columns: query.columns };
    let rows: unknown[][] = [];
    for (const row of query.rows()) {
      rows.push(row.map(told));
      if (rows.length < ROWS_AT_ONCE) continue;
      yield { rows };
      rows = [];
    }
    yield { rows };
    yield { done: true };
  } catch (error) {
    yield { error: 'database', message: error instanceof Error ? error.message : String(error) };
  }
}

import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { hearThreads } from '../process/node-warnings.ts';
import { openSqliteHere, type SqliteCall, type SqliteConnection, type SqliteResult } from './sqlite-connection.ts';

/** Statements for the thread, or its beginning or end. */
export type ToThread =
  | ({ readonly number: number } & SqliteCall)
  | { readonly number: number; readonly calls: readonly SqliteCall[] }
  | { readonly number: number; readonly does: 'open' | 'close' };

/** What the driver threw, with its own fields. */
export interface ThreadError {
  readonly name: string;
  readonly message: string;
  readonly [field: string]: string | number;
}

/** The answer to a statement; rows without their names, which are told once. */
export interface FromThread {
  readonly number: number;
  readonly columns: readonly string[];
  /** The values of all rows, one row after another. */
  readonly values: readonly unknown[];
  /** How many rows were changed; 1 for statements that ran together, 0 if they did not. */
  readonly changes?: number | bigint | undefined;
  readonly error?: ThreadError | undefined;
}

/** The thread only passes values on: more room for new ones would be filled, and free nobody of work. */
const YOUNG_MB = 24;

interface Waiting {
  readonly resolve: (result: SqliteResult) => void;
  readonly reject: (error: Error) => void;
}

/** The thread's program, which the build puts beside this one. */
const built = new URL('./sqlite-thread.cjs', import.meta.url);

function rowsOf({ columns, values }: FromThread): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = [];
  for (let at = 0; at < values.length; at += columns.length) {
    const row: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) row[column] = values[at + index];
    rows.push(row);
  }
  return rows;
}

/**
 * Opens a database file in a thread of its own, so that this one goes on while the disk is waited for. Where the thread's
 * program is not built, as beside the sources, the statements run in this thread. Throws as `openSqlite` does.
 */
export async function openSqliteInThread(path: string, program: URL = built): Promise<SqliteConnection> {
  if (!existsSync(program)) return openSqliteHere(path);
  hearThreads();
  const worker = new Worker(program, {
    workerData: path,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let ended: Error | undefined;
  /** Like a disk that fails: what was asked last may have happened or not. */
  const end = (cause?: Error) => {
    const message = 'the thread of the database has ended';
    ended ??= Object.assign(new Error(message, { cause }), { code: 'EIO' });
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('message', (answer: FromThread) => {
    const { number, error, changes } = answer;
    const asked = waiting.get(number);
    waiting.delete(number);
    if (waiting.size === 0) worker.unref();
    if (error !== undefined) asked?.reject(Object.assign(new Error(error.message), error));
    else asked?.resolve({ rows: rowsOf(answer), ...(changes === undefined ? {} : { changes }) });
  });
  worker.on('error', end);
  worker.on('exit', () => end());
  const ask = (message: object) =>
    new Promise<SqliteResult>((resolve, reject) => {
      if (ended !== undefined) {
        reject(ended);
        return;
      }
      last += 1;
      waiting.set(last, { resolve, reject });
      worker.ref();
      worker.postMessage({ ...message, number: last });
    });
  try {
    await ask({ does: 'open' });
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return {
    run: (sql, parameters = []) => ask({ sql, parameters }),
    runAll: async (calls) => (await ask({ calls })).changes === 1,
    async close() {
      if (ended === undefined) await ask({ does: 'close' });
      await worker.terminate();
    },
  };
}

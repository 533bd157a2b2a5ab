import { isRecord } from '../../../domain/json/values.ts';
import { errorCode, sqliteProblem } from '../../../platform/process/error-code.ts';
import { rowsOf, type SqliteDatabase, type SqliteDriver } from '../../../platform/sqlite/sqlite.ts';
import { createGroupCommit, inTransaction } from './group-commit.ts';
import { type Migration, tables } from './schema-steps.ts';
import type { Database, Statement } from './statement.ts';

/** The column `name` of rows as SQLite returns them. */
export function namesIn(rows: readonly unknown[]): string[] {
  return rows.flatMap((row) => (isRecord(row) && typeof row.name === 'string' ? [row.name] : []));
}

/** All steps, in the order in which they run. Add new ones at the end, each in a file of its own. */
export const migrations: readonly Migration[] = [tables];

/** Thrown if the data was written by another shopctl, whose data this one does not know. */
export class OtherSchemaError extends Error {
  readonly kind = 'configuration';
  readonly hint = 'keep it with that version, and use other data with this one: --data DIR, --name NAME, --ephemeral';

  constructor(done: readonly string[], unknown: readonly string[]) {
    const who = done.includes(tables.name)
      ? `a newer version of shopctl (it knows ${unknown.join(', ')})`
      : 'a shopctl from before the first release';
    super(`the data was written by ${who}; nothing was changed`);
    this.name = 'OtherSchemaError';
  }
}

/** Migrates a database to the newest schema, each step in its own transaction. Throws OtherSchemaError. */
export function migrate(database: SqliteDatabase, steps: readonly Migration[] = migrations): void {
  const done = stepsDone(database);
  const known = new Set(steps.map(({ name }) => name));
  const unknown = done.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new OtherSchemaError(done, unknown);
  const finished = new Set(done);
  for (const step of steps) if (!finished.has(step.name)) take(database, step);
}

function stepsDone(database: SqliteDatabase): string[] {
  const [table] = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'schema_steps'").all([]);
  if (table === undefined) return [];
  return namesIn(database.prepare('SELECT name FROM schema_steps').all([]));
}

/** Applies a step in a transaction. */
function take(database: SqliteDatabase, { name, sql }: Migration): void {
  inTransaction(database, () => {
    database.exec('CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
    database.exec(sql);
    database.prepare('INSERT INTO schema_steps (name) VALUES (?)').run([name]);
  });
}

/**
 * Runs statements on a connection, whose driver caches prepared statements; calls `onWrite` with each table before it
 * is written, or with `any` if the table is unknown.
 */
export function createDatabase(sqlite: SqliteDatabase, onWrite: (table: string) => void = () => {}): Database {
  const prepared = <Given extends object, Row>(statement: Statement<Given, Row>, given: Given) => {
    const compiled = statement.compiled(given);
    if (compiled.writes !== undefined) onWrite(compiled.writes);
    return { run: sqlite.prepare(compiled.sql), values: compiled.bind(given) };
  };
  const all = <Given extends object, Row>(statement: Statement<Given, Row>, given: Given): Row[] => {
    const { run, values } = prepared(statement, given);
    return rowsOf<Row>(run, values);
  };
  return {
    all,
    first: (statement, given) => all(statement, given)[0],
    run(statement, given) {
      const { run, values } = prepared(statement, given);
      return Number(run.run(values).changes);
    },
  };
}

/**
 * The tables, behind one connection. All work on it is synchronous: a piece of work finishes before the next one
 * starts.
 */
export interface Store {
  readonly driver: SqliteDriver;
  /** Incremented before a key or a link may change: until then, a cached account of a key is still valid. */
  keyChanges(): number;
  /** Reads; several queries see the same state. */
  read<Result>(work: (database: Database) => Result): Result;
  /**
   * Writes: all of it is on disk when this resolves, or none of it when it rejects. Concurrent writes share a commit.
   */
  write<Result>(work: (database: Database) => Result): Promise<Result>;
  /** Works on the connection itself, between transactions. */
  exclusively<Result>(work: (sqlite: SqliteDatabase, database: Database) => Result): Result;
  /** Closes the database, after all queued writes. */
  close(): Promise<void>;
}

/** Thrown if another sandbox has the data open. */
export class StoreInUseError extends Error {
  constructor(path: string, options: ErrorOptions) {
    super(`another sandbox has this data open: ${path}`, options);
    this.name = 'StoreInUseError';
  }
}

/** What helps where the data are as they were. */
const cures: Readonly<Record<string, string>> = {
  unwritable: 'make its directory writable',
  full: 'free some space',
  io: 'see whether its disk is failing, or the limit of file sizes (ulimit -f) too low',
};

/** Thrown if the data cannot be used: damaged, or impossible to open or write. Nothing was changed. */
export class StoreUnusableError extends Error {
  readonly kind = 'configuration';
  readonly code: 'data_damaged' | 'data_full' | 'data_io' | 'data_unusable';
  readonly hint: string;

  constructor(path: string, cause: Error) {
    const problem = sqliteProblem(cause);
    const what = problem === 'damaged' ? 'are damaged' : 'cannot be opened';
    super(`the data of the sandbox ${what}: ${path} (${cause.message})`, { cause });
    this.name = 'StoreUnusableError';
    const first = cures[problem ?? 'damaged'] ?? 'move the directory away to start over';
    this.hint = `${first}, or use other data: --data DIR, --name NAME, --ephemeral`;
    this.code = problem === 'damaged' || problem === 'full' || problem === 'io' ? `data_${problem}` : 'data_unusable';
  }
}

/** Translates errors of the data into a StoreUnusableError; other errors are returned unchanged. */
export function asStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || 'kind' in error) return error;
  const isOfTheSystem = /^E[A-Z]+$/.test(errorCode(error) ?? '');
  return isOfTheSystem || sqliteProblem(error) !== undefined ? new StoreUnusableError(path, error) : error;
}

/** How long SQLite waits for a lock, once the database is ours: only a copy tool could hold one. */
const BUSY_TIMEOUT_MS = 5000;

/** The size of SQLite's page cache: enough for the indices that every order is written to, and for frequent reads. */
const CACHE_KIBIBYTES = 32 * 1024;

/** Pages between checkpoints of the write-ahead log, 32 MiB; pages that are written often are copied back only once. */
const PAGES_OF_THE_LOG = 4096;

/**
 * Opens the store in a file (or in `:memory:`) and migrates its schema. Throws StoreInUseError if another process has
 * it open, OtherSchemaError if another version wrote it.
 */
export function openStore(sqlite: SqliteDatabase, path: string): Store {
  try {
    prepareConnection(sqlite, path);
    migrate(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  let [writes, keyChanges, begun] = [0, 0, 0];
  const database = createDatabase(sqlite, (table) => {
    writes += 1;
    if (table === 'api_keys' || table === 'links' || table === 'any') keyChanges += 1;
  });
  const alone = allowOne();
  const groups = createGroupCommit(sqlite, alone, { written: () => writes, begun: () => begun });
  return {
    driver: sqlite.driver,
    keyChanges: () => keyChanges,
    read(work) {
      begun += 1;
      return alone(() => work(database));
    },
    write(work) {
      begun += 1;
      return groups.write(() => work(database));
    },
    exclusively(work) {
      // Work on the connection itself may affect any table.
      keyChanges += 1;
      return alone(() => work(sqlite, database));
    },
    close: async () => {
      groups.flush();
      alone(() => sqlite.close());
    },
  };
}

/**
 * Lets one piece of work run at a time. Since all of them are synchronous, a second one can only be nested in the
 * first, whose transaction it would share; and one that continued asynchronously would write outside of its own.
 */
function allowOne(): <Result>(work: () => Result) => Result {
  let busy = false;
  return (work) => {
    if (busy) throw new TypeError('a unit of work inside another one');
    busy = true;
    try {
      const result = work();
      if (result instanceof Promise) throw new TypeError('a unit of work is synchronous');
      return result;
    } finally {
      busy = false;
    }
  };
}

/**
 * Sets the pragmas that durability and correctness depend on, and reads each back: a driver that silently keeps another
 * value must be detected (better-sqlite3 is built with synchronous=NORMAL for WAL). The exclusive lock is the operating
 * system's, so a killed sandbox leaves none behind.
 */
function prepareConnection(sqlite: SqliteDatabase, path: string): void {
  const inMemory = path === ':memory:';
  try {
    pragma(sqlite, 'busy_timeout', '0', 0);
    // Applies to new data only: an order with its JSON fits into one page, instead of a chain of overflow pages that is
    // read each time.
    sqlite.exec('PRAGMA page_size = 8192');
    // Keeps savepoint journals in memory: in a file they were four fifths of all bytes written for an order.
    pragma(sqlite, 'temp_store', 'MEMORY', 2);
    pragma(sqlite, 'cache_size', String(-CACHE_KIBIBYTES), -CACHE_KIBIBYTES);
    pragma(sqlite, 'locking_mode', 'EXCLUSIVE', 'exclusive');
    pragma(sqlite, 'journal_mode', 'WAL', inMemory ? 'memory' : 'wal');
    sqlite.exec('BEGIN EXCLUSIVE; COMMIT');
  } catch (cause) {
    if (sqliteProblem(cause) === 'busy') throw new StoreInUseError(path, { cause });
    throw cause;
  }
  pragma(sqlite, 'wal_autocheckpoint', String(PAGES_OF_THE_LOG), PAGES_OF_THE_LOG);
  pragma(sqlite, 'synchronous', 'FULL', 2);
  pragma(sqlite, 'foreign_keys', 'ON', 1);
  pragma(sqlite, 'busy_timeout', String(BUSY_TIMEOUT_MS), BUSY_TIMEOUT_MS);
}

function pragma(sqlite: SqliteDatabase, name: string, value: string, expected: string | number): void {
  sqlite.exec(`PRAGMA ${name} = ${value}`);
  const [row] = rowsOf<Record<string, string | number>>(sqlite.prepare(`PRAGMA ${name}`), []);
  const actual = row ? Object.values(row)[0] : undefined;
  if (actual !== expected) throw new Error(`SQLite did not take ${name} = ${value}: it is ${actual}`);
}

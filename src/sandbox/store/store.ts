import { Kysely, SqliteDialect } from 'kysely';
import { openSqlite, type SqliteDatabase, type SqliteDriver } from '../../platform/sqlite.ts';
import { migrate } from './migrations.ts';
import type { Database, Tables } from './tables.ts';
import { createTurns } from './turns.ts';

/** The tables, behind one connection that one piece of work has at a time. */
export interface Store {
  readonly driver: SqliteDriver;
  /** Reads; nobody writes meanwhile, so several queries see one state. Never to be called from inside itself or `write`. */
  read<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /** Writes in one transaction: all of it is on disk when this resolves, or none of it when it rejects. */
  write<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /** Works on the connection itself, between transactions; nobody else reads or writes meanwhile. */
  exclusively<Result>(work: (sqlite: SqliteDatabase, database: Database) => Promise<Result>): Promise<Result>;
  /** Waits for the work under way, then closes the database. */
  close(): Promise<void>;
}

/** Thrown when another sandbox has the data open. */
export class StoreInUseError extends Error {
  constructor(path: string, options: ErrorOptions) {
    super(`another sandbox has this data open: ${path}`, options);
    this.name = 'StoreInUseError';
  }
}

/** How long SQLite waits for a lock, once the database is ours: only a copy tool could hold one. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Opens the store in a file (or in `:memory:`) and brings its schema up to date. Throws StoreInUseError when another
 * process has it, NewerSchemaError when a newer version wrote it.
 */
export async function openStore(path: string, driver?: SqliteDriver): Promise<Store> {
  const sqlite = await openSqlite(path, driver);
  try {
    prepareConnection(sqlite, path);
    migrate(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  // Kysely closes only what it has used; the connection is closed here, once, in any case.
  const dialect = new SqliteDialect({ database: { ...sqlite, close: () => {} } });
  const database: Database = new Kysely<Tables>({ dialect });
  const inTurn = createTurns();
  return {
    driver: sqlite.driver,
    read: (work) => inTurn(() => database.connection().execute(work)),
    write: (work) => inTurn(() => database.transaction().execute(work)),
    exclusively: (work) => inTurn(() => work(sqlite, database)),
    close: () =>
      inTurn(async () => {
        await database.destroy();
        sqlite.close();
      }),
  };
}

/**
 * Sets what durability and correctness rest on, and reads each back: a driver that silently keeps another setting must
 * not go unnoticed (better-sqlite3 is built with synchronous=NORMAL for WAL). The exclusive lock is the operating
 * system's, so that a killed sandbox leaves none behind.
 */
function prepareConnection(sqlite: SqliteDatabase, path: string): void {
  const inMemory = path === ':memory:';
  try {
    pragma(sqlite, 'busy_timeout', '0', 0);
    pragma(sqlite, 'locking_mode', 'EXCLUSIVE', 'exclusive');
    pragma(sqlite, 'journal_mode', 'WAL', inMemory ? 'memory' : 'wal');
    sqlite.exec('BEGIN EXCLUSIVE; COMMIT');
  } catch (cause) {
    if (cause instanceof Error && /locked|busy/i.test(cause.message)) throw new StoreInUseError(path, { cause });
    throw cause;
  }
  pragma(sqlite, 'synchronous', 'FULL', 2);
  pragma(sqlite, 'foreign_keys', 'ON', 1);
  pragma(sqlite, 'busy_timeout', String(BUSY_TIMEOUT_MS), BUSY_TIMEOUT_MS);
}

function pragma(sqlite: SqliteDatabase, name: string, value: string, expected: string | number): void {
  sqlite.exec(`PRAGMA ${name} = ${value}`);
  const [row] = sqlite.prepare(`PRAGMA ${name}`).all([]) as Record<string, string | number>[];
  const actual = row ? Object.values(row)[0] : undefined;
  if (actual !== expected) throw new Error(`SQLite did not take ${name} = ${value}: it is ${actual}`);
}

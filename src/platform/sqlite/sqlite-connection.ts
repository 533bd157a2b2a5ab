import { openSqlite, rowsOf, type SqliteDatabase } from './sqlite.ts';

/** What a statement returned. */
export interface SqliteResult {
  readonly rows: Record<string, unknown>[];
  /** How many rows were changed; undefined for a statement that returns rows. */
  readonly changes?: number | bigint;
}

/** A statement with its parameters. */
export interface SqliteCall {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** How many rows it is to return or to change, where anything else is wrong. */
  readonly expected?: number | undefined;
}

/** One connection to one database. Its statements run one after another, in the order in which they are given. */
export interface SqliteConnection {
  /** Rejects with the driver's own error. */
  run(sql: string, parameters?: readonly unknown[]): Promise<SqliteResult>;
  /**
   * Runs statements in a transaction of their own: all, or none if it rejects with the driver's error, or returns false
   * because one of them met another number of rows than was expected.
   */
  runAll(calls: readonly SqliteCall[]): Promise<boolean>;
  close(): Promise<void>;
}

/** Runs one statement and returns all that it returns. Throws the driver's own error. */
export function runStatement(database: SqliteDatabase, sql: string, parameters: readonly unknown[]): SqliteResult {
  const statement = database.prepare(sql);
  if (statement.reader) return { rows: rowsOf(statement, parameters) };
  return { rows: [], changes: statement.run(parameters).changes };
}

function isAsExpected(database: SqliteDatabase, { sql, parameters, expected }: SqliteCall): boolean {
  const { rows, changes = rows.length } = runStatement(database, sql, parameters);
  return expected === undefined || Number(changes) === expected;
}

/**
 * Runs statements in a transaction that begins as a writer: all, or none if it throws the driver's error or returns
 * false, since one of them met another number of rows than was expected.
 */
export function runTogether(database: SqliteDatabase, calls: readonly SqliteCall[]): boolean {
  runStatement(database, 'begin immediate', []);
  try {
    const isDone = calls.every((call) => isAsExpected(database, call));
    runStatement(database, isDone ? 'commit' : 'rollback', []);
    return isDone;
  } catch (error) {
    try {
      runStatement(database, 'rollback', []);
    } catch {
      // SQLite has ended it by itself, as it does if the disk is full.
    }
    throw error;
  }
}

/** Opens a database file whose statements run in this thread. Throws as `openSqlite` does. */
export async function openSqliteHere(path: string): Promise<SqliteConnection> {
  const database = await openSqlite(path);
  return {
    run: async (sql, parameters = []) => runStatement(database, sql, parameters),
    runAll: async (calls) => runTogether(database, calls),
    close: async () => database.close(),
  };
}

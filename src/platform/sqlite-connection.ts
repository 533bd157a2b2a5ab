import { openSqlite, type SqliteDatabase } from './sqlite.ts';

/** What a statement returned. */
export interface SqliteResult {
  readonly rows: Record<string, unknown>[];
  /** How many rows were changed; undefined for a statement that returns rows. */
  readonly changes?: number | bigint;
}

/** One connection to one database. Its statements run one after another, in the order in which they are given. */
export interface SqliteConnection {
  /** Rejects with the driver's own error. */
  run(sql: string, parameters?: readonly unknown[]): Promise<SqliteResult>;
  close(): Promise<void>;
}

/** Runs one statement and returns all that it returns. Throws the driver's own error. */
export function runStatement(database: SqliteDatabase, sql: string, parameters: readonly unknown[]): SqliteResult {
  const statement = database.prepare(sql);
  if (statement.reader) return { rows: statement.all(parameters) as Record<string, unknown>[] };
  return { rows: [], changes: statement.run(parameters).changes };
}

/** Opens a database file whose statements run in this thread. Throws as `openSqlite` does. */
export async function openSqliteHere(path: string): Promise<SqliteConnection> {
  const database = await openSqlite(path);
  return {
    run: async (sql, parameters = []) => runStatement(database, sql, parameters),
    close: async () => database.close(),
  };
}

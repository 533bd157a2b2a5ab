import { CompiledQuery } from 'kysely';
import { numberedPlaceholders, type Sql, type SqlRow, type SqlStore } from './sql.ts';
import type { WorkspaceTables } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** Runs the ledger's statements inside a transaction of a workspace; `isServer` where it is PostgreSQL. */
export function sqlOf(database: WorkspaceTables, isServer: boolean): Sql {
  return async (text, values = []) => {
    const query = CompiledQuery.raw(isServer ? numberedPlaceholders(text) : text, [...values]);
    const { rows } = await database.executeQuery<SqlRow>(query);
    return rows;
  };
}

/** A workspace as the ledger reads and writes it. */
export function storeOf({ read, write, serverTime }: Workspace): SqlStore {
  const isServer = serverTime !== undefined;
  return {
    read: (work) => read((database) => work(sqlOf(database, isServer))),
    write: (work) => write((database) => work(sqlOf(database, isServer))),
  };
}

import { CompiledQuery } from 'kysely';
import type { WorkspaceTables } from '../tables.ts';
import { numberedPlaceholders, type Sql, type SqlRow } from './sql.ts';

/** Runs the ledger's statements inside a transaction of a workspace; `isServer` where it is PostgreSQL. */
export function sqlOf(database: WorkspaceTables, isServer: boolean): Sql {
  return async (text, values = []) => {
    const query = CompiledQuery.raw(isServer ? numberedPlaceholders(text) : text, [...values]);
    const { rows } = await database.executeQuery<SqlRow>(query);
    return rows;
  };
}

import { sql } from 'kysely';
import { statement } from '../store/statement.ts';
import type { Database } from '../store/tables.ts';

/** Tables that outlive a reset: which steps the schema has taken, and how the sandbox is set (its clock, its seed). */
const kept: ReadonlySet<string> = new Set(['schema_steps', 'settings']);

/** Empties every table of the data, the counter of the outbox included, within a transaction. */
export function emptyData(database: Database): void {
  // References are whole again when the transaction ends; until then the order of the tables does not matter.
  database.run(deferReferences, {});
  for (const { name } of database.all(allTables, {})) {
    if (!kept.has(name)) database.run(emptied(name), {});
  }
}

const deferReferences = statement(() => sql`PRAGMA defer_foreign_keys = ON`);
const allTables = statement(
  () => sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'`,
);
const emptied = (name: string) => statement(() => sql`DELETE FROM ${sql.table(name)}`);

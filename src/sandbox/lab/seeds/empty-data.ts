import { sql } from 'kysely';
import type { Database } from '../../engine/store/sql/statement.ts';
import { statement } from '../../engine/store/sql/statement.ts';

/** Tables that survive a reset: the applied schema steps, and the sandbox's settings (its clock, its seed). */
const kept: ReadonlySet<string> = new Set(['schema_steps', 'settings']);

/** Empties every table of the data, including the outbox's counter, within a transaction. */
export function emptyData(database: Database): void {
  // Foreign keys are consistent again when the transaction ends; until then the order of the tables does not matter.
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

import { sql } from 'kysely';
import type { Database } from '../store/tables.ts';

/** Tables that outlive a reset: which steps the schema has taken, and how the sandbox is set (its clock, its seed). */
const kept: ReadonlySet<string> = new Set(['schema_steps', 'settings']);

/** Empties every table of the data, the counter of the outbox included, within a transaction. */
export async function emptyData(database: Database): Promise<void> {
  // References are whole again when the transaction ends; until then the order of the tables does not matter.
  await sql`PRAGMA defer_foreign_keys = ON`.execute(database);
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'`.execute(
    database,
  );
  for (const { name } of rows) {
    if (!kept.has(name)) await sql`DELETE FROM ${sql.table(name)}`.execute(database);
  }
}

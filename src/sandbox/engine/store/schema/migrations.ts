import type { SqliteDatabase } from '../../../../platform/sqlite/sqlite.ts';
import { inTransaction } from '../sql/group-commit.ts';
import { namesIn } from '../sql/names-in.ts';
import type { Migration } from './migration.ts';
import { tables } from './tables.ts';

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

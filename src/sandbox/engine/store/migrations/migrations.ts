import type { SqliteDatabase } from '../../../../platform/sqlite/sqlite.ts';
import { inTransaction } from '../sql/group-commit.ts';
import { namesIn } from '../sql/names-in.ts';
import { codesOfTheShop } from './codes-of-the-shop.ts';
import { accountTables, coreTables } from './core-tables.ts';
import type { Migration } from './migration.ts';
import { withoutSecondIndices } from './never-deleted.ts';
import { recordsByRow, recordTablesNow } from './records-by-row.ts';
import { shipmentPlans } from './shipment-plans.ts';
import { webhookTables } from './webhook-tables.ts';

/** All steps, in the order in which they run. Add new ones at the end, each in a file of its own. */
export const migrations: readonly Migration[] = [
  coreTables,
  webhookTables,
  shipmentPlans,
  codesOfTheShop,
  recordsByRow,
  withoutSecondIndices,
];

/** What all steps together make of an empty database. */
const newest = [accountTables, recordTablesNow, webhookTables.sql, shipmentPlans.sql].join('');

/** Thrown if the data was written by a newer shopctl. */
export class NewerSchemaError extends Error {
  readonly kind = 'configuration';

  constructor(unknown: readonly string[]) {
    super(`the data was written by a newer version of shopctl (it knows ${unknown.join(', ')}); nothing was changed`);
    this.name = 'NewerSchemaError';
  }
}

/**
 * Migrates a database to the newest schema, each step in its own transaction; for a new database, which cannot lose
 * anything between two steps, all in one, and without the steps that were corrected later. Throws NewerSchemaError.
 */
export function migrate(database: SqliteDatabase, steps: readonly Migration[] = migrations): void {
  const done = stepsDone(database);
  const known = new Set(steps.map(({ name }) => name));
  const unknown = done.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerSchemaError(unknown);
  if (done.length === 0) {
    const hasAll = migrations.every((step, at) => steps[at] === step);
    take(database, steps, hasAll ? newest + sqlOf(steps.slice(migrations.length)) : sqlOf(steps));
    return;
  }
  const finished = new Set(done);
  for (const step of steps) if (!finished.has(step.name)) take(database, [step], step.sql);
}

function stepsDone(database: SqliteDatabase): string[] {
  const [table] = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'schema_steps'").all([]);
  if (table === undefined) return [];
  return namesIn(database.prepare('SELECT name FROM schema_steps').all([]));
}

function sqlOf(steps: readonly Migration[]): string {
  return steps.map(({ sql }) => sql).join(';\n');
}

/** Applies steps, whose SQL is given, in one transaction. */
function take(database: SqliteDatabase, steps: readonly Migration[], sql: string): void {
  inTransaction(database, () => {
    database.exec('CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
    database.exec(sql);
    const insert = database.prepare('INSERT INTO schema_steps (name) VALUES (?)');
    for (const { name } of steps) insert.run([name]);
  });
}

import type { SqliteDatabase } from '../../platform/sqlite.ts';
import { codesOfTheShop } from './migrations/codes-of-the-shop.ts';
import { coreTables } from './migrations/core-tables.ts';
import { shipmentPlans } from './migrations/shipment-plans.ts';
import { webhookTables } from './migrations/webhook-tables.ts';

/** One step of the schema. Once released it never changes; what follows is a further step. */
export interface Migration {
  /** Recorded in the database; unique. */
  readonly name: string;
  readonly sql: string;
}

/** All steps, in the order in which they run. A new one goes to the end, in a file of its own. */
export const migrations: readonly Migration[] = [coreTables, webhookTables, shipmentPlans, codesOfTheShop];

/** Thrown when the data was written by a newer shopctl. */
export class NewerSchemaError extends Error {
  readonly kind = 'configuration';

  constructor(unknown: readonly string[]) {
    super(`the data was written by a newer version of shopctl (it knows ${unknown.join(', ')}); nothing was changed`);
    this.name = 'NewerSchemaError';
  }
}

/** Brings a database to the newest schema, each step in a transaction of its own. Throws NewerSchemaError. */
export function migrate(database: SqliteDatabase, steps: readonly Migration[] = migrations): void {
  database.exec('CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
  const done = database.prepare('SELECT name FROM schema_steps').all([]) as { name: string }[];
  const known = new Set(steps.map(({ name }) => name));
  const unknown = done.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerSchemaError(unknown);
  const finished = new Set(done.map(({ name }) => name));
  for (const { name, sql } of steps) {
    if (finished.has(name)) continue;
    database.exec('BEGIN IMMEDIATE');
    try {
      database.exec(sql);
      database.prepare('INSERT INTO schema_steps (name) VALUES (?)').run([name]);
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }
}

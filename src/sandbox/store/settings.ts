import type { Database } from './tables.ts';

/** A setting of the sandbox, or undefined where it was never set. What it holds is the caller's business to check. */
export async function readSetting(database: Database, name: string): Promise<unknown> {
  const row = await database.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row && JSON.parse(row.value);
}

/** Whether a setting was ever set; one that holds much, such as a seed, is not read for that. */
export async function hasSetting(database: Database, name: string): Promise<boolean> {
  const row = await database.selectFrom('settings').select('name').where('name', '=', name).executeTakeFirst();
  return row !== undefined;
}

/** Sets a setting: anything that is JSON. */
export async function writeSetting(database: Database, name: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value);
  await database
    .insertInto('settings')
    .values({ name, value: text })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: text }))
    .execute();
}

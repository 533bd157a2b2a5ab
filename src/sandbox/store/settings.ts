import type { Database } from './tables.ts';

/** A setting of the sandbox, or undefined where it was never set. What it holds is the caller's business to check. */
export async function readSetting(database: Database, name: string): Promise<unknown> {
  const row = await database.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row && JSON.parse(row.value);
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

import { readOwn } from '../../../domain/json/value-at.ts';
import { newId } from '../../../platform/process/new-id.ts';
import type { Database } from './sql/statement.ts';
import { statement, tables } from './sql/statement.ts';
import type { SettingRow } from './sql/tables.ts';

/** A setting of the sandbox, or undefined if it was never set. The caller has to validate it. */
export function readSetting<Value = unknown>(database: Database, name: string): Value | undefined {
  const row = database.first(settingOf, { name });
  return row && readOwn<Value>(row.value);
}

/** Whether a setting exists, without reading its value, which can be large, such as a seed. */
export function hasSetting(database: Database, name: string): boolean {
  return database.first(nameOf, { name }) !== undefined;
}

/** Writes a setting: any JSON. */
export function writeSetting(database: Database, name: string, value: unknown): void {
  database.run(put, { name, value: JSON.stringify(value) });
}

const INSTANCE = 'instance';

/** The id of the sandbox whose data these are, which gets one now if it has none; or, where one is given, that one from now on. */
export function instanceIn(database: Database, own?: string): string {
  const stored = readSetting<string>(database, INSTANCE);
  const instance = own ?? stored ?? newId();
  if (instance !== stored) writeSetting(database, INSTANCE, instance);
  return instance;
}

const settingOf = statement(({ name }: Pick<SettingRow, 'name'>) =>
  tables.selectFrom('settings').select('value').where('name', '=', name),
);
const nameOf = statement(({ name }: Pick<SettingRow, 'name'>) =>
  tables.selectFrom('settings').select('name').where('name', '=', name),
);
const put = statement(({ name, value }: SettingRow) =>
  tables
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
);

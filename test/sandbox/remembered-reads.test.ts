import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite.ts';
import { createDatabase } from '../../src/sandbox/store/database.ts';
import { migrate } from '../../src/sandbox/store/migrations.ts';
import { rememberReads } from '../../src/sandbox/store/remembered-reads.ts';
import { readSetting, writeSetting } from '../../src/sandbox/store/sandbox-settings.ts';
import { statement, tables } from '../../src/sandbox/store/statement.ts';

const shopNames = statement(({ name }: { readonly name: string }) =>
  tables.selectFrom('shops').select('id').where('name', '=', name),
);
const insertShop = statement((row: { readonly id: string; readonly name: string; readonly created_at: number }) =>
  tables.insertInto('shops').values(row),
);
const removeShops = statement(() => tables.deleteFrom('shops').returning('id'));

it('a question is asked once, until its table is written', async () => {
  const sqlite = await openSqlite(':memory:');
  onTestFinished(() => sqlite.close());
  migrate(sqlite);
  let asked = 0;
  const inner = createDatabase(sqlite);
  const database = rememberReads({
    ...inner,
    all: (question, given) => {
      asked += 1;
      return inner.all(question, given);
    },
  });
  const ids = (name: string) => database.all(shopNames, { name }).map(({ id }) => id);
  expect([ids('A'), ids('A'), ids('B'), asked]).toEqual([[], [], [], 2]);
  database.run(insertShop, { id: '1', name: 'A', created_at: 0 });
  expect([ids('A'), ids('A'), ids('B'), asked]).toEqual([['1'], ['1'], [], 4]);
  writeSetting(database, 'x', 1);
  expect([ids('A'), readSetting(database, 'x'), asked]).toEqual([['1'], 1, 5]);
  writeSetting(database, 'x', 2);
  expect(readSetting(database, 'x')).toBe(2);
  expect(database.all(removeShops, {})).toEqual([{ id: '1' }]);
  expect(ids('A')).toEqual([]);
});

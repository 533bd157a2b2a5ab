import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite, type SqliteDriver } from '../../src/platform/sqlite/sqlite.ts';
import { statement, tables } from '../../src/sandbox/engine/store/statement.ts';
import { migrate, migrations, openStore } from '../../src/sandbox/engine/store/store.ts';
import { rows } from '../support/rows.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { sqliteDrivers } from '../support/sqlite-drivers.ts';

async function temporaryDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-store-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const openIn = async (path: string, driver?: SqliteDriver) => openStore(await openSqlite(path, driver), path);

it('has a driver', async () => {
  expect(sqliteDrivers).not.toEqual([]);
  const store = await openIn(':memory:');
  expect(store.driver).toBe(sqliteDrivers[0]);
  await store.close();
});

describe.each(sqliteDrivers)('a store on %s', (driver) => {
  it('is set to lose nothing, and to keep references whole', async () => {
    const store = await openIn(join(await temporaryDirectory(), 'data'), driver);
    const settings = store.read((database) => {
      const read = (name: string) => {
        const [row] = rows(database, sql<Record<string, unknown>>`${sql.raw(`PRAGMA ${name}`)}`);
        return Object.values(row ?? {})[0];
      };
      const names = ['journal_mode', 'synchronous', 'foreign_keys', 'locking_mode', 'busy_timeout'];
      return names.map(read);
    });
    expect(settings).toEqual(['wal', 2, 1, 'exclusive', 5000]);
    const orphan = store.write((database) =>
      database.run(
        statement(() => tables.insertInto('sequences').values({ shop_id: 'nobody', name: 'x', last: 1 })),
        {},
      ),
    );
    await expect(orphan).rejects.toThrow('FOREIGN KEY');
    await store.close();
  });

  it('is opened by one sandbox at a time, and by the next one when it is closed', async () => {
    const path = join(await temporaryDirectory(), 'data');
    const store = await openIn(path, driver);
    await expect(openIn(path, driver)).rejects.toMatchObject({
      name: 'StoreInUseError',
      message: `another sandbox has this data open: ${path}`,
    });
    await store.close();
    await (await openIn(path, driver)).close();
  });

  it('counts what it wrote and answers what it was asked', async () => {
    const store = await openIn(':memory:', driver);
    await store.write((database) => {
      const row = (name: string) => ({ name, value: '1' });
      const insert = statement(() => tables.insertInto('settings').values([row('a'), row('b')]));
      expect(database.run(insert, {})).toBe(2);
      const update = statement(({ value }: { value: string }) => tables.updateTable('settings').set({ value }));
      expect(database.run(update, { value: '2' })).toBe(2);
      const remove = statement(({ name }: { name: string }) =>
        tables.deleteFrom('settings').where('name', '=', name).returning('value'),
      );
      expect(database.all(remove, { name: 'a' })).toEqual([{ value: '2' }]);
      expect(database.first(remove, { name: 'a' })).toBeUndefined();
    });
    await store.close();
  });
});

describe('the schema', () => {
  it('is brought up to date once, step by step', async () => {
    const sqlite = await openSqlite(':memory:');
    migrate(sqlite);
    migrate(sqlite);
    migrate(sqlite, [...migrations, { name: 'next', sql: 'CREATE TABLE next (id)' }]);
    expect(sqlite.prepare('SELECT name FROM schema_steps').all([])).toContainEqual({ name: 'next' });
    expect(sqlite.prepare('SELECT * FROM next').all([])).toEqual([]);
    sqlite.close();
  });

  it('stays as it was where a step fails', async () => {
    const sqlite = await openSqlite(':memory:');
    expect(() => migrate(sqlite, [{ name: 'bad', sql: 'CREATE TABLE half (id); nonsense' }])).toThrow('syntax');
    expect(() => sqlite.prepare('SELECT * FROM half')).toThrow('no such table');
    migrate(sqlite);
    sqlite.close();
  });

  it('of a newer version is refused and left alone', async () => {
    const sqlite = await openSqlite(':memory:');
    migrate(sqlite, [...migrations, { name: 'from the future', sql: 'CREATE TABLE future (id)' }]);
    expect(() => migrate(sqlite)).toThrow(/newer version of shopctl .*from the future/);
    sqlite.close();
  });

  it('of a version before the first release is refused and left alone', async () => {
    const sqlite = await openSqlite(':memory:');
    migrate(sqlite, [{ name: 'core tables', sql: 'CREATE TABLE orders (id)' }]);
    expect(() => migrate(sqlite)).toThrow(/before the first release; nothing was changed/);
    expect(sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all([])).toHaveLength(2);
    sqlite.close();
  });
});

describe('the data directory', () => {
  it('is made where it is missing, for its owner alone', async () => {
    const data = join(await temporaryDirectory(), 'deep', 'data');
    await openTestSandbox({ data });
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    for (const file of await readdir(data)) expect((await stat(join(data, file))).mode & 0o777).toBe(0o600);
  });

  it('keeps accounts, keys, links and codes from one sandbox to the next', async () => {
    const data = await temporaryDirectory();
    const first = await openTestSandbox({ data });
    await first.core.write((work) => work.nextCode(first.shop.id, 'KH'));
    await first.sandbox.close();
    const second = await openTestSandbox({ data });
    const { partner, shop, otherShop, shopKey } = second;
    expect({ partner, shop, otherShop, shopKey }).toEqual({
      partner: first.partner,
      shop: first.shop,
      otherShop: first.otherShop,
      shopKey: first.shopKey,
    });
    expect(await second.core.write((work) => work.nextCode(shop.id, 'KH'))).toBe('KH000002');
    const id = await second.core.write((work) => work.nextId());
    expect(id > otherShop.id).toBe(true);
  });

  it('keeps the order of writes from one sandbox to the next', async () => {
    const data = await temporaryDirectory();
    const first = await openTestSandbox({ data });
    const write = ({ core, shop }: typeof first, full_name: string) =>
      core.write((work) => work.records('customer', shop.id).insert({ full_name }));
    for (const name of ['A', 'B', 'C']) await write(first, name);
    await first.sandbox.close();
    const second = await openTestSandbox({ data });
    for (const name of ['D', 'E']) await write(second, name);
    const { items } = second.core.read((work) =>
      work.records('customer', second.shop.id).list({ paging: { sort: 'updated_at' } }),
    );
    expect(items.map(({ full_name }) => full_name)).toEqual(['A', 'B', 'C', 'D', 'E']);
  });
});

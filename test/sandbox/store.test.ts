import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite/sqlite.ts';
import { codesOfTheShop } from '../../src/sandbox/engine/store/migrations/codes-of-the-shop.ts';
import { coreTables } from '../../src/sandbox/engine/store/migrations/core-tables.ts';
import { migrate, migrations } from '../../src/sandbox/engine/store/migrations/migrations.ts';
import { statement, tables } from '../../src/sandbox/engine/store/sql/statement.ts';
import { openStore } from '../../src/sandbox/engine/store/store.ts';
import { rows } from '../support/rows.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { sqliteDrivers } from '../support/sqlite-drivers.ts';

async function temporaryDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-store-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

it('has a driver', async () => {
  expect(sqliteDrivers).not.toEqual([]);
  const store = await openStore(':memory:');
  expect(store.driver).toBe(sqliteDrivers[0]);
  await store.close();
});

describe.each(sqliteDrivers)('a store on %s', (driver) => {
  it('is set to lose nothing, and to keep references whole', async () => {
    const store = await openStore(join(await temporaryDirectory(), 'data'), driver);
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
    const store = await openStore(path, driver);
    await expect(openStore(path, driver)).rejects.toMatchObject({
      name: 'StoreInUseError',
      message: `another sandbox has this data open: ${path}`,
    });
    await store.close();
    await (await openStore(path, driver)).close();
  });

  it('counts what it wrote and answers what it was asked', async () => {
    const store = await openStore(':memory:', driver);
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
    migrate(sqlite, [coreTables]);
    sqlite.close();
  });

  it('gives the external codes of orders to the shop, and what was kept beside an order to its record', async () => {
    const sqlite = await openSqlite(':memory:');
    migrate(sqlite, migrations.slice(0, migrations.indexOf(codesOfTheShop)));
    sqlite.exec(`INSERT INTO shops (id, name, created_at) VALUES ('7', 'Shop', 0), ('8', 'Other', 0)`);
    const insert = sqlite.prepare(
      `INSERT INTO orders (id, shop_id, touched, external_code, held_external_code, body, hidden) VALUES (?, ?, ?, ?, ?, '{}', ?)`,
    );
    const id = (last: number) => `100000000000000000${last}`;
    const orders = [
      ['7', 'A', 'shop 7 partner 5: A', '{"external_meta":{"till":"3"}}'],
      ['7', 'A', 'shop 7: A', '{}'],
      ['7', 'A', null, '{}'],
      ['7', 'B', 'shop 7 partner 5: B', '{}'],
      ['8', 'A', 'shop 8 partner 5: A', '{}'],
    ] as const;
    for (const [index, [shop, code, held, hidden]] of orders.entries()) {
      insert.run([id(index), shop, index, code, held, hidden]);
    }
    sqlite.prepare(`INSERT INTO fulfillments (id, shop_id, touched, body) VALUES (?, '7', 9, '{}')`).run([id(9)]);
    migrate(sqlite);
    const rows = sqlite.prepare('SELECT held_external_code AS held, body FROM orders ORDER BY id').all([]) as {
      held: string | null;
      body: string;
    }[];
    expect(rows.map(({ held }) => held)).toEqual(['shop 7: A', null, null, 'shop 7: B', 'shop 8: A']);
    expect(JSON.parse(rows[0]?.body ?? '')).toEqual({
      external_meta: { till: '3' },
      self_url: `https://sandbox.example/orders/${id(0)}`,
    });
    expect(JSON.parse(rows[1]?.body ?? '')).toEqual({
      external_meta: null,
      self_url: `https://sandbox.example/orders/${id(1)}`,
    });
    const [shipment] = sqlite.prepare('SELECT body FROM fulfillments').all([]) as { body: string }[];
    expect(JSON.parse(shipment?.body ?? '')).toEqual({ self_url: `https://sandbox.example/fulfillments/${id(9)}` });
    sqlite.close();
  });

  it('is the same step by step and at once, and holds the same records', async () => {
    const [stepwise, atOnce] = [await openSqlite(':memory:'), await openSqlite(':memory:')];
    migrate(stepwise, migrations.slice(0, -1));
    stepwise.exec(`INSERT INTO shops (id, name, created_at) VALUES ('7', 'Shop', 0), ('8', 'Other', 0)`);
    const insert = stepwise.prepare(
      `INSERT INTO orders (id, shop_id, touched, code, held_external_id, body, hidden) VALUES (?, ?, ?, ?, ?, ?, '{"a":1}')`,
    );
    const id = (last: number) => `100000000000000000${last}`;
    for (const [shop, last] of [
      ['8', 3],
      ['7', 1],
      ['7', 2],
    ] as const) {
      insert.run([id(last), shop, 10 - last, `DH${last}`, last === 2 ? null : `held ${last}`, `{"id":"${id(last)}"}`]);
    }
    const all = 'SELECT id, shop_id, partner_id, deleted, touched, code, held_external_id, body, hidden FROM orders';
    const before = stepwise.prepare(`${all} ORDER BY id`).all([]);
    migrate(stepwise);
    expect([before.length, stepwise.prepare(`${all} ORDER BY id`).all([])]).toEqual([3, before]);
    expect(() => insert.run([id(4), '7', 11, 'DH4', 'held 1', '{}'])).toThrow(/UNIQUE.*held_external_id/);
    expect(() => insert.run([id(1), '7', 12, 'DH5', null, '{}'])).toThrow(/UNIQUE.*id/);

    migrate(atOnce);
    const schemaOf = ({ prepare }: typeof atOnce) =>
      (
        prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all([]) as { name: string; sql: string | null }[]
      ).map(({ name, sql }) => `${name}: ${sql?.replaceAll(/[\s"]+/g, ' ').trim()}`);
    expect(schemaOf(atOnce)).toEqual(schemaOf(stepwise));
    expect(atOnce.prepare('SELECT name FROM schema_steps').all([])).toEqual(
      stepwise.prepare('SELECT name FROM schema_steps').all([]),
    );
    stepwise.close();
    atOnce.close();
  });

  it('of a newer version is refused and left alone', async () => {
    const sqlite = await openSqlite(':memory:');
    migrate(sqlite, [...migrations, { name: 'from the future', sql: 'CREATE TABLE future (id)' }]);
    expect(() => migrate(sqlite)).toThrow(/newer version of shopctl .*from the future/);
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

import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as operations from '../../../src/contract/control/operations.ts';
import { openSqlite } from '../../../src/platform/sqlite/sqlite.ts';
import { writeSetting } from '../../../src/sandbox/engine/business-clock.ts';
import { tables } from '../../../src/sandbox/engine/store/statement.ts';
import { controlClient } from '../../../src/sandbox/lab/control-client.ts';
import { startServer } from '../../../src/sandbox/server.ts';
import { rows } from '../../support/rows.ts';
import { frozenClock, openTestSandbox, type TestSandbox, testStart } from '../../support/sandbox.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';

const createGroup = 'shop.CustomerGroup/CreateGroup';
const createOrder = 'partner.Shipping/CreateAndConfirmOrder';

async function temporaryDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-snapshot-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function groupNames({ post, shop }: TestSandbox): Promise<string[]> {
  const { body } = await post('shop.CustomerGroup/ListGroups', {}, shop.apiKey);
  return body.customer_groups.map(({ name }: { name: string }) => name);
}

const makeGroup = ({ post, shop }: TestSandbox, name: string) => post(createGroup, { name }, shop.apiKey);

/** Every row of every table, but for what a run leaves in it. */
async function everything({ core }: TestSandbox): Promise<Record<string, unknown[]>> {
  let tables: Record<string, unknown[]> = {};
  await core.store.exclusively((sqlite) => {
    const names = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all([]);
    tables = Object.fromEntries(
      (names as { name: string }[]).map(({ name }) => [name, sqlite.prepare(`SELECT * FROM ${name}`).all([])]),
    );
  });
  return tables;
}

describe.each(['in a directory', 'ephemeral'])('a snapshot of a sandbox %s', (kind) => {
  const open = async (options: object = {}) => {
    const data = kind === 'ephemeral' ? {} : { data: await temporaryDirectory() };
    return openTestSandbox({ ...data, ...options });
  };

  it('puts all data back as they were', async () => {
    const test = await open({ seed: 'demo' });
    const { snapshots } = test.sandbox.control;
    await test.post(createOrder, await quotedOrder(test, { external_id: 'WEB-1' }), test.shopKey);
    await test.post(
      'shop.Webhook/CreateWebhook',
      { url: 'http://127.0.0.1:9/', entities: ['order'] },
      test.shop.apiKey,
    );
    const before = await everything(test);
    expect(await snapshots.save('before')).toMatchObject({ name: 'before', bytes: expect.any(Number) });

    await makeGroup(test, 'Later');
    await test.sandbox.control.unlink(test.shop.id);
    await test.sandbox.control.clock.advance('44h');
    expect(await everything(test)).not.toEqual(before);

    await snapshots.restore('before');
    expect(await everything(test)).toEqual(before);
    expect((await test.post('partner.Shipping/GetOrder', { external_id: 'WEB-1' }, test.shopKey)).status).toBe(200);
  });

  it('is listed, replaced on request, and removed', async () => {
    const test = await open();
    const { snapshots } = test.sandbox.control;
    expect(await snapshots.list()).toEqual({ snapshots: [] });
    await snapshots.save('b');
    await snapshots.save('a.1');
    expect((await snapshots.list()).snapshots.map(({ name }) => name)).toEqual(['a.1', 'b']);
    await expect(snapshots.save('b')).rejects.toMatchObject({ code: 'already_exists' });
    await makeGroup(test, 'VIP');
    await snapshots.save('b', { replace: true });
    await makeGroup(test, 'Later');
    await snapshots.restore('b');
    expect(await groupNames(test)).toEqual(['VIP']);
    expect(await snapshots.remove('b')).toEqual({ removed: 'b' });
    for (const doing of [snapshots.remove('b'), snapshots.restore('b')]) {
      await expect(doing).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it.each(['', '.', '..', '../x', 'a/b', 'a\\b', '.hidden', '-x', 'a b', 'x'.repeat(65), 'é', 'a\0'])(
    'cannot be named "%s"',
    async (name) => {
      const { snapshots } = (await open()).sandbox.control;
      for (const doing of [snapshots.save(name), snapshots.restore(name), snapshots.remove(name)]) {
        await expect(doing).rejects.toMatchObject({ code: 'invalid_argument', meta: { field: 'name' } });
      }
    },
  );

  it('is of one moment while requests go on, and so is what is restored', async () => {
    const test = await open();
    const { snapshots } = test.sandbox.control;
    await snapshots.save('empty');
    const writing = Array.from({ length: 30 }, (_, index) =>
      test.core.write((work) => {
        const groups = work.records('customer_group', test.shop.id);
        groups.insert({ name: `${index} a` });
        groups.insert({ name: `${index} b` });
      }),
    );
    const saving = [snapshots.save('one'), snapshots.save('two')];
    await Promise.all([...writing, ...saving]);
    for (const name of ['one', 'two', 'empty']) {
      await snapshots.restore(name);
      const names = await groupNames(test);
      expect(names.filter((group) => group.endsWith('a')).length).toBe(
        names.filter((group) => group.endsWith('b')).length,
      );
    }
    expect(await groupNames(test)).toEqual([]);
  });
});

describe('after a snapshot is restored', () => {
  it('the business clock stands where it stood', async () => {
    const test = await openTestSandbox();
    const { snapshots, clock } = test.sandbox.control;
    await clock.set('2026-03-01T00:00:00Z');
    await clock.freeze();
    await snapshots.save('march');
    await clock.advance('31d');
    await snapshots.restore('march');
    expect(await clock.status()).toMatchObject({ mode: 'frozen', time: '2026-03-01T00:00:00Z' });
    expect((await makeGroup(test, 'VIP')).status).toBe(200);
  });

  it('records get ids and codes again that nobody has', async () => {
    const test = await openTestSandbox();
    const { snapshots } = test.sandbox.control;
    const customer = { full_name: 'Nguyễn Thị Lan', phone: '0901234567' };
    const create = async () => (await test.post('shop.Customer/CreateCustomer', customer, test.shop.apiKey)).body;
    const first = await create();
    await snapshots.save('one');
    await create();
    await snapshots.restore('one');
    const second = await create();
    expect([first.code, second.code]).toEqual(['KH000001', 'KH000002']);
    expect(second.id > first.id).toBe(true);
    const { body } = await test.post(
      'shop.Customer/ListCustomers',
      { paging: { sort: 'updated_at' } },
      test.shop.apiKey,
    );
    expect(body.customers.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
  });

  it('what was still to be delivered is delivered', async () => {
    const delivered: string[] = [];
    const test = await openTestSandbox({
      deliver: async ({ body }) => {
        delivered.push(...JSON.parse(body).changes.map(({ latest }: never) => Object.values(latest)[0]));
        return { status: 200, body: Buffer.from('ok') };
      },
    });
    const { snapshots, clock } = test.sandbox.control;
    await test.post(
      'shop.Webhook/CreateWebhook',
      { url: 'http://127.0.0.1:9/', entities: ['customer_group'] },
      test.shop.apiKey,
    );
    await makeGroup(test, 'First');
    await snapshots.save('undelivered');
    await clock.advance('1m', { untilIdle: true });
    expect(delivered).toMatchObject([{ name: 'First' }]);
    await snapshots.restore('undelivered');
    await makeGroup(test, 'Second');
    await clock.advance('1m', { untilIdle: true });
    expect(delivered).toMatchObject([{ name: 'First' }, { name: 'First' }, { name: 'Second' }]);
  });

  it('faults and the log are as they were', async () => {
    const test = await openTestSandbox();
    const { snapshots, faults, log } = test.sandbox.control;
    await snapshots.save('before');
    await faults.add({ operation: '*', nth: 2, do: 'status=503' });
    await makeGroup(test, 'VIP');
    await snapshots.restore('before');
    expect(faults.list().faults).toMatchObject([{ seen: 1 }]);
    expect((await log()).entries.at(-1)).toMatchObject({ operation: createGroup });
    expect((await makeGroup(test, 'VIP')).status).toBe(503);
  });

  it('a sandbox that is opened again has the restored data', async () => {
    const data = await temporaryDirectory();
    const test = await openTestSandbox({ data });
    await makeGroup(test, 'VIP');
    await test.sandbox.control.snapshots.save('vip');
    await makeGroup(test, 'Later');
    await test.sandbox.control.snapshots.restore('vip');
    await test.sandbox.close();
    const again = await openTestSandbox({ data });
    expect(await groupNames(again)).toEqual(['VIP']);
    expect((await again.sandbox.control.snapshots.list()).snapshots.map(({ name }) => name)).toEqual(['vip']);
  });
});

describe('the files of snapshots', () => {
  it.skipIf(process.platform === 'win32')('are for this user alone', async () => {
    const data = await temporaryDirectory();
    const test = await openTestSandbox({ data });
    await test.sandbox.control.snapshots.save('mine');
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await modeOf(join(data, 'snapshots'))).toBe(0o700);
    expect(await modeOf(join(data, 'snapshots', 'mine.sqlite'))).toBe(0o600);
    expect(await readdir(join(data, 'snapshots'))).toEqual(['mine.sqlite']);
  });

  it('end with an ephemeral sandbox', async () => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('shopctl-snapshots-'));
    const test = await openTestSandbox();
    await test.sandbox.control.snapshots.save('mine');
    const made = (await readdir(tmpdir())).filter(
      (name) => name.startsWith('shopctl-snapshots-') && !before.includes(name),
    );
    expect(made.length).toBeGreaterThan(0);
    const holding = await Promise.all(
      made.map(async (name) => ((await readdir(join(tmpdir(), name))).includes('mine.sqlite') ? name : '')),
    );
    await test.sandbox.close();
    const left = await readdir(tmpdir());
    expect(holding.some((name) => name !== '' && !left.includes(name))).toBe(true);
  });

  it.each<[string, (path: string) => Promise<void>, string]>([
    [
      'that is not a database',
      (path) => writeFile(path, 'no database at all, however long this text may be'),
      'is not a snapshot',
    ],
    [
      'of another program',
      async (path) => {
        const other = await openSqlite(path);
        other.exec('CREATE TABLE notes (text TEXT)');
        other.close();
      },
      'is not a snapshot',
    ],
    [
      'of a newer shopctl',
      async (path) => {
        const newer = await openSqlite(path);
        newer.exec(
          "CREATE TABLE schema_steps (name TEXT PRIMARY KEY); INSERT INTO schema_steps VALUES ('tables'), ('from tomorrow')",
        );
        newer.close();
      },
      'newer version',
    ],
  ])('that hold a file %s are not restored, and nothing changes', async (_, write, problem) => {
    const data = await temporaryDirectory();
    const test = await openTestSandbox({ data });
    await makeGroup(test, 'VIP');
    await mkdir(join(data, 'snapshots'), { recursive: true });
    await write(join(data, 'snapshots', 'strange.sqlite'));
    const bytes = await readFile(join(data, 'snapshots', 'strange.sqlite'));
    await expect(test.sandbox.control.snapshots.restore('strange')).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining(problem),
    });
    expect(await groupNames(test)).toEqual(['VIP']);
    expect(await readFile(join(data, 'snapshots', 'strange.sqlite'))).toEqual(bytes);
    expect(await readdir(join(data, 'snapshots'))).toEqual(['strange.sqlite']);
  });
});

describe('a reset', () => {
  it('goes back to the seed; accounts keep their keys, and links are gone', async () => {
    const test = await openTestSandbox({ seed: 'demo' });
    const credentials = await test.sandbox.control.credentials();
    const list = async () => (await test.post('shop.Order/ListOrders', {}, test.shop.apiKey)).body.orders;
    const orders = await list();
    await makeGroup(test, 'Mine');
    await test.post(createOrder, await quotedOrder(test), test.shopKey);
    expect(await test.sandbox.control.reset()).toEqual({ seed: 'demo' });
    expect(await test.sandbox.control.credentials()).toEqual(credentials);
    expect(await list()).toEqual(orders);
    expect(await groupNames(test)).not.toContain('Mine');
    expect(await test.changes()).toEqual([]);
    expect((await test.post('partner.Shipping/GetOrder', { id: '1' }, test.shopKey)).status).toBe(401);
    expect((await test.post('partner.Shop/AuthorizeShop', { shop_id: test.shop.id }, test.partner.apiKey)).status).toBe(
      403,
    );
  });

  it('makes the same records as a new sandbox at that time', async () => {
    const one = await openTestSandbox({ seed: 'demo' });
    await one.sandbox.control.clock.advance('44h');
    await one.sandbox.control.reset();
    const clock = frozenClock();
    clock.advance(44 * 3_600_000);
    const other = await openTestSandbox({ seed: 'demo', clock });
    const ordersOf = async ({ post, shop }: TestSandbox) => {
      const { body } = await post('shop.Order/ListOrders', {}, shop.apiKey);
      return body.orders.map((order: { id: string; code: string; created_at: string }) => [
        order.id,
        order.code,
        order.created_at,
      ]);
    };
    expect(await ordersOf(one)).toEqual(await ordersOf(other));
  });

  it('leaves the business clock as it goes', async () => {
    const { sandbox } = await openTestSandbox();
    await sandbox.control.clock.set('2026-03-01T00:00:00Z');
    await sandbox.control.reset();
    expect(await sandbox.control.clock.status()).toMatchObject({ time: '2026-03-01T00:00:00Z' });
  });

  it('knows the seed of its data when it is opened again', async () => {
    const data = await temporaryDirectory();
    const seed = { shops: [{ name: 'A', customer_groups: [{ name: 'VIP' }] }, { name: 'B' }] };
    const first = await openTestSandbox({ data, seed });
    await makeGroup(first, 'Later');
    await first.sandbox.close();
    const again = await openTestSandbox({ data, seed: 'none' });
    expect(await groupNames(again)).toEqual(['VIP', 'Later']);
    expect(await again.sandbox.control.reset()).toEqual({ seed: 'file' });
    expect(await groupNames(again)).toEqual(['VIP']);
  });

  it('that fails changes nothing, and records go on to get new ids', async () => {
    const test = await openTestSandbox({ seed: 'none' });
    const { body } = await makeGroup(test, 'VIP');
    const { core } = test;
    await core.write(({ database }) => writeSetting(database, 'seeded', { shops: [{ name: 'A', orders: [{}] }] }));
    await expect(test.sandbox.control.reset()).rejects.toThrow('shops[0].orders[0].lines');
    const broken = core.populate({
      chance: () => new Uint8Array(32),
      anew: (database) => void rows(database, tables.deleteFrom('customer_groups').returning('id')),
      work: (at) => {
        at(testStart).records('customer_group', test.shop.id).insert({ name: 'Lost' });
        throw new Error('no room on the disk');
      },
    });
    await expect(broken).rejects.toThrow('no room');
    expect(await groupNames(test)).toEqual(['VIP']);
    expect((await makeGroup(test, 'Next')).body.id > body.id).toBe(true);
  });
});

it('snapshots and resets go through the control plane', async () => {
  const test = await openTestSandbox();
  const server = await startServer(test.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const control = controlClient({ control_url: server.controlUrl, control_token: server.controlToken });
  await control.call(operations.saveSnapshot, { name: 'one' });
  await expect(control.call(operations.saveSnapshot, { name: 'one' })).rejects.toMatchObject({
    code: 'already_exists',
  });
  expect(await control.call(operations.saveSnapshot, { name: 'one', replace: true })).toMatchObject({ name: 'one' });
  await makeGroup(test, 'Later');
  expect(await control.call(operations.restoreSnapshot, { name: 'one' })).toMatchObject({ name: 'one' });
  expect(await groupNames(test)).toEqual([]);
  expect((await control.call(operations.listSnapshots, {})).snapshots).toMatchObject([{ name: 'one' }]);
  expect(await control.call(operations.removeSnapshot, { name: 'one' })).toEqual({ removed: 'one' });
  await makeGroup(test, 'Later');
  expect(await control.call(operations.reset, {})).toEqual({ seed: 'none' });
  expect(await groupNames(test)).toEqual([]);
});

import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { tables } from '../../src/sandbox/engine/store/statement.ts';
import { type KillablePrograms, killablePrograms } from '../support/killable-programs.ts';
import { rows } from '../support/rows.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { quotedOrder } from '../support/sandbox-order.ts';

const createOrder = 'partner.Shipping/CreateAndConfirmOrder';
const getOrder = 'partner.Shipping/GetOrder';

let programs: KillablePrograms;

beforeAll(async () => {
  programs = await killablePrograms('test/sandbox/doomed-process.ts');
});

afterAll(() => programs.remove());

async function directory() {
  const made = await mkdtemp(join(programs.scratch, 'data-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Starts a process that dies by itself, or by `kill`; `lines` are what it says. */
async function startDoomed(data: string, action: string, moment: string) {
  const child = programs.start('doomed-process', [data, action, moment], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('the process has no pipe');
  const lines = createInterface({ input: child.stdout });
  const died = once(child, 'close').then(([, signal]) => signal as string);
  const [line] = await once(lines, 'line');
  return { lines, died, kill: () => child.kill('SIGKILL'), ...(JSON.parse(String(line)) as { baseUrl: string }) };
}

/** What SQLite itself finds wrong with the data, as after a kill it must be nothing. */
async function faultsOf({ core }: TestSandbox) {
  let faults: unknown[] = [];
  await core.store.exclusively((sqlite) => {
    faults = [
      ...sqlite.prepare('PRAGMA integrity_check').all([]),
      ...sqlite.prepare('PRAGMA foreign_key_check').all([]),
    ];
  });
  return faults;
}

const none = [{ integrity_check: 'ok' }];

/** Data with one order, and the request for a second one. */
async function dataWithOrder() {
  const data = await directory();
  const test = await openTestSandbox({ data });
  const request = await quotedOrder(test);
  const { body } = await test.post(createOrder, { ...request, external_id: 'FIRST' }, test.shopKey);
  const changes = await test.changes();
  await test.sandbox.close();
  return { data, first: body, changes, shopKey: test.shopKey, request: { ...request, external_id: 'SECOND' } };
}

function send(baseUrl: string, body: object, key: string, operation = createOrder) {
  return fetch(`${baseUrl}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  }).then((answer) => answer.text());
}

/** What a create of an order writes: BEGIN, its code, the order, the parcel's code, the parcel, the order again, each record's change, COMMIT. */
const WRITES = 10;

describe('a sandbox that is killed while it creates an order', () => {
  it.each([...Array.from({ length: WRITES }, (_, index) => `write:${index + 1}`), 'sql:commit'])(
    '(%s) has nothing of it',
    async (moment) => {
      const { data, first, changes, shopKey, request } = await dataWithOrder();
      const { baseUrl, died } = await startDoomed(data, 'serve', moment);
      await expect(send(baseUrl, request, shopKey)).rejects.toThrow();
      expect(await died).toBe('SIGKILL');

      const test = await openTestSandbox({ data });
      expect(await faultsOf(test)).toEqual(none);
      expect(await test.changes()).toEqual(changes);
      expect((await test.post(getOrder, { external_id: 'SECOND' }, shopKey)).status).toBe(404);
      expect((await test.post(getOrder, { external_id: 'FIRST' }, shopKey)).body).toEqual(first);
      // Neither its name nor its codes are taken.
      const again = await test.post(createOrder, request, shopKey);
      expect([again.status, again.body.order.code]).toEqual([200, 'DH000002']);
    },
  );

  it.each(['commit', 'answer'])('at the moment of the %s has all of it, answered or not', async (moment) => {
    const { data, changes, shopKey, request } = await dataWithOrder();
    const { baseUrl, died } = await startDoomed(data, 'serve', moment);
    await expect(send(baseUrl, request, shopKey)).rejects.toThrow();
    expect(await died).toBe('SIGKILL');

    const test = await openTestSandbox({ data });
    expect(await faultsOf(test)).toEqual(none);
    const { body } = await test.post(getOrder, { external_id: 'SECOND' }, shopKey);
    expect(body).toMatchObject({
      order: { status: 'S', code: 'DH000002' },
      fulfillments: [{ order_id: body.order.id }],
    });
    expect((await test.changes()).slice(changes.length).map(({ name }) => name)).toEqual([
      'order create',
      'fulfillment create',
      'order update',
    ]);
    // Whoever asks once more learns that it is there.
    const again = await test.post(createOrder, request, shopKey);
    expect([again.status, again.body.meta]).toEqual([409, { duplicated: 'external_id' }]);
  });
});

it('a sandbox that is killed while its log is written back has all that was acknowledged', async () => {
  const data = await directory();
  for (let round = 0; round < 4; round += 1) {
    const before = await openTestSandbox({ data });
    const made = async ({ core }: TestSandbox) =>
      core.read(({ database }) => rows(database, tables.selectFrom('customer_groups').select('id')).length);
    const standing = await made(before);
    await before.sandbox.close();

    const { lines, died, kill } = await startDoomed(data, 'checkpoint', 'none');
    let acknowledged = 0;
    lines.on('line', (line) => {
      acknowledged = Number(line.slice('written '.length));
      if (acknowledged >= 20 * (round + 1)) kill();
    });
    expect(await died).toBe('SIGKILL');

    const after = await openTestSandbox({ data });
    expect(await faultsOf(after)).toEqual(none);
    expect(acknowledged).toBeGreaterThan(0);
    expect(await made(after)).toBeGreaterThanOrEqual(standing + acknowledged);
    expect((await after.changes()).filter(({ name }) => name === 'customer_group create')).toHaveLength(
      await made(after),
    );
    await after.sandbox.close();
  }
});

describe('a sandbox that is killed while it saves a snapshot', () => {
  it.each([
    ['sql:VACUUM', 1],
    ['rename:before', 1],
    ['rename:after', 2],
  ])('(%s) has its data, and the old snapshot or the new one whole', async (moment, orders) => {
    const { data, shopKey, request } = await dataWithOrder();
    const prepared = await openTestSandbox({ data });
    await prepared.sandbox.control.snapshots.save('s');
    const second = await prepared.post(createOrder, request, shopKey);
    await prepared.sandbox.close();
    const { died } = await startDoomed(data, 'save', moment);
    expect(await died).toBe('SIGKILL');

    const test = await openTestSandbox({ data });
    const { control } = test.sandbox;
    expect(await faultsOf(test)).toEqual(none);
    expect((await test.post(getOrder, { external_id: 'SECOND' }, shopKey)).body).toEqual(second.body);
    expect((await control.snapshots.list()).snapshots.map(({ name }) => name)).toEqual(['s']);
    await control.snapshots.restore('s');
    expect(await faultsOf(test)).toEqual(none);
    const { body } = await test.post('shop.Order/ListOrders', {}, test.shop.apiKey);
    expect(body.orders).toHaveLength(orders);
    // What was begun and not finished does not stay.
    expect(await readdir(join(data, 'snapshots'))).toEqual(['s.sqlite']);
  });
});

describe('a sandbox that is killed while it restores a snapshot', () => {
  it.each([
    ['sql:ATTACH', 'SECOND'],
    ['sql:DELETE FROM main.orders', 'SECOND'],
    ['sql:INSERT INTO main.outbox', 'SECOND'],
    ['sql:COMMIT', 'SECOND'],
    ['sql:DETACH', 'FIRST'],
  ])('(%s) has its own data or the restored, and not some of each', async (moment, newest) => {
    const { data, shopKey, request, changes } = await dataWithOrder();
    const prepared = await openTestSandbox({ data });
    await prepared.sandbox.control.snapshots.save('s');
    await prepared.post(createOrder, request, shopKey);
    const all = await prepared.changes();
    await prepared.sandbox.close();
    const { died } = await startDoomed(data, 'restore', moment);
    expect(await died).toBe('SIGKILL');

    const test = await openTestSandbox({ data });
    expect(await faultsOf(test)).toEqual(none);
    const { body } = await test.post('shop.Order/ListOrders', { paging: { sort: '-created_at' } }, test.shop.apiKey);
    expect(body.orders[0].external_id).toBe(newest);
    expect(await test.changes()).toEqual(newest === 'FIRST' ? changes : all);
    await test.sandbox.control.snapshots.restore('s');
    expect((await test.post(getOrder, { external_id: 'SECOND' }, shopKey)).status).toBe(404);
    expect(await faultsOf(test)).toEqual(none);
  });
});

const createGroup = 'shop.CustomerGroup/CreateGroup';

describe('a sandbox with many writers', () => {
  it('that is killed as they commit together has nothing of any of them', async () => {
    const { data, changes, shop } = await dataForWriters();
    const { baseUrl, died } = await startDoomed(data, 'serve', 'sql:COMMIT');
    const sent = ['a', 'b', 'c', 'd'].map((name) => send(baseUrl, { name }, shop.apiKey, createGroup));
    for (const { status } of await Promise.allSettled(sent)) expect(status).toBe('rejected');
    expect(await died).toBe('SIGKILL');
    const test = await openTestSandbox({ data });
    expect([await faultsOf(test), await test.changes()]).toEqual([none, changes]);
  });

  it('that is killed at any time has all that was answered, each with its change, in order', async () => {
    const { data, shop } = await dataForWriters();
    for (let round = 0; round < 4; round += 1) {
      const { baseUrl, died, kill } = await startDoomed(data, 'serve', 'none');
      const answered: string[] = [];
      const writer = async (number: number) => {
        for (let count = 0; ; count += 1) {
          const answer = await send(baseUrl, { name: `${round}.${number}.${count}` }, shop.apiKey, createGroup);
          answered.push(JSON.parse(answer).id);
          if (answered.length === 100 + 37 * round) kill();
        }
      };
      await Promise.allSettled(Array.from({ length: 16 }, (_, number) => writer(number)));
      expect(await died).toBe('SIGKILL');

      const test = await openTestSandbox({ data });
      expect(await faultsOf(test)).toEqual(none);
      const stored = test.core.read(({ database }) =>
        rows(database, tables.selectFrom('customer_groups').select('id')),
      );
      const made = (await test.changes()).map(({ latest }) => latest.id);
      expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(made));
      expect(made).toEqual([...made].sort());
      expect(answered.filter((id) => !made.includes(id))).toEqual([]);
      expect(answered.length).toBeGreaterThanOrEqual(100);
      await test.sandbox.close();
    }
  });
});

/** Data with a shop whose own key makes groups. */
async function dataForWriters() {
  const data = await directory();
  const test = await openTestSandbox({ data });
  const { shop } = test;
  const changes = await test.changes();
  await test.sandbox.close();
  return { data, shop, changes };
}

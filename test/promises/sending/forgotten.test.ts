/* What a batch has sent is recognised though the batch was forgotten: for a day by its content, for ever by its name. */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentIdentity, contentOf, nameIdentity } from '../../../src/ledger/identity.ts';
import { openSqlite } from '../../../src/platform/sqlite/sqlite.ts';
import { orderFields } from '../../support/sandbox-order.ts';
import { priceOf, twoStops } from '../../support/shipnow.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const DAY_MS = 86_400_000;

const run = (world: ShopWorld, ...words: string[]) =>
  world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], { clock: steppedClock(world.service.clock.now()) });

function file({ directory }: ShopWorld, name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

async function live({ service: { post, shop } }: ShopWorld): Promise<number> {
  const { body } = await post('shop.Order/ListOrders', {}, shop.apiKey);
  return body.orders.filter(({ status }: { status: string }) => status !== 'N').length;
}

/** What the keys of a workspace hold of an order: a name, and the digest of its content. */
async function keysIn({ directory }: ShopWorld): Promise<unknown[]> {
  const ledger = await openSqlite(join(directory, 'state', 'workspace.db'));
  const keys = ledger
    .prepare("select name, equal is null as free from ledger_keys where holder like 'batch %'")
    .all([]);
  ledger.close();
  return keys;
}

async function ran(world: ShopWorld, ...rows: object[]): Promise<string> {
  const ended = await run(world, 'batch', 'run', file(world, 'rows.json', rows), '--do', 'orders create');
  return JSON.parse(ended.stdout).batch;
}

it.each(['batch forget', '--keep 0'])(
  'an order is not sent again within a day though its batch was forgotten by %s',
  async (by) => {
    const world = await shopWorld();
    const batch = await ran(world, orderFields);
    world.service.clock.advance(1_000);
    if (by === 'batch forget') await run(world, 'batch', 'forget', batch);
    else
      await run(
        world,
        'batch',
        'run',
        file(world, 'other.json', [{ ...orderFields, order_note: 'another' }]),
        '--do',
        'orders create',
        '--keep',
        '0',
      );
    const before = await live(world);
    const order = file(world, 'order.json', orderFields);
    const text = JSON.stringify(orderFields).normalize('NFD').replaceAll('0901234567', '+84901234567');
    for (const input of [order, file(world, 'notation.json', JSON.parse(text))]) {
      const again = await run(world, 'orders', 'create', '--input', input);
      expect([again.exit, await live(world)]).toEqual([5, before]);
    }
    world.service.clock.advance(DAY_MS);
    expect((await run(world, 'orders', 'create', '--input', order)).exit).toBe(0);
    expect(await live(world)).toBe(before + 1);
  },
);

it.each([[[]], [['--again']]])(
  'a delivery that was made %j is not made again though its batch was forgotten',
  async (again) => {
    const world = await shopWorld();
    const { body } = await priceOf(world.service);
    const [{ code, fee }] = body.services;
    const delivery = { ...twoStops, shipping_service_code: code, shipping_service_fee: fee };
    const create = ['batch', 'run', file(world, 'rows.json', [delivery]), '--do', 'shipnow create'];
    const { stdout } = await run(world, ...create, ...again);
    await run(world, 'batch', 'forget', JSON.parse(stdout).batch);
    const once = await run(world, ...create);
    const reported = '1 of 1 row were sent before, 1 of them by another batch; ';
    expect([once.exit, once.stderr]).toEqual([12, expect.stringContaining(reported)]);
    // A plan looks only, and says the same.
    const plan = await run(world, 'batch', 'plan', ...create.slice(2));
    expect([plan.exit, plan.stderr]).toEqual([0, expect.stringContaining('sent before, by another batch; ')]);
    // Forgotten twice, it is still known.
    const more = await run(world, ...create, '--again');
    expect((await run(world, 'batch', 'forget', JSON.parse(more.stdout).batch)).exit).toBe(0);
    expect((await run(world, ...create)).exit).toBe(12);
  },
);

it('its content stays as long as no answer says that a day has passed', async () => {
  const world = await shopWorld();
  await run(world, 'batch', 'forget', await ran(world, orderFields));
  const ahead = { clock: steppedClock(world.service.clock.now() + 3 * DAY_MS) };
  const words = ['batch', 'run', file(world, 'none.json', []), '--do', 'orders create', '--profile', 'shop', '--yes'];
  expect((await world.run(words, ahead)).exit).toBe(0);
  expect(await keysIn(world)).toMatchObject([{ free: 0 }]);
});

it('nothing of its content stays after a day, and no name', async () => {
  const world = await shopWorld();
  await run(world, 'batch', 'forget', await ran(world, orderFields));
  const name = expect.stringMatching(/^~[0-9a-f]{8}~[0-9a-f]{32}$/);
  expect(await keysIn(world)).toEqual([{ name, free: 0 }]);
  world.service.clock.advance(DAY_MS);
  await run(world, 'batch', 'forget', await ran(world, { ...orderFields, order_note: 'another' }));
  expect(await keysIn(world)).toEqual([
    { name, free: 1 },
    { name, free: 0 },
  ]);
});

const own = { ...orderFields, external_id: 'KHO-2026-77' };
const changed = { order_note: 'quite another' };

/** Makes an order by a row, forgets its batch, and lets two days pass. */
async function forgotten(order: object) {
  const world = await shopWorld();
  const batch = await ran(world, order);
  const [made] = await ordersOf(world);
  await run(world, 'batch', 'forget', batch);
  world.service.clock.advance(2 * DAY_MS);
  // What is older than a day is cleared with the next one that is forgotten.
  await run(world, 'batch', 'forget', await ran(world, { ...orderFields, order_note: 'another' }));
  return { world, made, before: await live(world) };
}

async function ordersOf({ service: { post, shop } }: ShopWorld) {
  return (await post('shop.Order/ListOrders', {}, shop.apiKey)).body.orders;
}

const sheetOf = (world: ShopWorld, order: object, ...words: string[]) =>
  run(world, 'batch', 'run', file(world, 'again.json', [order]), '--do', 'orders create', ...words);

const single = (world: ShopWorld, order: object) =>
  run(world, 'orders', 'create', '--input', file(world, 'order.json', order));

describe('an order under a name of its own that was forgotten days ago', () => {
  it('is found by its name', async () => {
    const { world, made, before } = await forgotten(own);
    const command = await single(world, own);
    expect([command.exit, JSON.parse(command.stdout).id]).toEqual([0, made.id]);
    const rows = await sheetOf(world, own);
    expect([rows.exit, JSON.parse(rows.stdout).counts]).toMatchObject([0, { existed: 1 }]);
    expect(await live(world)).toBe(before);
  });

  it('is no other one: what the service has of it tells the difference', async () => {
    const { world, before } = await forgotten(own);
    const command = await single(world, { ...own, ...changed });
    expect([command.exit, errorOf(command.stderr).code]).toEqual([5, 'differs']);
    const rows = await sheetOf(world, { ...own, ...changed });
    expect([rows.exit, JSON.parse(rows.stdout).counts]).toMatchObject([9, { failed: 1 }]);
    expect(await live(world)).toBe(before);
  });

  it('is made again once it was cancelled', async () => {
    const { world, made, before } = await forgotten(own);
    await run(world, 'orders', 'cancel', made.id, '--cancel-reason', 'x');
    expect([(await single(world, own)).exit, await live(world)]).toEqual([0, before]);
    const rows = await sheetOf(world, own);
    expect([rows.exit, JSON.parse(rows.stdout).counts]).toMatchObject([0, { existed: 1 }]);
  });
});

describe('an order under a name of shopctl that was forgotten days ago', () => {
  it('is recognised in its sheet, and asked about', async () => {
    const { world, before } = await forgotten(orderFields);
    const rows = await sheetOf(world, orderFields);
    expect([rows.exit, errorOf(rows.stderr).code, await live(world)]).toEqual([12, 'rows_shared', before]);
  });

  it('keeps its name from other content', async () => {
    const { world, made, before } = await forgotten(orderFields);
    const copied = { ...orderFields, ...changed, external_id: made.external_id };
    expect([(await single(world, copied)).exit, (await sheetOf(world, copied)).exit]).toEqual([2, 2]);
    expect(await live(world)).toBe(before);
  });

  it('keeps its number for ever once it was cancelled', async () => {
    const { world, made } = await forgotten(orderFields);
    await run(world, 'orders', 'cancel', made.id, '--cancel-reason', 'x');
    expect((await sheetOf(world, orderFields)).exit).toBe(0);
    const named = async () => (await ordersOf(world)).map(({ external_id }: { external_id: string }) => external_id);
    expect(await named()).not.toContain(`${made.external_id}-2`);
    expect((await sheetOf(world, orderFields, '--resend-ended', 'cancelled')).exit).toBe(0);
    expect(await named()).toContain(`${made.external_id}-2`);
  });
});

it.each([
  ['into a new workspace', false],
  ['into one that is in use', true],
])('an order that was forgotten is recognised after its workspace was moved %s', async (_, isUsed) => {
  const { world, before } = await forgotten(orderFields);
  const place = join(world.directory, 'other', 'workspace.db');
  mkdirSync(dirname(place), { mode: 0o700 });
  if (isUsed) {
    const used = await shopWorld();
    await run(used, 'batch', 'forget', await ran(used, { ...orderFields, order_note: 'of the other one' }));
    renameSync(join(used.directory, 'state', 'workspace.db'), place);
  }
  const there = (...words: string[]) =>
    world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], {
      clock: steppedClock(world.service.clock.now()),
      env: { SHOPCTL_WORKSPACE: place },
    });
  expect((await there('workspace', 'move')).exit).toBe(0);
  const rows = await there('batch', 'run', file(world, 'again.json', [orderFields]), '--do', 'orders create');
  expect([rows.exit, errorOf(rows.stderr).code, await live(world)]).toEqual([12, 'rows_shared', before]);
});

/** All bytes of the files of a workspace. */
function bytesOf({ directory }: ShopWorld): string {
  const state = join(directory, 'state');
  const files = readdirSync(state).filter((name) => statSync(join(state, name)).isFile());
  return files.map((name) => readFileSync(join(state, name), 'latin1')).join('\n');
}

it('nothing of it can be read in the files of the workspace: no name, no cell, and no digest that can be guessed', async () => {
  const world = await shopWorld();
  const note = 'ghi chú riêng';
  const secret = { ...own, order_note: note };
  const batch = await ran(world, secret);
  const unnamed = { ...orderFields, order_note: 'không tên' };
  const other = JSON.parse(
    (await run(world, 'batch', 'run', file(world, 'rows.json', [unnamed]), '--do', 'orders create')).stdout,
  ).batch;
  const texts = [
    own.external_id,
    orderFields.shipping_address.phone,
    ...[note, 'không tên', orderFields.shipping_address.full_name].map((text) => Buffer.from(text).toString('latin1')),
    nameIdentity(own.external_id),
    contentIdentity(contentOf(unnamed), 1),
  ];
  // A listener has the file open as well: its log stays.
  const beside = await openSqlite(join(world.directory, 'state', 'workspace.db'));
  onTestFinished(() => beside.close());
  expect(beside.prepare('select count(*) as n from batches').all([])).toEqual([{ n: 2 }]);
  const inFiles = () => texts.map((text) => bytesOf(world).includes(text));
  expect(inFiles()).toEqual(texts.map(() => true));
  await run(world, 'batch', 'forget', batch);
  await run(world, 'batch', 'forget', other);
  expect(inFiles()).toEqual(texts.map(() => false));
});

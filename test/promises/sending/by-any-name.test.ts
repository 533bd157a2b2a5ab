/* A change belongs to a record, whatever it was called by: one key, and what ends the record frees its name. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Transport, TransportError } from '../../../src/platform/http/transport.ts';
import { orderFields } from '../../support/sandbox-order.ts';
import { json } from '../../support/scripted-transport.ts';
import { priceOf, twoStops } from '../../support/shipnow.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

/** Runs a command at the service's time; no wait lasts. */
const run = (world: ShopWorld, ...words: string[]) =>
  world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], { clock: steppedClock(world.service.clock.now()) });

/** The live orders of the shop, asked of the service itself. */
async function orders({ service: { post, shop } }: ShopWorld) {
  const { body } = await post('shop.Order/ListOrders', {}, shop.apiKey);
  return body.orders.filter((one: { status: string }) => one.status !== 'N');
}

/** Runs a sheet of one order; returns its counts. */
async function sheet(world: ShopWorld, ...more: object[]) {
  const path = join(world.directory, 'rows.json');
  writeFileSync(path, JSON.stringify([orderFields, ...more]));
  return JSON.parse(
    (await run(world, 'batch', 'run', path, '--do', 'orders create', '--resend-ended', 'cancelled')).stdout,
  );
}

const longer = { ...orderFields, order_note: 'one more' };
const reason = ['--cancel-reason', 'test'];

/** The ways to call the one order there is. */
const names = {
  id: ({ id }: Record<string, string>) => [id ?? ''],
  code: ({ code }: Record<string, string>) => ['--code', code ?? ''],
  external_id: ({ external_id }: Record<string, string>) => ['--external-id', external_id ?? ''],
};
const ways = Object.entries(names);

/** A service that answers a look-up by a name with an order that has none, or shows none. */
async function withoutName(keeps: (record: object) => object) {
  const world = await shopWorld((transport) => async (request) => {
    const asked = JSON.parse(String(request.body));
    if (!request.url.endsWith('/GetOrder') || asked.external_id === undefined) return transport(request);
    const { body } = await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey);
    const stranger = body.orders.find((one: { external_id: string }) => one.external_id !== asked.external_id);
    return json(200, { order: keeps(stranger), fulfillments: [] });
  });
  const make = (order: object) => world.service.post('shop.Order/CreateOrder', order, world.service.shop.apiKey);
  await make(orderFields);
  await make({ ...longer, external_id: 'MINE-1' });
  return world;
}

it.each([
  ['with none', (record: object) => ({ ...record, external_id: null })],
  ['with an empty one', (record: object) => ({ ...record, external_id: '' })],
  ['that shows none', (record: object) => ({ ...record, external_id: undefined })],
])('an order is not cancelled by an answer about another one, %s', async (_, keeps) => {
  const world = await withoutName(keeps);
  const ended = await run(world, 'orders', 'cancel', '--external-id', 'MINE-1', ...reason);
  expect([ended.exit, errorOf(ended.stderr).outcome]).toEqual([13, 'not_applied']);
  const path = join(world.directory, 'cancels.json');
  writeFileSync(path, JSON.stringify([{ external_id: 'MINE-1', cancel_reason: 'test' }]));
  expect((await run(world, 'batch', 'run', path, '--do', 'orders cancel')).exit).not.toBe(0);
  expect(await orders(world)).toHaveLength(2);
});

describe.each(ways)('an order that was cancelled by its %s', (_, named) => {
  it('is made again by its sheet', async () => {
    const world = await shopWorld();
    await sheet(world);
    const [order] = await orders(world);
    expect((await run(world, 'orders', 'cancel', ...named(order), ...reason)).exit).toBe(0);
    expect(await orders(world)).toEqual([]);
    expect((await sheet(world, longer)).counts).toMatchObject({ done: 2 });
    expect(await orders(world)).toHaveLength(2);
  });

  it('is made again after its answer was lost and it was cancelled once more', async () => {
    const world = await losing('CancelOrder');
    await sheet(world);
    const [order] = await orders(world);
    expect((await run(world, 'orders', 'cancel', ...named(order), ...reason)).exit).toBe(10);
    const again = await run(world, 'orders', 'cancel', ...named(order), ...reason);
    expect([again.exit, errorOf(again.stderr).code]).toEqual([5, 'failed_precondition']);
    expect((await sheet(world, longer)).counts).toMatchObject({ done: 2 });
    expect(await orders(world)).toHaveLength(2);
  });

  it('is made again after its answer was lost and somebody said that it was done', async () => {
    const world = await losing('CancelOrder');
    await sheet(world);
    const [order] = await orders(world);
    const lost = await run(world, 'orders', 'cancel', ...named(order), ...reason);
    const { intent } = errorOf(lost.stderr).meta;
    expect((await run(world, 'ledger', 'settle', intent, '--done')).exit).toBe(0);
    expect((await sheet(world, longer)).counts).toMatchObject({ done: 2 });
    expect(await orders(world)).toHaveLength(2);
  });

  it('is made again after a colleague had cancelled it', async () => {
    const world = await shopWorld();
    await sheet(world);
    const [order] = await orders(world);
    const { post, shop } = world.service;
    await post('shop.Order/CancelOrder', { id: order.id, cancel_reason: 'a colleague' }, shop.apiKey);
    await run(world, 'orders', 'cancel', ...names.id(order), ...reason);
    expect((await sheet(world, longer)).counts).toMatchObject({ done: 2 });
  });

  it('is refused while nobody knows whether it was created', async () => {
    const world = await unclearRow();
    const [order] = await orders(world);
    const ended = await run(world, 'orders', 'cancel', ...named(order), ...reason);
    expect([ended.exit, errorOf(ended.stderr)]).toMatchObject([10, { code: 'held_by', outcome: 'not_applied' }]);
    expect(await orders(world)).toHaveLength(1);
  });
});

/** A world in which the first answer to an operation is lost after it was carried out. */
async function losing(operation: string): Promise<ShopWorld> {
  let isLost = false;
  return shopWorld((transport) => async (wire) => {
    const answer = await transport(wire);
    if (isLost || !wire.url.endsWith(operation)) return answer;
    isLost = true;
    throw new TransportError('closed', 'maybe', 'cut off');
  });
}

/** A world with one order that is there, and whose row is unclear: its answer and its look-ups were lost. */
async function unclearRow(): Promise<ShopWorld> {
  let isAway = true;
  const world = await shopWorld((transport) => async (wire) => {
    const answer = await transport(wire);
    if (!isAway) return answer;
    if (wire.url.endsWith('/CreateOrder')) throw new TransportError('closed', 'maybe', 'cut off');
    return wire.url.endsWith('/GetOrder') ? json(200, { order: { id: '7', external_id: 'SOMEBODY' } }) : answer;
  });
  expect((await sheet(world)).counts).toMatchObject({ unclear: 1 });
  isAway = false;
  return world;
}

it('an order whose parcel travels on is not made again', async () => {
  const world = await shopWorld((transport) => async (wire) => {
    const answer = await transport(wire);
    if (!wire.url.endsWith('/CancelOrder')) return answer;
    const fulfillment_errors = [{ code: 'failed_precondition', msg: 'the parcel was picked up' }];
    return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), fulfillment_errors }) };
  });
  await sheet(world);
  const [order] = await orders(world);
  await run(world, 'orders', 'cancel', order.id, ...reason);
  const path = join(world.directory, 'rows.json');
  writeFileSync(path, JSON.stringify([orderFields, longer]));
  const again = await run(world, 'batch', 'run', path, '--do', 'orders create');
  expect([again.exit, errorOf(again.stderr)]).toMatchObject([12, { code: 'rows_shared', meta: { same: '1' } }]);
});

it('an order that is cancelled by its name while it is created is made again afterwards', async () => {
  let release = () => {};
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let held: Promise<void> | undefined = new Promise<void>((resolve) => {
    release = resolve;
  });
  const world = await shopWorld((transport) => async (wire) => {
    const answer = await transport(wire);
    if (!wire.url.endsWith('/CreateOrder') || held === undefined) return answer;
    arrive();
    await held;
    return answer;
  });
  const path = join(world.directory, 'order.json');
  writeFileSync(path, JSON.stringify({ ...orderFields, external_id: 'WEB-1' }));
  const create = () => run(world, 'orders', 'create', '--input', path);
  const creating = create();
  await arrived;
  const turning = { ...steppedClock(), wait: async () => void (await new Promise((done) => setImmediate(done))) };
  const words = ['orders', 'cancel', '--external-id', 'WEB-1', ...reason, '--profile', 'shop', '--yes'];
  let waits = () => {};
  const waiting = new Promise<void>((resolve) => {
    waits = resolve;
  });
  const cancelling = world.run(words, { clock: turning, onStderr: (text) => text.includes('waiting') && waits() });
  // What does not wait has ended.
  await Promise.race([waiting, cancelling]);
  release();
  held = undefined;
  expect([(await creating).exit, (await cancelling).exit]).toEqual([0, 0]);
  expect(await orders(world)).toEqual([]);
  expect((await create()).exit).toBe(0);
  expect(await orders(world)).toHaveLength(1);
});

it('a delivery that the service did not cancel counts as made', async () => {
  const world = await shopWorld(
    (transport) => async (wire) =>
      wire.url.endsWith('/CancelShipnowFulfillment') ? json(200, { updated: 0 }) : transport(wire),
  );
  const { body } = await priceOf(world.service);
  const { code, fee } = body.services[0];
  const delivery = { ...twoStops, shipping_service_code: code, shipping_service_fee: fee, external_id: 'TRIP-1' };
  const path = join(world.directory, 'delivery.json');
  writeFileSync(path, JSON.stringify(delivery));
  const create = () => run(world, 'shipnow', 'create', '--input', path);
  const made = JSON.parse((await create()).stdout);
  await run(world, 'shipnow', 'cancel', made.id, ...reason);
  const again = await create();
  expect([again.exit, JSON.parse(again.stdout).id]).toEqual([0, made.id]);
});

/** Counts the changes that are at the service at once, and holds each until another is there or waits. */
function counting() {
  const state = { now: 0, most: 0, seen: 0 };
  const between =
    (transport: Transport): Transport =>
    async (wire) => {
      if (!/\/(?:CancelOrder|ConfirmOrder)$/.test(wire.url)) return transport(wire);
      state.now += 1;
      state.seen += 1;
      state.most = Math.max(state.most, state.now);
      for (let turns = 0; turns < 50; turns += 1) await new Promise((done) => setImmediate(done));
      const answer = await transport(wire);
      state.now -= 1;
      return answer;
    };
  return { state, between };
}

it.each([
  ['two cancellations by other names', (order: Record<string, string>) => [names.id(order), names.code(order)]],
  [
    'a cancellation by name beside one by code',
    (order: Record<string, string>) => [names.external_id(order), names.code(order)],
  ],
])('%s of one order never run at once', async (_, both) => {
  const { state, between } = counting();
  const world = await shopWorld(between);
  await sheet(world);
  const [order] = await orders(world);
  const turning = () => ({
    ...steppedClock(),
    wait: async () => void (await new Promise((done) => setImmediate(done))),
  });
  const cancel = (words: string[]) =>
    world.run(['orders', 'cancel', ...words, ...reason, '--profile', 'shop', '--yes', '-o', 'json'], {
      clock: turning(),
    });
  const ended = await Promise.all(both(order).map(cancel));
  expect([state.most, ended.map(({ exit }) => exit).sort()]).toEqual([1, [0, 5]]);
});

it('a confirmation beside a cancellation of one order never runs at once', async () => {
  const { state, between } = counting();
  const world = await shopWorld(between);
  await sheet(world);
  const [order] = await orders(world);
  const turning = () => ({
    ...steppedClock(),
    wait: async () => void (await new Promise((done) => setImmediate(done))),
  });
  const words = [
    ['orders', 'confirm', order.id],
    ['orders', 'cancel', ...names.code(order), ...reason],
  ];
  await Promise.all(
    words.map((one) => world.run([...one, '--profile', 'shop', '--yes', '-o', 'json'], { clock: turning() })),
  );
  expect([state.most, state.seen]).toEqual([1, 2]);
});

it('nothing is sent where the record of a code cannot be read', async () => {
  const sent: string[] = [];
  const world = await shopWorld((transport) => async (wire) => {
    sent.push(wire.url.split('/').at(-1) ?? '');
    return wire.url.endsWith('/GetOrder') ? json(500, { code: 'internal', msg: 'no', meta: {} }) : transport(wire);
  });
  const ended = await run(world, 'orders', 'cancel', '--code', 'DH000001', ...reason);
  expect([ended.exit, errorOf(ended.stderr).outcome, sent.includes('CancelOrder')]).toEqual([13, 'not_applied', false]);
});

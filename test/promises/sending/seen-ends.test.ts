/* A record that ended elsewhere is made again by its sheet once the mirror or the listener has seen that. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { orderFields } from '../../support/sandbox-order.ts';
import { type Between, type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const run = (world: ShopWorld, ...words: string[]) =>
  world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], { clock: steppedClock(world.service.clock.now()) });

const longer = { ...orderFields, order_note: 'one more' };

function batchRun(world: ShopWorld, orders: readonly object[], ...words: string[]) {
  const path = join(world.directory, 'rows.json');
  writeFileSync(path, JSON.stringify(orders));
  return run(world, 'batch', 'run', path, '--do', 'orders create', ...words);
}

/** Runs orders as a sheet. */
const sheet = (world: ShopWorld, ...orders: readonly object[]) => batchRun(world, orders);

/** The same, and what has ended is sent again. */
const resent = (world: ShopWorld, ...orders: readonly object[]) =>
  batchRun(world, orders, '--resend-ended', 'cancelled');

async function live({ service: { post, shop } }: ShopWorld): Promise<readonly { readonly id: string }[]> {
  const { body } = await post('shop.Order/ListOrders', {}, shop.apiKey);
  return body.orders.filter(({ status }: { status: string }) => status !== 'N');
}

/** Cancels an order as a colleague does, at the service itself. */
async function cancelElsewhere({ service: { post, shop } }: ShopWorld, id: string): Promise<void> {
  expect((await post('shop.Order/CancelOrder', { id, cancel_reason: 'a colleague' }, shop.apiKey)).status).toBe(200);
}

/** What sees the end of a record, in the course of what it does anyway. */
const seers = {
  'the mirror': async (world: ShopWorld, happens: () => Promise<void>) => {
    await happens();
    expect((await run(world, 'mirror', 'sync')).exit).toBe(0);
  },
  'the listener': async (world: ShopWorld, happens: () => Promise<void>) => {
    const ending = new AbortController();
    let out = '';
    let look = () => {};
    const words = ['webhooks', 'listen', '--register', '--port', '0', '--profile', 'shop', '--json'];
    const ended = world.run(words, {
      signal: ending.signal,
      onStdout(text) {
        out += text;
        look();
      },
    });
    const end = () => {
      ending.abort('SIGINT');
      return ended;
    };
    onTestFinished(async () => void (await end()));
    const said = (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        look = () => pattern.test(out) && resolve();
        void ended.then(({ stderr }) => reject(new Error(stderr)));
        look();
      });
    await said(/"ready"/);
    await happens();
    await world.service.sandbox.control.clock.advance('6s', { untilIdle: true });
    await said(/"change_type":/);
    expect((await end()).exit).toBe(0);
  },
};

describe.each(Object.entries(seers))('what %s sees', (_, sees) => {
  it('frees an order that a colleague has cancelled', async () => {
    const world = await shopWorld();
    await sheet(world, orderFields);
    const [order] = await live(world);
    await sees(world, () => cancelElsewhere(world, order?.id ?? ''));
    const left = await sheet(world, orderFields, longer);
    expect([left.exit, JSON.parse(left.stdout).counts]).toMatchObject([0, { done: 1, ended: 1 }]);
    const again = await resent(world, orderFields, { ...longer, order_note: 'and another one' });
    expect([again.exit, JSON.parse(again.stdout).counts]).toMatchObject([0, { done: 2 }]);
    expect(await live(world)).toHaveLength(3);
  });

  it('frees the name of a product that was deleted elsewhere', async () => {
    const world = await shopWorld();
    const create = () => run(world, 'products', 'create', '--name', 'Mũ', '--external-id', 'MU-1');
    const { id } = JSON.parse((await create()).stdout);
    const { post, shop } = world.service;
    await sees(world, async () => {
      expect((await post('shop.Product/DeleteProduct', { id }, shop.apiKey)).status).toBe(200);
    });
    const again = await create();
    expect([again.exit, JSON.parse(again.stdout).id === id]).toEqual([0, false]);
  });

  it('leaves what it tells of other records as it is', async () => {
    const world = await shopWorld();
    const { post, shop } = world.service;
    await post('shop.Order/CreateOrder', orderFields, shop.apiKey);
    const [other] = await live(world);
    await sheet(world, longer);
    await sees(world, () => cancelElsewhere(world, other?.id ?? ''));
    const again = await sheet(world, longer, { ...longer, order_note: 'two more' });
    expect([again.exit, errorOf(again.stderr).code]).toEqual([12, 'rows_shared']);
  });
});

it('an order that is cancelled while its parcel travels on is not freed by what the mirror sees', async () => {
  const between: Between = (transport) => async (wire) => {
    const answer = await transport(wire);
    if (!wire.url.endsWith('/ListOrders')) return answer;
    const { orders, ...rest } = JSON.parse(answer.body);
    const travelling = orders.map((order: object) => ({ ...order, fulfillment_shipping_status: 'S' }));
    return { ...answer, body: JSON.stringify({ ...rest, orders: travelling }) };
  };
  const world = await shopWorld(between);
  await sheet(world, orderFields);
  const [order] = await live(world);
  await cancelElsewhere(world, order?.id ?? '');
  expect((await run(world, 'mirror', 'sync')).exit).toBe(0);
  const again = await sheet(world, orderFields, longer);
  expect([again.exit, errorOf(again.stderr).code]).toEqual([12, 'rows_shared']);
});

it('a sheet waits for the cancellation of its order whose outcome nobody knows, and then makes it again', async () => {
  const world = await shopWorld((transport) => async (wire) => {
    const answer = await transport(wire);
    if (wire.url.endsWith('CancelOrder')) throw new TransportError('closed', 'maybe', 'the connection was closed');
    return answer;
  });
  const named = { ...orderFields, external_id: 'N-1' };
  const other = { ...longer, external_id: 'N-2' };
  await sheet(world, named);
  const [made] = await live(world);
  const cancelled = await run(world, 'orders', 'cancel', made?.id ?? '', '--cancel-reason', 'wrong');
  expect([cancelled.exit, (await live(world)).length]).toEqual([10, 0]);
  const ran = await sheet(world, named, other);
  expect([ran.exit, JSON.parse(ran.stdout).counts]).toMatchObject([10, { done: 1, existed: 0, left: 1 }]);
  const [, intent = ''] = /ledger settle (\w+) --done/.exec(cancelled.stderr) ?? [];
  await run(world, 'ledger', 'settle', intent, '--done');
  const again = await sheet(world, named, other);
  expect([again.exit, JSON.parse(again.stdout).counts, (await live(world)).length]).toMatchObject([0, { done: 2 }, 2]);
});

it('a cancellation that is answered by a conflict that cannot be read is unknown, and found to be done once more', async () => {
  let times = 0;
  const world = await shopWorld((transport) => async (wire) => {
    const answer = await transport(wire);
    if (!wire.url.endsWith('CancelOrder') || times > 0) return answer;
    times += 1;
    return { status: 409, headers: { 'content-type': 'text/html' }, body: '<h1>Conflict</h1>' };
  });
  await sheet(world, orderFields);
  const [order] = await live(world);
  const cancel = () => run(world, 'orders', 'cancel', order?.id ?? '', '--cancel-reason', 'wrong');
  const first = await cancel();
  expect([first.exit, errorOf(first.stderr).outcome]).toEqual([10, 'unknown']);
  await cancel();
  const again = await resent(world, orderFields, longer);
  expect([again.exit, JSON.parse(again.stdout).counts]).toMatchObject([0, { done: 2 }]);
});

describe('a sheet whose rows were made before', () => {
  const named = [1, 2, 3].map((number) => ({ ...orderFields, external_id: `N-${number}`, order_note: `${number}` }));
  const other = { ...orderFields, external_id: 'N-9', order_note: '9' };

  /** A world whose orders are made, and how often one of them has been read. */
  async function madeBefore() {
    const state = { reads: 0 };
    const world = await shopWorld((transport) => async (wire) => {
      if (/\/(?:GetOrder|ListOrders)$/.test(wire.url)) state.reads += 1;
      return transport(wire);
    });
    await sheet(world, ...named);
    const ids = (await live(world)).map(({ id }) => id);
    state.reads = 0;
    return { world, state, ids };
  }

  it('makes again what a colleague has cancelled, where the first of them has ended', async () => {
    const { world, ids } = await madeBefore();
    for (const id of ids.slice(0, 2)) await cancelElsewhere(world, id);
    const again = await resent(world, ...named, other);
    expect([again.exit, JSON.parse(again.stdout).counts]).toMatchObject([0, { done: 3, existed: 1 }]);
    expect(await live(world)).toHaveLength(4);
  });

  it('reads them by one list', async () => {
    const { world, state } = await madeBefore();
    const again = await sheet(world, ...named, other);
    expect([JSON.parse(again.stdout).counts, state.reads]).toMatchObject([{ done: 1, existed: 3 }, 1]);
  });

  it('plans it, and leaves it as it was, where somebody only looks', async () => {
    const { world, ids } = await madeBefore();
    for (const id of ids) await cancelElsewhere(world, id);
    const path = join(world.directory, 'rows.json');
    writeFileSync(path, JSON.stringify([...named, other]));
    const looked = await run(world, 'batch', 'run', path, '--do', 'orders create', '--dry-run');
    expect([looked.exit, await live(world)]).toEqual([0, []]);
    const makers = (await run(world, 'batch', 'list')).stdout;
    expect(JSON.parse(makers)).toMatchObject([{ counts: { done: 3, undone: 0 } }]);
  });

  it('goes on with the rows of another batch whose records have ended under other names', async () => {
    const world = await shopWorld();
    const { batch } = JSON.parse((await sheet(world, orderFields)).stdout);
    const [order] = await live(world);
    await cancelElsewhere(world, order?.id ?? '');
    const path = join(world.directory, 'rows.json');
    writeFileSync(path, JSON.stringify([orderFields, longer]));
    const words = ['batch', 'run', path, '--do', 'orders create', '--continue', batch];
    const left = await run(world, ...words);
    expect([left.exit, JSON.parse(left.stdout).counts], left.stderr).toMatchObject([0, { done: 1, ended: 1 }]);
    const again = await run(world, ...words, '--resend-ended', 'cancelled');
    expect([again.exit, JSON.parse(again.stdout).counts], again.stderr).toMatchObject([0, { done: 1, existed: 1 }]);
    expect(await live(world)).toHaveLength(2);
  });
});

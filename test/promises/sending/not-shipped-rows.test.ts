/* An order that was created and not shipped is not what a row asks for that ships. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manyOrders } from '../../batch/batch-world.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { type Between, type ShopWorld, shopWorld } from '../../support/shop-world.ts';

const isQuote = ({ url }: { readonly url: string }) => url.endsWith('/GetShippingServices');
const isShipment = ({ url }: { readonly url: string }) => url.endsWith('/CreateAndConfirmOrder');
const ofShop = ['--yes', '-o', 'json', '--profile', 'shop'];

function sheetIn({ directory }: ShopWorld, names: readonly string[]): string {
  const path = join(directory, 'orders.json');
  const rows = names.map((external_id) => ({ ...orderFields, shipping: shippingFields, external_id }));
  writeFileSync(path, JSON.stringify(rows));
  return path;
}

/** Creates an order under a name, and ships nothing; returns its id. */
async function created(world: ShopWorld, external_id: string): Promise<string> {
  const ran = await world.run(['orders', 'create', '--input', plainOrder(world, { external_id }), ...ofShop]);
  return JSON.parse(ran.stdout).id;
}

async function rowsOf(world: ShopWorld, batch: string) {
  const { stdout } = await world.run(['batch', 'rows', batch, '-o', 'json', '--profile', 'shop']);
  return JSON.parse(stdout);
}

/** A world that does something once, when a call first leaves. */
async function worldThat(isCall: typeof isQuote, deed: (world: ShopWorld) => Promise<unknown>): Promise<ShopWorld> {
  let isDone = false;
  const between: Between = (transport) => async (request) => {
    if (isCall(request) && !isDone) {
      isDone = true;
      await deed(world);
    }
    return transport(request);
  };
  const world = await shopWorld(between);
  return world;
}

const notShipped = (name: string, id: string) => ({
  state: 'failed',
  id,
  error: { code: 'not_shipped', message: expect.stringContaining(`${name} was created before`) },
});

it('says so of a row in a plan, and lets a retry find that it was confirmed since', async () => {
  const world = await shopWorld();
  const id = await created(world, 'A-1');
  const sheet = sheetIn(world, ['A-1', 'A-2']);
  const planned = await world.run(['batch', 'plan', sheet, '-o', 'json', '--profile', 'shop']);
  expect(JSON.parse(planned.stdout).counts).toMatchObject({ failed: 1, left: 1, existed: 0 });
  const ran = await world.run(['batch', 'run', sheet, ...ofShop]);
  const { batch, counts } = JSON.parse(ran.stdout);
  expect([ran.exit, counts]).toMatchObject([9, { done: 1, failed: 1, existed: 0 }]);
  expect((await rowsOf(world, batch))[0]).toMatchObject(notShipped('A-1', id));
  const still = await world.run(['batch', 'retry', batch, '--yes', ...ofShop]);
  expect([still.exit, (await rowsOf(world, batch))[0]]).toMatchObject([9, notShipped('A-1', id)]);
  expect((await world.run(['orders', 'confirm', id, ...ofShop])).exit).toBe(0);
  const retried = await world.run(['batch', 'retry', batch, '--yes', ...ofShop]);
  expect([retried.exit, JSON.parse(retried.stdout).counts]).toMatchObject([0, { done: 1, existed: 1, failed: 0 }]);
  expect((await rowsOf(world, batch))[0]).toMatchObject({ state: 'existed', id, error: null });
});

it('says so of a row whose order was created while its batch was quoted', async () => {
  let id = '';
  const world = await worldThat(isQuote, async (own) => {
    id = await created(own, 'A-2');
  });
  const ran = await world.run(['batch', 'run', sheetIn(world, ['A-1', 'A-2']), ...ofShop]);
  const { batch, counts } = JSON.parse(ran.stdout);
  expect([ran.exit, counts]).toMatchObject([9, { done: 1, failed: 1, existed: 0, left: 0 }]);
  expect((await rowsOf(world, batch))[1]).toMatchObject(notShipped('A-2', id));
});

it('says so of a row that a resume finds created', async () => {
  const stop = new AbortController();
  const world = await worldThat(isShipment, async () => stop.abort('SIGINT'));
  const run = ['batch', 'run', sheetIn(world, ['A-1', 'A-2']), '--concurrency', '1', ...ofShop];
  expect((await world.run(run, { signal: stop.signal })).exit).toBe(130);
  const id = await created(world, 'A-2');
  const resumed = await world.run(['batch', 'resume', ...ofShop]);
  const { batch, counts } = JSON.parse(resumed.stdout);
  expect([resumed.exit, counts]).toMatchObject([9, { done: 1, failed: 1, existed: 0 }]);
  expect((await rowsOf(world, batch))[1]).toMatchObject(notShipped('A-2', id));
});

it('says so of the rows of a batch that created orders, and goes on as one that ships them', async () => {
  const world = await shopWorld();
  const sheet = join(world.directory, 'orders.csv');
  writeFileSync(sheet, manyOrders(2, false));
  const made = JSON.parse((await world.run(['batch', 'run', sheet, '--do', 'orders create', ...ofShop])).stdout);
  expect(made.counts).toMatchObject({ done: 2 });
  const ran = await world.run(['batch', 'run', sheet, '--continue', made.batch, ...ofShop]);
  expect([ran.exit, JSON.parse(ran.stdout).counts]).toMatchObject([9, { done: 0, existed: 0, failed: 2 }]);
});

it('finds a row existing whose order was shipped before, and one ended that was cancelled since', async () => {
  const world = await shopWorld();
  const id = await created(world, 'A-1');
  expect((await world.run(['batch', 'run', sheetIn(world, ['A-2']), ...ofShop])).exit).toBe(0);
  await world.service.post('shop.Order/CancelOrder', { id, cancel_reason: 'elsewhere' }, world.service.shop.apiKey);
  const ran = await world.run(['batch', 'run', sheetIn(world, ['A-1', 'A-2', 'A-3']), ...ofShop]);
  const { batch, counts } = JSON.parse(ran.stdout);
  expect([ran.exit, counts]).toMatchObject([0, { done: 1, existed: 1, ended: 1 }]);
  expect((await rowsOf(world, batch))[0]).toMatchObject({ state: 'ended', error: { code: 'cancelled' } });
});

it('finds a row existing whose parcel was sent by hand, and came back', async () => {
  const world = await shopWorld((transport) => async (request) => {
    const answer = await transport(request);
    if (!request.url.endsWith('/GetOrder')) return answer;
    return { ...answer, body: answer.body.replaceAll(/"(status|fulfillment_shipping_status)":"Z"/g, '"$1":"NS"') };
  });
  const id = await created(world, 'A-1');
  const ran = await world.run(['batch', 'run', sheetIn(world, ['A-1', 'A-2']), ...ofShop]);
  const { batch, counts } = JSON.parse(ran.stdout);
  expect([ran.exit, counts]).toMatchObject([0, { done: 1, existed: 1, failed: 0 }]);
  expect((await rowsOf(world, batch))[0]).toMatchObject({ state: 'existed', id });
});

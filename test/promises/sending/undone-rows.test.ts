/* Rows that were undone and are made again, as a person says: once, whoever goes on with their batch. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

/** Runs a command at the service's time. */
const run = (world: ShopWorld, ...words: string[]) =>
  world.run([...words, '--yes', '-o', 'json'], { clock: steppedClock(world.service.clock.now()) });

function fileIn({ directory }: ShopWorld, rows: readonly object[]): string {
  const path = join(directory, 'rows.json');
  writeFileSync(path, JSON.stringify(rows));
  return path;
}

const { total_amount: _, ...order } = { ...orderFields, shipping: shippingFields };
const customer = (number: number) => ({ full_name: `Khách ${number}`, phone: `09${10_000_000 + number}` });

async function batchOf(world: ShopWorld, ...words: string[]): Promise<{ batch: string; counts: object }> {
  return JSON.parse((await run(world, 'batch', 'run', ...words)).stdout);
}

async function customersThere(world: ShopWorld, name: string): Promise<number> {
  const listed = JSON.parse((await run(world, 'customers', 'list', '--profile', 'shop')).stdout);
  return listed.filter((one: { full_name: string }) => one.full_name === name).length;
}

const resent = ['--resend-ended', 'undone'];
const create = ['--do', 'customers create', '--profile', 'shop', ...resent];

it('makes again what was undone once, though two runs continue its batch', async () => {
  const world = await shopWorld();
  const file = fileIn(world, [customer(1)]);
  const { batch } = await batchOf(world, file, ...create);
  await run(world, 'batch', 'undo', batch, '--profile', 'shop');
  const second = await batchOf(world, file, ...create, '--continue', batch);
  const longer = fileIn(world, [customer(1), customer(2)]);
  const third = await batchOf(world, longer, ...create, '--continue', batch);
  expect([second.counts, third.counts]).toMatchObject([{ done: 1 }, { done: 1, existed: 1 }]);
  expect(await customersThere(world, 'Khách 1')).toBe(1);
});

it('makes again once what was undone twice, under a number that was never used', async () => {
  const world = await shopWorld();
  const file = fileIn(world, [customer(1)]);
  const { batch: first } = await batchOf(world, file, ...create);
  await run(world, 'batch', 'undo', first, '--profile', 'shop');
  const { batch: second } = await batchOf(world, file, ...create, '--continue', first);
  await run(world, 'batch', 'undo', second, '--profile', 'shop');
  const { batch: third } = await batchOf(world, file, ...create, '--continue', first);
  const longer = fileIn(world, [customer(1), customer(2)]);
  const last = await batchOf(world, longer, ...create, '--continue', third);
  expect([last.counts, await customersThere(world, 'Khách 1')]).toMatchObject([{ done: 1, existed: 1 }, 1]);
  const made = await Promise.all([first, second, third].map((batch) => run(world, 'batch', 'rows', batch)));
  const rows = made.flatMap(({ stdout }) => JSON.parse(stdout));
  expect(rows.map(({ state, error }) => [state, error])).toEqual([
    ['undone', null],
    ['undone', null],
    ['done', null],
  ]);
  expect(new Set(rows.map(({ external_id }) => external_id)).size).toBe(3);
});

it('makes each of two equal rows again once', async () => {
  const world = await shopWorld();
  const file = fileIn(world, [customer(1), customer(1)]);
  const { batch } = await batchOf(world, file, ...create);
  await run(world, 'batch', 'undo', batch, '--profile', 'shop');
  const second = await batchOf(world, file, ...create, '--continue', batch);
  const longer = fileIn(world, [customer(1), customer(1), customer(2)]);
  const third = await batchOf(world, longer, ...create, '--continue', batch);
  expect([second.counts, third.counts]).toMatchObject([{ done: 2 }, { done: 1, existed: 2 }]);
  expect(await customersThere(world, 'Khách 1')).toBe(2);
});

it('does not take a new equal row for the one that was made again under the next number', async () => {
  const world = await shopWorld();
  const { batch } = await batchOf(world, fileIn(world, [customer(1), customer(2)]), ...create);
  await run(world, 'batch', 'undo', batch, '--profile', 'shop');
  const again = await batchOf(world, fileIn(world, [customer(1), customer(2)]), ...create, '--continue', batch);
  const more = fileIn(world, [customer(1), customer(1), customer(2)]);
  const third = await run(world, 'batch', 'run', more, ...create, '--continue', again.batch);
  expect([third.exit, JSON.parse(third.stdout).counts]).toMatchObject([0, { done: 1, existed: 2 }]);
  expect(await customersThere(world, 'Khách 1')).toBe(2);
});

/** A sheet of one customer that was undone, and a batch of more of them that is planned: from the second number on. */
async function plannedAfterAnUndo(count: number) {
  const sent: string[] = [];
  let isAway = false;
  const world = await shopWorld((transport) => async (wire) => {
    if (!wire.url.endsWith('/CreateCustomer')) return transport(wire);
    if (isAway) throw new TransportError('refused', 'no', 'no connection');
    const { external_id, full_name } = JSON.parse(wire.body);
    if (full_name === 'Khách 1') sent.push(external_id);
    return transport(wire);
  });
  const one = fileIn(world, [customer(1)]);
  const { batch: first } = await batchOf(world, one, ...create);
  await run(world, 'batch', 'undo', first, '--profile', 'shop');
  // Another sheet than that of the runs between.
  const rows = [...Array.from({ length: count }, () => customer(1)), customer(2)];
  isAway = true;
  const left = await batchOf(world, fileIn(world, rows), ...create, '--continue', first, '--max-outage', '1s');
  expect(left.counts).toMatchObject({ left: count + 1 });
  isAway = false;
  fileIn(world, [customer(1)]);
  return {
    world,
    sent,
    /** Another run makes the record under the next number; returns its batch. */
    make: async () => (await batchOf(world, one, ...create, '--continue', first)).batch,
    undo: (made: string) => run(world, 'batch', 'undo', made, '--profile', 'shop'),
    resume: async () =>
      JSON.parse((await run(world, 'batch', 'resume', left.batch, '--profile', 'shop')).stdout).counts,
  };
}

it('gives a row whose number was undone after it was planned one that nobody has used', async () => {
  const { world, sent, make, undo, resume } = await plannedAfterAnUndo(1);
  for (let times = 0; times < 2; times += 1) await undo(await make());
  expect(await resume()).toMatchObject({ done: 2 });
  expect([sent.length, new Set(sent).size, await customersThere(world, 'Khách 1')]).toEqual([4, 4, 1]);
});

it('gives such a row no number of its neighbours', async () => {
  const { world, sent, make, undo, resume } = await plannedAfterAnUndo(2);
  await undo(await make());
  expect(await resume()).toMatchObject({ done: 3 });
  expect([sent.length, new Set(sent).size, await customersThere(world, 'Khách 1')]).toEqual([4, 4, 2]);
});

it('sends nothing for such a row where somebody has made it again under the next number', async () => {
  const { world, sent, make, undo, resume } = await plannedAfterAnUndo(1);
  await undo(await make());
  await make();
  expect(await resume()).toMatchObject({ done: 1, existed: 1 });
  expect([sent.length, await customersThere(world, 'Khách 1')]).toEqual([3, 1]);
});

it('refuses to make an order again of which a command has sent an equal one meanwhile', async () => {
  const world = await shopWorld();
  const file = fileIn(world, [order]);
  const { batch } = await batchOf(world, file, '--do', 'ship');
  await run(world, 'batch', 'undo', batch);
  const single = await run(world, 'ship', '--input', plainOrder(world), '--pick', 'cheapest');
  const ran = await batchOf(world, file, '--do', 'ship', '--continue', batch, ...resent);
  expect([single.exit, ran.counts]).toMatchObject([0, { done: 0, failed: 1 }]);
});

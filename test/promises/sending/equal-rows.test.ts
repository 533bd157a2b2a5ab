/* Rows without a name of their own, and equal orders that other work has sent: the claim decides. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plainOrder } from '../../support/plain-order.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { errorAnswer } from '../../support/scripted-transport.ts';
import { type Between, type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const isQuote = ({ url }: { readonly url: string }) => url.endsWith('/GetShippingServices');
const isCreate = ({ url }: { readonly url: string }) => url.endsWith('/CreateAndConfirmOrder');

function sheetIn({ directory }: ShopWorld, count: number): string {
  const path = join(directory, 'rows.json');
  const { total_amount: _, ...row } = { ...orderFields, shipping: shippingFields };
  writeFileSync(path, JSON.stringify(Array.from({ length: count }, () => row)));
  return path;
}

/** Runs a command at the service's time. */
const run = (world: ShopWorld, ...words: string[]) =>
  world.run([...words, '--yes', '-o', 'json'], { clock: steppedClock(world.service.clock.now()) });

it('refuses a row at its claim that a command has sent since its plan, and sends it a day later', async () => {
  let isSent = false;
  const between: Between = (transport) => async (request) => {
    if (isQuote(request) && !isSent) {
      isSent = true;
      await run(world, 'ship', '--input', plainOrder(world), '--pick', 'cheapest');
    }
    return transport(request);
  };
  const world = await shopWorld(between);
  const ran = await run(world, 'batch', 'run', sheetIn(world, 1));
  const { batch, counts } = JSON.parse(ran.stdout);
  expect([ran.exit, counts]).toMatchObject([9, { done: 0, failed: 1 }]);
  const rows = JSON.parse((await world.run(['batch', 'rows', batch, '-o', 'json'])).stdout);
  expect(rows[0].error.code).toBe('sent_before');
  const early = await run(world, 'batch', 'retry', batch, '--yes');
  expect([early.exit, JSON.parse(early.stdout).counts]).toMatchObject([9, { failed: 1 }]);
  world.service.clock.advance(25 * 3_600_000);
  const late = await run(world, 'batch', 'retry', batch, '--yes');
  expect([late.exit, JSON.parse(late.stdout).counts]).toMatchObject([0, { done: 1, failed: 0 }]);
});

it('goes by the time of the service, however wrong the clock of this machine is', async () => {
  const world = await shopWorld();
  const sent = await run(world, 'ship', '--input', plainOrder(world), '--pick', 'cheapest');
  const clock = steppedClock(world.service.clock.now() + 40 * 24 * 3_600_000);
  const ran = await world.run(['batch', 'run', sheetIn(world, 1), '--yes', '-o', 'json'], { clock });
  expect([sent.exit, ran.exit, JSON.parse(ran.stdout).counts]).toMatchObject([0, 9, { done: 0, failed: 1 }]);
});

it('does not refuse a row for its equal in the same batch', async () => {
  let creates = 0;
  const world = await shopWorld((transport) => async (request) => {
    if (isCreate(request)) creates += 1;
    return isCreate(request) && creates === 2 ? errorAnswer(400, 'failed_precondition') : transport(request);
  });
  const ran = await run(world, 'batch', 'run', sheetIn(world, 2), '--concurrency', '1');
  const { batch, counts } = JSON.parse(ran.stdout);
  expect(counts).toMatchObject({ done: 1, failed: 1 });
  const retried = await run(world, 'batch', 'retry', batch, '--yes');
  expect([retried.exit, JSON.parse(retried.stdout).counts]).toMatchObject([0, { done: 2, failed: 0 }]);
});

/* What a row that changes an order is tested with, and what holds by whichever of its names the row calls it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { orderFields } from '../../support/sandbox-order.ts';
import { json } from '../../support/scripted-transport.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

type Fields = Readonly<Record<string, string>>;

/** Time that passes as it is waited for, while everything else goes on. */
const turning = (world: ShopWorld) => ({
  ...steppedClock(world.service.clock.now()),
  wait: async () => void (await new Promise((done) => setImmediate(done))),
});

export const run = (world: ShopWorld, ...words: string[]) =>
  world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], { clock: turning(world) });

/** The live orders of the shop, asked of the service itself. */
export async function orders({ service: { post, shop } }: ShopWorld) {
  const { body } = await post('shop.Order/ListOrders', {}, shop.apiKey);
  return body.orders.filter((one: { status: string }) => one.status !== 'N');
}

/** What has ended is sent again. */
const RESENT = ['--resend-ended', 'cancelled', '--resend-ended', 'undone'];

/** Runs rows as a sheet; returns how the run ended, its counts and its rows. */
export async function sheet(world: ShopWorld, words: string, ...rows: readonly object[]) {
  const path = join(world.directory, `${words.replaceAll(' ', '-')}.json`);
  writeFileSync(path, JSON.stringify(rows));
  const { exit, stdout, stderr } = await run(
    world,
    'batch',
    'run',
    path,
    '--do',
    words,
    ...(words === 'orders create' ? RESENT : []),
  );
  const { batch, counts } = JSON.parse(stdout);
  const listed = await run(world, 'batch', 'rows', batch);
  return { exit, stderr, batch, counts, rows: JSON.parse(listed.stdout) };
}

export const made = (world: ShopWorld, ...more: object[]) => sheet(world, 'orders create', orderFields, ...more);
export const longer = { ...orderFields, order_note: 'one more' };
export const cancel_reason = 'test';

export const names = {
  id: ({ id = '' }: Fields) => ({ id }),
  code: ({ code = '' }: Fields) => ({ code }),
  external_id: ({ external_id = '' }: Fields) => ({ external_id }),
};
export const ways = Object.entries(names);

export const cancelled = (world: ShopWorld, ...called: readonly object[]) =>
  sheet(world, 'orders cancel', ...called.map((one) => ({ ...one, cancel_reason })));

/** A world in which the first answer to an operation is lost, and look-ups tell of another order until it is found. */
async function losing(operation: string, lookups = /^$/): Promise<ShopWorld & { find(): void }> {
  let [isLost, isFound] = [false, false];
  const world = await shopWorld((transport) => async (wire) => {
    if (isLost && !isFound && lookups.test(wire.url))
      return json(200, { order: { id: '7', code: 'X', external_id: 'X' } });
    const answer = await transport(wire);
    if (isLost || !wire.url.endsWith(operation)) return answer;
    isLost = true;
    throw new TransportError('closed', 'maybe', 'cut off');
  });
  return Object.assign(world, {
    find: () => {
      isFound = true;
    },
  });
}

/** An order is one, by whichever of these names a row calls it. */
export function orderCalledByARow(called: typeof ways): void {
  describe.each(called)('an order that a row calls by its %s', (_, named) => {
    it('is made again by its sheet once it was cancelled', async () => {
      const world = await shopWorld();
      await made(world);
      const [order] = await orders(world);
      expect((await cancelled(world, named(order))).counts).toMatchObject({ done: 1 });
      expect(await orders(world)).toEqual([]);
      expect((await made(world, longer)).counts).toMatchObject({ done: 2 });
    });

    it('is made again after the answer to its cancellation was lost', async () => {
      const world = await losing('CancelOrder');
      await made(world);
      const [order] = await orders(world);
      expect((await cancelled(world, named(order))).counts).toMatchObject({ done: 1 });
      expect((await made(world, longer)).counts).toMatchObject({ done: 2 });
    });

    it('is made again once somebody said that its cancellation was done', async () => {
      const world = await losing('CancelOrder', /\/GetOrder$/);
      await made(world);
      const [order] = await orders(world);
      const lost = await cancelled(world, named(order));
      expect(lost.counts).toMatchObject({ unclear: 1 });
      world.find();
      expect((await run(world, 'batch', 'settle', lost.batch, '1', '--done')).exit).toBe(0);
      expect((await made(world, longer)).counts).toMatchObject({ done: 2 });
    });

    it('is made again after a colleague had cancelled it before the row', async () => {
      const world = await shopWorld();
      await made(world);
      const [order] = await orders(world);
      const { post, shop } = world.service;
      await post('shop.Order/CancelOrder', { id: order.id, cancel_reason: 'a colleague' }, shop.apiKey);
      expect((await cancelled(world, named(order))).counts).toMatchObject({ failed: 1 });
      expect((await made(world, longer)).counts).toMatchObject({ done: 2 });
    });

    it('is not cancelled while nobody knows whether it was created', async () => {
      let isAway = true;
      const world = await shopWorld((transport) => async (wire) => {
        const answer = await transport(wire);
        if (!isAway) return answer;
        if (wire.url.endsWith('/CreateOrder')) throw new TransportError('closed', 'maybe', 'cut off');
        return wire.url.endsWith('/GetOrder') ? json(200, { order: { id: '7', external_id: 'SOMEBODY' } }) : answer;
      });
      expect((await made(world)).counts).toMatchObject({ unclear: 1 });
      isAway = false;
      const [order] = await orders(world);
      const ended = await cancelled(world, named(order));
      expect([ended.exit, ended.counts, ended.rows[0].error]).toMatchObject([10, { left: 1 }, { code: 'held_by' }]);
      expect(await orders(world)).toHaveLength(1);
    });

    it('is not made again while its parcel travels on', async () => {
      const world = await shopWorld((transport) => async (wire) => {
        const answer = await transport(wire);
        if (!wire.url.endsWith('/CancelOrder')) return answer;
        const fulfillment_errors = [{ code: 'failed_precondition', msg: 'the parcel was picked up' }];
        return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), fulfillment_errors }) };
      });
      await made(world);
      const [order] = await orders(world);
      expect((await cancelled(world, named(order))).counts).toMatchObject({ failed: 1 });
      const path = join(world.directory, 'rows.json');
      writeFileSync(path, JSON.stringify([orderFields, longer]));
      const again = await run(world, 'batch', 'run', path, '--do', 'orders create');
      expect([again.exit, errorOf(again.stderr).code]).toEqual([12, 'rows_shared']);
    });
  });
}

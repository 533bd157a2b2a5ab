/* A list that is null may be empty or none: where it would delete or end something, it is asked for once more, and refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orderFields } from '../../support/sandbox-order.ts';
import { json } from '../../support/scripted-transport.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

/** A world whose service answers so many calls of a list with null. */
async function nullWorld() {
  const state = { operation: '', items: '', times: 0 };
  const world = await shopWorld((transport) => async (wire) => {
    if (state.times <= 0 || !wire.url.endsWith(`/${state.operation}`)) return transport(wire);
    state.times -= 1;
    return json(200, { [state.items]: null });
  });
  const run = (...words: readonly string[]) =>
    world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], {
      clock: steppedClock(world.service.clock.now()),
    });
  return { world, state, run };
}

const LAN = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567'];

it.each([
  ['twice', 2, 13, 1],
  ['once', 1, 0, 1],
])('a mirror deletes nothing because a list is null %s', async (_, times, exit, left) => {
  const { state, run } = await nullWorld();
  await run(...LAN);
  expect((await run('mirror', 'sync')).exit).toBe(0);
  Object.assign(state, { operation: 'ListCustomers', items: 'customers', times });
  expect((await run('mirror', 'sync', '--full')).exit).toBe(exit);
  const counted = "select count(*) as n from customers where full_name = 'Lan' and deleted_at is null";
  expect(JSON.parse((await run('mirror', 'sql', counted)).stdout)).toEqual([{ n: left }]);
});

it('an empty shop is copied from a list that is null', async () => {
  const { state, run } = await nullWorld();
  Object.assign(state, { operation: 'ListCustomers', items: 'customers', times: 99 });
  expect((await run('mirror', 'sync')).exit).toBe(0);
});

it('a sheet does not take what a null list lacks for ended', async () => {
  const { world, state, run } = await nullWorld();
  const path = join(world.directory, 'rows.json');
  writeFileSync(path, JSON.stringify([orderFields, { ...orderFields, order_note: 'two' }]));
  const words = ['batch', 'run', path, '--do', 'orders create', '--resend-ended', 'cancelled'];
  expect((await run(...words)).exit).toBe(0);
  Object.assign(state, { operation: 'ListOrders', items: 'orders', times: 99 });
  const again = await run(...words);
  state.times = 0;
  const { body } = await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey);
  expect(body.orders, again.stderr).toHaveLength(2);
});

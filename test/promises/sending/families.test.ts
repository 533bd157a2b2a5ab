/* One ledger knows what a partner and the shop itself have made, in whatever way. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plainOrder } from '../../support/plain-order.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';

async function live({ service }: ShopWorld): Promise<number> {
  const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
  return body.orders.filter(({ status }: { status: string }) => status !== 'N').length;
}

const ship = (world: ShopWorld, input: string, profile: string, ...more: string[]) =>
  world.run(['ship', '--input', input, '--pick', 'cheapest', '--yes', '-o', 'json', '--profile', profile, ...more]);

it('asks before an order is sent that the other family has made, and --again sends it', async () => {
  const world = await shopWorld();
  const input = plainOrder(world);
  expect((await ship(world, input, 'test')).exit).toBe(0);
  const other = await ship(world, input, 'shop');
  expect([other.exit, errorOf(other.stderr).outcome, await live(world)]).toEqual([12, 'not_applied', 1]);
  expect(errorOf(other.stderr).hint).toContain('--again');
  expect([(await ship(world, input, 'shop', '--again')).exit, await live(world)]).toEqual([0, 2]);
});

it('names the shop whose order has a name of the partner, where this profile is signed in to it, and no other', async () => {
  const world = await shopWorld();
  const { sandbox, shop, signIn } = world.service;
  const other = (await sandbox.control.credentials()).shops.find(({ id }) => id !== shop.id);
  if (other === undefined) throw new Error('there is a second shop');
  const { test: profile, ...profiles } = (await world.settings()).profiles;
  if (profile === undefined) throw new Error('there is a profile');
  const second = { [other.id]: { name: other.name, shop_key: await signIn(other.id) } };
  const both = { ...profile, shops: { ...profile.shops, ...second } };
  await world.save({ version: 1, current_profile: 'test', profiles: { ...profiles, test: both } });
  const input = plainOrder(world, { external_id: 'TWO-1' });
  const first = await ship(world, input, 'test');
  const { order } = JSON.parse(first.stdout);
  const reported = expect.stringContaining(`TWO-1 is taken by order ${order.id} of shop ${shop.name}`);
  const there = await ship(world, input, 'test', '--shop', other.id);
  expect([there.exit, errorOf(there.stderr)]).toMatchObject([
    5,
    {
      code: 'already_exists',
      outcome: 'not_applied',
      message: reported,
    },
  ]);
  const sheet = join(world.directory, 'two.json');
  writeFileSync(sheet, JSON.stringify([{ ...orderFields, shipping: shippingFields, external_id: 'TWO-1' }]));
  const ran = await world.run(['batch', 'run', sheet, '--yes', '-o', 'json', '--shop', other.id]);
  const rows = await world.run(['batch', 'rows', JSON.parse(ran.stdout).batch, '-o', 'json', '--shop', other.id]);
  expect(JSON.parse(rows.stdout)[0]).toMatchObject({
    state: 'failed',
    error: { code: 'already_exists', message: reported },
  });
  // Of a shop that this profile is not signed in to, nothing is told.
  const alone = { ...profile, shops: second, current_shop: other.id };
  await world.save({ version: 1, current_profile: 'test', profiles: { ...profiles, test: alone } });
  const quiet = await ship(world, input, 'test');
  expect([quiet.exit, quiet.stderr.includes(order.id), quiet.stderr.includes(shop.name)]).toEqual([5, false, false]);
});

it('asks so for one under a name, too', async () => {
  const world = await shopWorld();
  const input = plainOrder(world, { external_id: 'SO-1' });
  expect((await ship(world, input, 'test')).exit).toBe(0);
  const other = await ship(world, input, 'shop');
  expect([other.exit, errorOf(other.stderr).outcome, await live(world)]).toEqual([12, 'not_applied', 1]);
  const sheet = join(world.directory, 'rows.json');
  writeFileSync(sheet, JSON.stringify([{ ...orderFields, shipping: shippingFields, external_id: 'SO-1' }]));
  const batch = ['batch', 'run', sheet, '--yes', '-o', 'json', '--profile', 'shop'];
  const row = await world.run(batch);
  expect([row.exit, errorOf(row.stderr).code, await live(world)]).toEqual([12, 'rows_shared', 1]);
  // The name has one order, whoever asks: it is shown.
  expect(JSON.parse((await world.run([...batch, '--again'])).stdout).counts).toMatchObject({ existed: 1, done: 0 });
  const again = await ship(world, input, 'shop', '--again');
  expect([again.exit, JSON.parse(again.stdout).order.external_id, await live(world)]).toEqual([0, 'SO-1', 1]);
});

it('does not send a row without a name that equals an order of the last day, however it is written', async () => {
  const world = await shopWorld();
  expect((await ship(world, plainOrder(world), 'test')).exit).toBe(0);
  const sheet = join(world.directory, 'orders.json');
  const { total_amount: _, ...written } = orderFields;
  writeFileSync(sheet, JSON.stringify([{ ...written, shipping: shippingFields }]));
  const ran = await world.run(['batch', 'run', sheet, '--yes', '-o', 'json']);
  expect([ran.exit, JSON.parse(ran.stdout).counts]).toMatchObject([9, { done: 0, failed: 1 }]);
  const rows = await world.run(['batch', 'rows', JSON.parse(ran.stdout).batch, '-o', 'json']);
  expect([JSON.parse(rows.stdout)[0].error.code, await live(world)]).toEqual(['sent_before', 1]);
});

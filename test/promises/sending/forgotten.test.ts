/* What a batch has sent is recognised though the batch was forgotten: for a day by its content, for ever by its name. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../src/platform/sqlite/sqlite.ts';
import { orderFields } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
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
    const again = await run(world, 'orders', 'create', '--input', order);
    expect([again.exit, await live(world)]).toEqual([5, before]);
    world.service.clock.advance(DAY_MS);
    expect((await run(world, 'orders', 'create', '--input', order)).exit).toBe(0);
    expect(await live(world)).toBe(before + 1);
  },
);

it('nothing of its content stays after a day, and no name', async () => {
  const world = await shopWorld();
  await run(world, 'batch', 'forget', await ran(world, orderFields));
  expect(await keysIn(world)).toEqual([{ name: null, free: 0 }]);
  world.service.clock.advance(DAY_MS);
  await run(world, 'batch', 'forget', await ran(world, { ...orderFields, order_note: 'another' }));
  expect(await keysIn(world)).toEqual([
    { name: null, free: 1 },
    { name: null, free: 0 },
  ]);
});

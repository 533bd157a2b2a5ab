/* What a former version has sent is known after the upgrade, to commands and to files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { locationTree } from '../../../src/domain/places/place-data.ts';
import { equalOrder } from '../../../src/flows/ledger/equal-order.ts';
import { settingsIn } from '../../../src/platform/settings/node-settings.ts';
import { openSqlite } from '../../../src/platform/sqlite/sqlite.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { standingClock } from '../../support/standing-clock.ts';
import { makeFormer } from '../interleavings/former.ts';

/** A batch of one order that a former version has run. */
async function sentBefore(changes: object) {
  const world = await shopWorld();
  const input = plainOrder(world, changes);
  const rows = join(world.directory, 'rows.json');
  writeFileSync(rows, `[${readFileSync(input, 'utf8')}]`);
  const clock = standingClock(world.service.clock.now());
  const run = (...words: string[]) => world.run([...words, '--yes', '-o', 'json'], { clock });
  expect((await run('batch', 'run', rows, '--do', 'ship')).exit).toBe(0);
  expect(await makeFormer(world.directory)).toBe(true);
  // A former version did not store which ledger an account belongs to; an update keeps what it does not name.
  const { ledgers: _, ...settings } = await world.settings();
  await settingsIn(world.directory).reset();
  await world.save(settings);
  return { world, input, rows, run };
}

async function orders({ service }: ShopWorld): Promise<number> {
  const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
  return body.orders.length;
}

it('refuses a command with an order that a batch has sent before the upgrade', async () => {
  const { world, input, run } = await sentBefore({});
  const single = await run('ship', '--input', input, '--pick', 'cheapest');
  expect([single.exit, await orders(world)]).toEqual([5, 1]);
  expect(single.stderr).toContain('sent_before');
});

it('does not take another order under a given name for the one that was sent before the upgrade', async () => {
  const { rows, run } = await sentBefore({ external_id: 'FORMER-1' });
  const [order] = JSON.parse(readFileSync(rows, 'utf8'));
  writeFileSync(rows, JSON.stringify([{ ...order, order_note: 'another one' }]));
  const again = JSON.parse((await run('batch', 'run', rows, '--do', 'ship')).stdout);
  expect(again.counts).toMatchObject({ existed: 0, failed: 1 });
});

it('recognises an order by what the version before has stored of its content', async () => {
  const world = await shopWorld();
  const input = plainOrder(world);
  const clock = standingClock(world.service.clock.now());
  const ship = () => world.run(['ship', '--input', input, '--pick', 'cheapest', '--yes', '-o', 'json'], { clock });
  expect((await ship()).exit).toBe(0);
  const ledger = await openSqlite(join(world.directory, 'state', 'workspace.db'));
  const { formerEqual } = equalOrder(JSON.parse(readFileSync(input, 'utf8')), locationTree);
  ledger.exec(`update ledger_keys set equal = '${formerEqual}'`);
  ledger.close();
  const single = await ship();
  const rows = join(world.directory, 'rows.json');
  // The same order, of which shopctl counts the goods: its content as it was written is another one.
  const { total_items: _, ...row } = JSON.parse(readFileSync(input, 'utf8'));
  writeFileSync(rows, JSON.stringify([row]));
  const batch = await world.run(['batch', 'run', rows, '--do', 'ship', '--yes', '-o', 'json'], { clock });
  expect([single.exit, JSON.parse(batch.stdout).counts]).toMatchObject([5, { done: 0, failed: 1 }]);
  expect(await orders(world)).toBe(1);
});

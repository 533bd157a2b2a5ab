import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite/sqlite.ts';
import { quotedOrder } from '../support/sandbox-order.ts';
import { shopWorld } from '../support/shop-world.ts';
import { baseUrl } from '../support/signed-in-world.ts';

it("copies what a partner's key reaches, and says what it does not", async () => {
  const world = await shopWorld();
  const ship = async (external_id: string) => {
    const path = join(world.directory, 'order.json');
    writeFileSync(path, JSON.stringify({ ...(await quotedOrder(world.service)), external_id }));
    const { stdout } = await world.run(['shipping', 'create', '--input', path, '-o', 'name']);
    return stdout.trim();
  };
  const ids = [await ship('WEB-1'), await ship('WEB-2')].sort();
  const json = async (...words: string[]) => JSON.parse((await world.run([...words, '--json'])).stdout);
  const stored = (table: string) =>
    json(
      'mirror',
      'sql',
      `select id, status, deleted_at from ${table} order by ${table === 'orders' ? 'id' : 'order_id'}`,
    );

  const first = await world.run(['mirror', 'sync', '--json']);
  expect([first.exit, first.stderr]).toEqual([0, expect.stringMatching(/lists nothing: 2 orders[\s\S]*out of reach/)]);
  expect(JSON.parse(first.stdout)).toMatchObject([
    { area: 'orders', read: 2, created: 2, calls: 2 },
    { area: 'fulfillments', read: 2, created: 2, calls: 0 },
  ]);
  expect((await stored('orders')).map(({ id }: { id: string }) => id)).toEqual(ids);
  expect((await stored('fulfillments')).map(({ status }: { status: string }) => status)).toEqual(['S', 'S']);
  expect((await world.run(['report', 'states', '--json'])).exit).toBe(0);

  // A cancelled order is read once more, and then no longer.
  await world.run(['shipping', 'cancel', ids[0] ?? '', '--cancel-reason', 'changed', '--yes']);
  expect(await json('mirror', 'sync')).toMatchObject([
    { read: 2, updated: 1 },
    { read: 2, updated: 1 },
  ]);
  expect(await json('mirror', 'sync')).toMatchObject([
    { read: 1, updated: 0 },
    { read: 1, updated: 0 },
  ]);
  expect((await stored('orders'))[0]).toMatchObject({ id: ids[0], status: 'N' });

  for (const words of [
    ['mirror', 'verify'],
    ['mirror', 'sync', '--area', 'customers'],
  ]) {
    const { exit, stderr } = await world.run(words);
    expect([exit, stderr]).toEqual([4, expect.stringContaining("the shop's own key")]);
  }

  // The shop's own key lists everything, what the partner's has left out included.
  await world.run(['profiles', 'use', 'shop']);
  const whole = await json('mirror', 'sync');
  expect(whole.length).toBeGreaterThan(2);
  expect((await json('mirror', 'verify', '--all')).length).toBe(0);
});

it('says to a partner what no sync completes, and to one without a shop how to get one', async () => {
  const world = await shopWorld();
  expect((await world.run(['mirror', 'status'])).stderr).toContain('nothing was copied yet');
  const path = join(world.directory, 'order.json');
  writeFileSync(path, JSON.stringify(await quotedOrder(world.service)));
  await world.run(['shipping', 'create', '--input', path]);
  await world.run(['mirror', 'sync']);
  const { path: file } = JSON.parse((await world.run(['mirror', 'path', '--json'])).stdout);
  const database = await openSqlite(file);
  database.exec('update mirror_areas set complete_until = null');
  database.close();
  const { stderr } = await world.run(['mirror', 'status']);
  expect(stderr).toContain('copies the orders that it knows, and no whole list');
  expect(stderr).not.toContain('goes on');
  const partner = { kind: 'partner', base_url: baseUrl, api_key: world.service.partner.apiKey } as const;
  await world.save({ version: 1, current_profile: 'new', profiles: { new: partner } });
  const refused = await world.run(['mirror', 'sync']);
  expect([refused.exit, refused.stderr]).toEqual([4, expect.stringContaining('auth login')]);
});

it('refuses what it cannot do, and says of what it deletes what does not come back', async () => {
  const world = await shopWorld();
  await world.run(['profiles', 'use', 'shop']);
  await world.run(['mirror', 'sync']);
  const reported = async (...words: string[]) => {
    const { exit, stderr } = await world.run(words);
    return [exit, stderr];
  };
  expect(await reported('mirror', 'sync', '--every', '5m')).toEqual([2, expect.stringContaining('with --watch only')]);
  const both = await reported('mirror', 'sql', 'select 1', '--file', 'q.sql');
  expect(both).toEqual([2, expect.stringContaining('give one of the two')]);
  expect(await reported('mirror', 'sql', 'select * from parcels')).toEqual([
    2,
    expect.stringMatching(/no such table: parcels[\s\S]*mirror tables/),
  ]);
  expect(await reported('mirror', 'sql', 'select 1 1')).toEqual([2, expect.not.stringContaining('mirror tables')]);
  const file = join(world.directory, 'a-file');
  writeFileSync(file, '');
  const lies = expect.stringContaining('lies under something that is not a directory');
  expect(await reported('mirror', 'export', '--to', file)).toEqual([2, lies]);
  expect((await world.run(['mirror', 'schema', 'late_deliveries'])).stdout).toMatch(/estimated_delivery_at +time/);
  expect(await reported('mirror', 'forget', '--yes')).toEqual([0, expect.stringContaining('earlier versions')]);
  expect(await reported('mirror', 'forget', '--yes')).toEqual([0, expect.stringContaining('nothing was deleted')]);
});

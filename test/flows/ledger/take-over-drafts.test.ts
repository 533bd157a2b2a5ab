import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeOverDrafts } from '../../../src/flows/ledger/intents/take-over-drafts.ts';
import { acquireLock } from '../../../src/platform/files/file-lock.ts';
import { nodeFiles } from '../../../src/platform/files/node-files.ts';
import { intentsIn } from '../../../src/workspace/ledger/intents.ts';
import { openSqliteLedger } from '../../../src/workspace/ledger/sqlite-ledger.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { baseUrl } from '../../support/signed-in-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const {
  external_id: _,
  external_code: __,
  ...order
} = JSON.parse(readFileSync('examples/order-complete.json', 'utf8'));
const name = 'shopctl-20260131-0123456789abcdef0123';
const at = '2026-01-31T08:00:00.000Z';
const id = '0123456789';

/** A draft of `orders create`, in a file of its own as former versions wrote it; gives its path. */
function formerDraft(world: ShopWorld, state: string, more: object = {}): string {
  const drafts = join(world.directory, 'state', 'drafts', ...(state === 'answered' ? ['sent'] : []));
  mkdirSync(drafts, { recursive: true });
  const path = join(drafts, `${id}.json`);
  const account = { origin: baseUrl, family: 'shop', shop: world.service.shop.id };
  const target = { operation: 'shop.Order/CreateOrder', base_url: baseUrl, account };
  const request = state === 'open' ? {} : { request: { ...order, external_id: name } };
  const made = { created_at: at, updated_at: at, from_input: true, answers: [], external_id: name };
  writeFileSync(path, JSON.stringify({ version: 2, id, state, target, order, ...made, ...request, ...more }));
  writeFileSync(join(world.directory, 'order.json'), JSON.stringify(order));
  return path;
}

const create = ({ directory, run }: ShopWorld) =>
  run(['orders', 'create', '--input', join(directory, 'order.json'), '--profile', 'shop', '--json'], {
    clock: steppedClock(),
  });

async function orders({ service }: ShopWorld): Promise<{ id: string; external_id: string }[]> {
  return (await service.post('shop.Order/ListOrders', {}, service.shop.apiKey)).body.orders;
}

it('finds out what became of an order that a former version was sending, and marks its file', async () => {
  const world = await shopWorld();
  const path = formerDraft(world, 'sending');
  await world.service.post('shop.Order/CreateOrder', { ...order, external_id: name }, world.service.shop.apiKey);
  const { exit, stderr, stdout } = await create(world);
  expect([exit, stderr]).toEqual([0, expect.stringContaining('settled')]);
  expect(await orders(world)).toMatchObject([{ id: JSON.parse(stdout).id, external_id: name }]);
  // What an older shopctl cannot read, it refuses.
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version: 3, id });
});

it('sends an order that a former version was sending and that never arrived, under its name', async () => {
  const world = await shopWorld();
  formerDraft(world, 'sending');
  expect((await create(world)).exit).toBe(0);
  expect(await orders(world)).toMatchObject([{ external_id: name }]);
});

it('keeps an answered order from being sent again within a day', async () => {
  const world = await shopWorld();
  formerDraft(world, 'answered', { order_id: '42', answered_at: at });
  const { exit, stderr } = await create(world);
  expect([exit, JSON.parse(stderr).error]).toEqual([
    5,
    expect.objectContaining({ code: 'sent_before', meta: expect.objectContaining({ order_id: '42' }) }),
  ]);
  expect(await orders(world)).toEqual([]);
});

it('takes an answered draft and the next one that has its id', async () => {
  const world = await shopWorld();
  formerDraft(world, 'answered', { order_id: '42', answered_at: at });
  formerDraft(world, 'sending', { external_id: `${name.slice(0, -1)}9`, request: { ...order, external_id: name } });
  const { stdout } = await world.run(['ship', 'drafts', 'list', '--all', '--json']);
  expect(
    JSON.parse(stdout)
      .map(({ state }: { state: string }) => state)
      .sort(),
  ).toEqual(['done', 'unclear']);
  expect((await create(world)).exit).toBe(0);
  expect(await orders(world)).toHaveLength(1);
});

it('takes nothing from an older shopctl that is sending one', async () => {
  const world = await shopWorld();
  const path = formerDraft(world, 'sending');
  const state = join(world.directory, 'state');
  const store = await openSqliteLedger(join(world.directory, 'other', 'workspace.db'));
  const lock = await acquireLock(join(state, 'drafts', `${id}.lock`));
  const taking = takeOverDrafts({ store, files: nodeFiles, waitMs: 20 }, [state]);
  await expect(taking).rejects.toMatchObject({ code: 'draft_busy', message: expect.stringContaining(path) });
  expect(JSON.parse(readFileSync(path, 'utf8')).version).toBe(2);
  lock.release();
  await takeOverDrafts({ store, files: nodeFiles, waitMs: 20 }, [state, state]);
  expect(await store.read((sql) => intentsIn(sql, 'all'))).toMatchObject([{ id, state: 'unclear' }]);
  await store.close();
});

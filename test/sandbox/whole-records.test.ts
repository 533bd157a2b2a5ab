import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';

const getGroup = 'shop.CustomerGroup/GetGroup';

/** Makes the data what a version without the field `name` would have left. */
function forgetField({ core }: TestSandbox): void {
  core.store.exclusively((sqlite) => {
    sqlite.exec("UPDATE customer_groups SET body = json_remove(body, '$.name')");
    sqlite.exec("UPDATE settings SET value = '\"other fields\"' WHERE name = 'whole records'");
  });
}

it('records of another version are answered with every field, after opening and after restoring', async () => {
  const data = await mkdtemp(join(tmpdir(), 'shopctl-whole-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const first = await openTestSandbox({ data });
  const { body: made } = await first.post('shop.CustomerGroup/CreateGroup', { name: 'VIP' }, first.shop.apiKey);
  forgetField(first);
  await first.sandbox.control.snapshots.save('old');
  await first.sandbox.close();

  const { name: _, ...rest } = made;
  const empty = { ...rest, name: null };
  const second = await openTestSandbox({ data });
  expect((await second.post(getGroup, { id: made.id }, second.shop.apiKey)).body).toEqual(empty);
  await second.post('shop.CustomerGroup/UpdateGroup', { id: made.id, name: 'Later' }, second.shop.apiKey);
  await second.sandbox.control.snapshots.restore('old');
  expect((await second.post(getGroup, { id: made.id }, second.shop.apiKey)).body).toEqual(empty);
});

it('an answer shows a stored record as it is, byte by byte', async () => {
  const test = await openTestSandbox({ seed: 'demo' });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${test.shop.apiKey}` };
  const url = 'http://127.0.0.1/v1/shop.Order/ListOrders';
  const { body } = await test.sandbox.handle({ method: 'POST', url, headers, body: '{"paging":{"limit":3}}' });
  let stored: string[] = [];
  test.core.store.exclusively((sqlite) => {
    const rows = sqlite.prepare('SELECT body FROM orders WHERE shop_id = ? ORDER BY id LIMIT 3').all([test.shop.id]);
    stored = (rows as { body: string }[]).map((row) => row.body);
  });
  expect(body.startsWith(`{"orders":[${stored.join()}],"paging":{`)).toBe(true);
});

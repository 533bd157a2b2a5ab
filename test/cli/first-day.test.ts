/* What people type on their first day, with the keys that they have then. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manyOrders } from '../batch/batch-world.ts';
import { testMachine } from '../support/context.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { shopWorld } from '../support/shop-world.ts';
import { baseUrl } from '../support/signed-in-world.ts';
import { errorOf } from '../support/stderr-lines.ts';

it.each([
  ['batch', 'plan', 'orders.csv'],
  ['batch', 'run', 'orders.csv', '--yes'],
  ['batch', 'retry', 'x'],
  ['batch', 'resume'],
  ['slips', '--today', '--to', 'q.pdf'],
])('%s %s says how to connect a shop where a partner has none yet', async (...words) => {
  const service = await openTestSandbox();
  const machine = testMachine(service.sandbox.handle);
  const test = { kind: 'partner', base_url: baseUrl, api_key: service.partner.apiKey } as const;
  await machine.save({ version: 1, current_profile: 'test', profiles: { test } });
  writeFileSync(join(machine.directory, 'orders.csv'), manyOrders(1));
  const { exit, stderr } = await machine.run([...words, '--json']);
  const error = errorOf(stderr);
  expect([exit, error.code, error.hint]).toEqual([
    4,
    'credential_missing',
    expect.stringContaining('shopctl auth login'),
  ]);
});

it("says of a key in the environment that it may be a shop's own, and takes it as such where that is said", async () => {
  const service = await openTestSandbox();
  const machine = testMachine(service.sandbox.handle);
  writeFileSync(join(machine.directory, 'orders.csv'), manyOrders(2));
  const words = ['batch', 'run', 'orders.csv', '--yes', '--json'];
  const env = { SHOPCTL_BASE_URL: baseUrl, SHOPCTL_API_KEY: service.shop.apiKey };
  const guessed = await machine.run(words, { env });
  expect([guessed.exit, guessed.stderr]).toEqual([4, expect.stringContaining('set SHOPCTL_AS=shop')]);
  const ran = await machine.run(words, { env: { ...env, SHOPCTL_AS: 'shop' } });
  expect([ran.exit, ran.exit === 0 || ran.stderr]).toEqual([0, true]);
  expect(JSON.parse(ran.stdout).counts).toMatchObject({ done: 2 });
});

it('refuses a result without a format, and offers no option that there is not', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(1));
  await world.run(['batch', 'run', 'orders.csv', '--yes']);
  for (const to of ['-', 'result']) {
    const { exit, stderr } = await world.run(['batch', 'result', '--to', to]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('ends in .csv, .tsv, .xlsx or .jsonl')]);
    expect(stderr).not.toContain('--format');
  }
});

it("names the one command that uses a sandbox's shop, where its partner has no shop yet", async () => {
  const service = await openTestSandbox();
  const machine = testMachine(service.sandbox.handle);
  const own = { base_url: baseUrl, sandbox: 'default' };
  const sandbox = { kind: 'partner', ...own, api_key: service.partner.apiKey } as const;
  const shop = { kind: 'shop', ...own, api_key: service.shop.apiKey } as const;
  await machine.save({ version: 1, current_profile: 'sandbox', profiles: { sandbox, 'sandbox-shop': shop } });
  const use = 'shopctl profiles use sandbox-shop';
  writeFileSync(join(machine.directory, 'orders.csv'), manyOrders(1));
  for (const words of [
    ['batch', 'plan', 'orders.csv'],
    ['orders', 'list'],
  ]) {
    const { exit, stderr } = await machine.run(words);
    expect([words, exit, stderr]).toEqual([words, 4, expect.stringContaining(`\`${use}\``)]);
    // Whoever has chosen a profile for this command alone is not told to change it for all.
    const chosen = await machine.run([...words, '--profile', 'sandbox']);
    expect([words, chosen.exit, chosen.stderr]).toEqual([words, 4, expect.not.stringContaining(use)]);
  }
  await machine.run(use.split(' ').slice(1));
  expect((await machine.run(['orders', 'list'])).exit).toBe(0);
});

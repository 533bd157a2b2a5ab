import { expect, it } from 'vitest';
import { shopWorld } from '../support/shop-world.ts';

const api = (path: string, request: object) => ['api', path, '--data', JSON.stringify(request), '--profile', 'shop'];

it('a change that is called by its path waits for the record’s key, and is not sent while an outcome is open', async () => {
  const sent: string[] = [];
  const world = await shopWorld((transport) => async (request) => {
    sent.push(request.url.split('/').at(-1) ?? '');
    return transport(request);
  });
  const made = await world.run([
    'customers',
    'create',
    '--full-name',
    'Lan',
    '--phone',
    '0901234567',
    '--profile',
    'shop',
    '-o',
    'name',
  ]);
  const id = made.stdout.trim();
  await world.service.sandbox.control.faults.add({
    operation: 'shop.Customer/UpdateCustomer',
    once: true,
    do: 'drop-after-commit',
  });
  const lost = await world.run(['customers', 'update', id, '--note', 'one', '--profile', 'shop']);
  expect(lost.exit).toBe(10);
  sent.length = 0;
  const other = await world.run([...api('shop.Customer/UpdateCustomer', { id, note: 'two' }), '--json']);
  expect([other.exit, JSON.parse(other.stderr).error.code, sent]).toEqual([10, 'held_by', []]);
  // The same change once more has the same effect.
  const same = await world.run(api('shop.Customer/UpdateCustomer', { id, note: 'one' }));
  expect([same.exit, sent]).toEqual([0, ['UpdateCustomer']]);
  expect((await world.run(api('shop.Customer/UpdateCustomer', { id, note: 'two' }))).exit).toBe(0);
});

it('a create by its path is guarded by nothing, and says so', async () => {
  const world = await shopWorld();
  const words = api('shop.CustomerGroup/CreateGroup', { name: 'Buyers' });
  for (const { exit, stderr } of [await world.run(words), await world.run(words)]) {
    expect([exit, stderr]).toEqual([0, 'nothing guards this write: the same once more may make another one\n']);
  }
});

/* A script whose variable is not set names nothing: nothing is done to the newest, or to the only one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { batchNamed } from '../../src/flows/batch/runs.ts';
import { unsettledCalled } from '../../src/flows/ledger/intents/unsettled.ts';
import { manyOrders } from '../batch/batch-world.ts';
import { shopWorld } from '../support/shop-world.ts';

it.each([
  'batch undo  --yes',
  'batch retry ',
  'batch resume ',
  'batch work ',
  'batch forget  --yes',
  'batch settle  1 --not-done',
  'batch show ',
  'batch rows ',
  'batch result  --to result.csv',
])('an empty name is no batch: %s', async (line) => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(1));
  expect((await world.run(['batch', 'run', 'orders.csv', '--yes'])).exit).toBe(0);
  const { exit, stderr } = await world.run([...line.split(' '), '--json']);
  expect([exit, JSON.parse(stderr).error]).toMatchObject([2, { code: 'usage', outcome: 'not_applied' }]);
  expect(JSON.parse((await world.run(['batch', 'list', '--json'])).stdout)).toMatchObject([{ counts: { done: 1 } }]);
});

it('an empty id is no write, and no draft', async () => {
  const world = await shopWorld();
  const create = ['groups', 'create', '--name', 'Buyers', '--profile', 'shop'];
  const operation = 'shop.CustomerGroup/CreateGroup';
  await world.service.sandbox.control.faults.add({ operation, once: true, do: 'drop-after-commit' });
  expect((await world.run(create)).exit).toBe(10);
  for (const words of [
    ['ledger', 'settle', '', '--not-done', '--yes'],
    ['ledger', 'show', ''],
    ['ship', 'drafts', 'show', ''],
  ]) {
    const { exit, stderr } = await world.run([...words, '--json']);
    expect([exit, JSON.parse(stderr).error.code]).toEqual([2, 'usage']);
  }
  expect((await world.run(create)).exit).toBe(10);
});

it('an empty name is no batch and no write to whoever asks without a command line', async () => {
  const named = async () => [];
  const nothing = { named } as unknown as Parameters<typeof batchNamed>[0]['batches'];
  await expect(batchNamed({ batches: nothing }, '')).rejects.toMatchObject({
    message: 'the name of the batch is empty',
  });
  const store = { read: async () => [] } as unknown as Parameters<typeof unsettledCalled>[0];
  await expect(unsettledCalled(store, '')).rejects.toMatchObject({ message: 'the id of the write is empty' });
});

it('a row of a batch is not settled by its key, and the command that settles it is named', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'groups.csv'), 'name\nBuyers\n');
  const operation = 'shop.CustomerGroup/CreateGroup';
  await world.service.sandbox.control.faults.add({ operation, once: true, do: 'drop-after-commit' });
  const batch = ['batch', 'run', 'groups.csv', '--do', 'groups create', '--yes', '--profile', 'shop'];
  expect((await world.run(batch)).exit).toBe(10);
  const [{ id }] = JSON.parse((await world.run(['ledger', 'list', '--json'])).stdout);
  const { stderr } = await world.run(['ledger', 'settle', id, '--done', '--yes', '--json']);
  expect(JSON.parse(stderr).error).toMatchObject({ hint: expect.stringContaining('shopctl batch settle') });
});

it.each([
  ['ship', '--resume'],
  ['slips', '--print'],
])('an empty value is not what %s %s means without one', async (command, flag) => {
  const world = await shopWorld();
  const { exit, stderr } = await world.run([command, flag, '', '--json']);
  const { message, outcome } = JSON.parse(stderr).error;
  expect([exit, message, outcome]).toEqual([2, `${flag} is empty: give a value, or leave it out`, 'not_applied']);
});

it.each([
  ['orders list', '--status', ''],
  ['orders list', '--match', ''],
  ['orders list', '--match', ' \n'],
  ['orders list', '--match', '-'],
  ['orders list', '--since', ''],
  ['orders list', '--id', ''],
  ['addresses list', '--customer-id', ''],
  ['fulfillments list', '--order-id', ''],
  ['orders get', '--external-id', ''],
])('an empty filter is not every record: %s %s %j', async (command, flag, text) => {
  const world = await shopWorld();
  const words = [...command.split(' '), flag, text, '--profile', 'shop', '--json'];
  const { exit, stdout, stderr } = await world.run(words, { stdin: '\n' });
  expect([exit, stdout, JSON.parse(stderr).error]).toMatchObject([
    2,
    '',
    { message: `${flag} is empty: give a value, or leave it out`, field_errors: [expect.anything()] },
  ]);
});

it('words without a letter or a digit are not every record', async () => {
  const world = await shopWorld();
  const { exit, stdout, stderr } = await world.run(['orders', 'list', '--match', '...', '--profile', 'shop']);
  expect([exit, stdout, stderr]).toEqual([2, '', expect.stringContaining('--match must have a letter or a digit')]);
});

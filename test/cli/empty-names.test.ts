/* A script whose variable is not set names nothing: nothing is done to the newest, or to the only one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/action/action.ts';
import type { Command } from '../../src/cli/flags/command.ts';
import { groups } from '../../src/cli/tree/groups.ts';
import { manyOrders } from '../batch/batch-world.ts';
import { testMachine } from '../support/context.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf } from '../support/stderr-lines.ts';

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
  const [, , name = ''] = line.split(' ');
  expect([name, exit, errorOf(stderr)]).toMatchObject([
    '',
    2,
    { message: expect.stringContaining('batch is empty: give a value'), outcome: 'not_applied' },
  ]);
  expect(JSON.parse((await world.run(['batch', 'list', '--json'])).stdout)).toMatchObject([{ counts: { done: 1 } }]);
});

it.each([
  [
    'orders list --since',
    /--since is empty: give a value, or leave it out\nhint: --since \S+: only what .* 2026-02-03, .* 7d, 12h/,
  ],
  [
    'events list --since',
    /--since is empty: .*\nhint: --since \S+: received at this time or later: .* an age such as 2h$/m,
  ],
  ['cod reconcile --grace', /--grace is empty: .*\nhint: --grace \S+: working days .* 7d, or 7d,NAME=5d/],
  ['wait order 1 --within', /--within is empty: .*\nhint: --within \S+: how long to wait at most, for example 30s/],
  ['customers create --full-name Lan --phone', /--phone must not be empty\nhint: --phone \S+: Phone number/],
  // An amount says it by itself.
  ['ship --max-fee', /--max-fee "" is empty: write it like 1350000, 1.350.000 or 1,350,000\nUsage/],
])('an empty value of a flag is answered with what the flag takes: %s', async (line, expected) => {
  const { exit, stderr } = await (await shopWorld()).run([...line.split(' '), '', '--profile', 'shop']);
  expect([exit, stderr]).toEqual([2, expect.stringMatching(expected)]);
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
    expect([exit, errorOf(stderr).code]).toEqual([2, 'usage']);
  }
  expect((await world.run(create)).exit).toBe(10);
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
  expect(errorOf(stderr)).toMatchObject({ hint: expect.stringContaining('shopctl batch settle') });
});

it.each([
  ['ship', '--resume'],
  ['slips', '--print'],
])('an empty value is not what %s %s means without one', async (command, flag) => {
  const world = await shopWorld();
  const { exit, stderr } = await world.run([command, flag, '', '--json']);
  const { message, outcome } = errorOf(stderr);
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
  expect([exit, stdout, errorOf(stderr)]).toMatchObject([
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

/** Fields of what is sent, which may be cleared: in a write of the service, all but the names of its record. */
const isStored = (action: Action, name: string) =>
  action.id.includes('/') &&
  action.effect !== 'read' &&
  action.positional?.includes(name) !== true &&
  !(action.effect === 'create' && name === 'external_id');

const loaded = await Promise.all(groups.map(async ({ name, load }) => ({ name, commands: (await load()).commands })));
const commands = loaded.flatMap(({ name, commands }) =>
  commands.map((command) => [[name, ...command.words].join(' '), command] as const),
);

/** Every way to name something with a text of its own: a line, and the word for it that the error must have. */
function blankLines(words: string, { actions, arguments: places, flags }: Command): [string[], string][] {
  const [action] = actions;
  if (action === undefined) return [];
  const required = places.filter((place) => place.required).map(() => '4242');
  const ofPlaces = places.flatMap(({ name }, index): [string[], string][] =>
    action.hints?.[name]?.mayBeEmpty === true
      ? []
      : [[[...words.split(' '), ...places.slice(0, index).map(() => '4242'), ' ', ...required.slice(index + 1)], name]],
  );
  const ofFlags = flags()
    .filter(({ name, type, path = [] }) => type !== 'boolean' && path.length < 2 && !isStored(action, path[0] ?? name))
    .map(({ name }): [string[], string] => [[...words.split(' '), ...required, `--${name}`, ' '], `--${name}`]);
  return [...ofPlaces, ...ofFlags];
}

describe('a blank text names nothing, whatever it was to name', () => {
  it.each(commands)('%s', async (words, command) => {
    let calls = 0;
    const machine = testMachine(async () => {
      calls += 1;
      throw new Error('nothing is to be asked');
    });
    const base_url = 'http://127.0.0.1:4010';
    const test = {
      kind: 'partner' as const,
      base_url,
      api_key: '7:key',
      shops: { '8': { name: 'Tea', shop_key: 'shop8:key' } },
    };
    await machine.save({ version: 1, current_profile: 'test', profiles: { test } });
    for (const [line, name] of blankLines(words, command)) {
      const { exit, stdout, stderr } = await machine.run([...line, '--yes']);
      expect([line, exit, stdout]).toEqual([line, 2, '']);
      expect(stderr, line.join(' ')).toContain(name);
    }
    expect(calls).toBe(0);
  });
});

it.each(['SHOPCTL_SHOP', 'SHOPCTL_API_KEY', 'SHOPCTL_WORKSPACE', 'SHOPCTL_OUTPUT'])(
  'an empty variable is refused where the service is called, and shown where it is looked for: %s',
  async (name) => {
    const world = await shopWorld();
    const env = { [name]: '' };
    const called = await world.run(['orders', 'list', '--profile', 'shop'], { env });
    expect(called).toMatchObject({
      exit: 14,
      stdout: '',
      stderr: expect.stringContaining(`${name} is set, but empty`),
    });
    const config = await world.run(['config', 'list'], { env });
    expect([config.exit, config.stderr]).toEqual([0, expect.stringContaining(`${name} is set, but empty`)]);
    const doctor = await world.run(['doctor', '--profile', 'shop'], { env });
    expect([doctor.exit, doctor.stdout]).toEqual([14, expect.stringContaining(`set, but empty: ${name}`)]);
    for (const words of [['help'], ['orders', '--help'], ['completion', 'bash']])
      expect((await world.run(words, { env })).exit).toBe(0);
  },
);

it('a batch is named by all of its name, by four characters of its beginning or its end, and by no fewer', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(1));
  expect((await world.run(['batch', 'run', 'orders.csv', '--yes'])).exit).toBe(0);
  const [{ batch }] = JSON.parse((await world.run(['batch', 'list', '--json'])).stdout);
  const exits = [batch, batch.slice(0, 4), batch.slice(-4), batch.slice(0, 3), batch.slice(-3)].map(
    async (name) => (await world.run(['batch', 'show', name])).exit,
  );
  expect(await Promise.all(exits)).toEqual([0, 0, 0, 3, 3]);
});

it.each(['ship drafts remove 3e0 --yes', 'ledger settle 3e0 --done --yes', 'ship --resume 3e0'])(
  'three characters name no write: %s',
  async (line) => {
    const world = await shopWorld();
    const { exit, stderr } = await world.run(line.split(' '));
    expect([exit, stderr]).toEqual([2, expect.stringContaining('needs at least 4 characters')]);
  },
);

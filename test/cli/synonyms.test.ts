/* What people type by instinct is answered with the command that they mean, which exists. */
import { describe, expect, it } from 'vitest';
import { proposals } from '../../src/cli/help/synonyms.ts';
import { readCommand } from '../../src/cli/program.ts';
import { groups } from '../../src/cli/tree/groups.ts';
import { testMachine } from '../support/context.ts';

const hintOf = async (line: string) => {
  const machine = testMachine(() => Promise.reject(new Error('nothing is to be sent')));
  const { exit, stdout, stderr } = await machine.run(line.split(' '));
  expect([line, exit, stdout]).toEqual([line, 2, '']);
  return stderr;
};

describe('a word of another tool', () => {
  it.each([
    ['login', '`shopctl auth login`'],
    ['logout', '`shopctl auth logout`'],
    ['whoami', '`shopctl account show`'],
    ['status', '`shopctl doctor`'],
    ['open', '`shopctl console --open`'],
    ['listen', '`shopctl webhooks listen`'],
    ['trigger', '`shopctl sandbox trigger`'],
    ['logs', '`shopctl sandbox log`'],
    ['init', '`shopctl profiles add`'],
    ['auth whoami', '`shopctl auth shops`'],
    ['orders view 1', '`shopctl orders get`'],
    ['order create', '`shopctl orders create`'],
    ['Order', '`shopctl orders`'],
    ['account get', '`shopctl account show`'],
    ['products rm 1', '`shopctl products delete`'],
    ['orders find 0901234567', '`shopctl orders list --match TEXT`'],
    ['shipping search Lan', '`shopctl orders list --match TEXT`'],
    ['customers find Lan', '`shopctl customers list`'],
    ['batch search SO-1', '`shopctl batch find`'],
  ])('gets the command that is meant: %s', async (line, meant) => {
    const stderr = await hintOf(line);
    expect(stderr).toContain(`hint: did you mean ${meant}?\n`);
    // The usage of what is not meant says less.
    expect(stderr).not.toContain('Usage:');
  });

  it.each(['orders update', 'orders edit', 'shipping update', 'fulfillments update'])(
    'says what the service cannot do: %s',
    async (line) => {
      for (const words of [line, `${line} --help`]) {
        const stderr = await hintOf(words);
        expect(stderr).toContain('the service cannot change an order');
        expect(stderr).toContain('`shopctl orders cancel ORDER --cancel-reason TEXT`');
        expect(stderr).not.toContain('bug');
      }
    },
  );

  it('says how an order is shipped whose code stands behind ship', async () => {
    const stderr = await hintOf('ship T20');
    expect(stderr).toContain('`shopctl ship` asks for a new order, also in place of one that was cancelled');
    expect(stderr).toContain('`shopctl orders confirm T20`');
  });

  it.each(['orders return', 'orders refund DH000001', 'shipping return', 'fulfillments return', 'return', 'refund'])(
    'says that nobody can ask for a return, and what can be done: %s',
    async (line) => {
      const stderr = await hintOf(line);
      expect(stderr).toContain('the service takes no request for a return');
      expect(stderr).toContain('`shopctl orders story ORDER`');
    },
  );

  it('that nobody knows is a typo, with and without --help', async () => {
    for (const line of ['orders tim', 'orders tim --help', 'tim', 'tim --help'])
      expect(await hintOf(line)).not.toContain('bug');
  });
});

describe('a flag of another tool', () => {
  it.each([
    ['orders list --format json', '-o json'],
    ['orders list --jq .id', '--query'],
    ['orders list --web', '`shopctl console --open`'],
    ['orders list -L 3', '--limit'],
    ['orders list --verbose', '--debug'],
    ['orders list --days 7', '--since 7d'],
    ['orders cancel 1 --force', '--yes'],
    ['customers create --name Lan', '--full-name'],
    ['orders list --json id,code', '-o json --fields'],
    ['orders list --api-key shop1:abcdefgh12345678', 'SHOPCTL_API_KEY'],
  ])('gets ours: %s', async (line, ours) => {
    const stderr = await hintOf(line);
    expect(stderr).toContain(ours);
    expect(stderr).not.toContain('abcdefgh12345678');
  });

  it('is not given one that the command does not have', async () => {
    expect(await hintOf('groups create --days 7')).not.toContain('--since');
  });
});

describe('all that is proposed', () => {
  it('are commands that exist, with flags that exist', async () => {
    expect(proposals().lines.length).toBeGreaterThan(40);
    for (const line of proposals().lines) {
      const [, ...words] = line.split(' ');
      const needed = await readCommand(words).catch((error: unknown) => error);
      // An argument may be missing, and nothing else.
      if (needed instanceof Error)
        expect([line, needed.message]).toEqual([line, expect.stringMatching(/missing required argument/)]);
    }
  });

  it('are verbs that some group has, and flags that some command has', async () => {
    const trees = await Promise.all(groups.map(async ({ load }) => (await load()).commands));
    const commands = trees.flat();
    const words = new Set(commands.flatMap((command) => command.words));
    for (const ours of Object.values(proposals().verbs))
      for (const verb of ours) expect([verb, words.has(verb)]).toEqual([verb, true]);
    const flags = new Set([
      ...commands.flatMap((command) => command.flags().map(({ name }) => name)),
      ...['query', 'fields', 'debug', 'yes', 'quiet', 'dry-run', 'profile', 'no-input'],
    ]);
    for (const meaning of Object.values(proposals().flags)) {
      const [, flag] = /^--([a-z-]+)/.exec(meaning) ?? [];
      if (flag !== undefined) expect([flag, flags.has(flag)]).toEqual([flag, true]);
    }
  });
});

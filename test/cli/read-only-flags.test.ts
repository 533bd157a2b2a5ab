import { describe, expect, it } from 'vitest';
import { groups } from '../../src/cli/tree/groups.ts';
import { shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { storedFiles } from '../support/stored-files.ts';
import { commands } from './every-command/walk.ts';

const actions = (await Promise.all(groups.map(async ({ load }) => (await load()).commands))).flatMap((all) =>
  all.flatMap((command) => command.actions),
);

/** The flags with which a command does more than without them. */
const raised = actions.flatMap(({ words, adds = {} }) =>
  Object.keys(adds).map((field) => [words.join(' '), `--${field.replaceAll('_', '-')}`] as const),
);

describe('read-only mode', () => {
  it('knows the flags with which a command does more', () => {
    expect(raised).toEqual(
      expect.arrayContaining([
        ['webhooks listen', '--exec'],
        ['webhooks listen', '--forward-to'],
        ['webhooks listen', '--register'],
        ['slips', '--print'],
        ['doctor', '--fix'],
        ['conformance run', '--write-shop'],
      ]),
    );
  });

  it.each(raised)('refuses %s %s, before anything else', async (words, flag) => {
    const called: string[] = [];
    const world = await shopWorld((transport) => (request) => {
      called.push(request.url);
      return transport(request);
    });
    const before = await storedFiles(world.directory);
    const command = commands.find((one) => one.command === words);
    const given = command?.flags.find(({ name }) => `--${name}` === flag);
    const value = given?.type === 'boolean' ? [] : ['http://127.0.0.1:9/hook'];
    const own = words === 'slips' ? ['1'] : [];
    for (const [line, env] of [
      [[...words.split(' '), ...own, flag, ...value, '--read-only'], {}],
      [[...words.split(' '), ...own, flag, ...value], { SHOPCTL_READ_ONLY: '1' }],
    ] as const) {
      const { exit, stdout, stderr } = await world.run([...line, '-o', 'json', '--yes'], {
        env,
        clock: steppedClock(),
      });
      expect([line, exit, stdout]).toEqual([line, 12, '']);
      expect(JSON.parse(stderr).error).toMatchObject({ code: 'read_only', outcome: 'not_applied' });
      expect(JSON.parse(stderr).error.message).toContain(flag);
    }
    expect(called).toEqual([]);
    expect(await storedFiles(world.directory)).toEqual(before);
  });
});

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
    // A field that is no flag is an argument.
    const typed = given === undefined ? ['4f1c09d2a7b3'] : [flag, ...value];
    for (const [line, env] of [
      [[...words.split(' '), ...own, ...typed, '--read-only'], {}],
      [[...words.split(' '), ...own, ...typed], { SHOPCTL_READ_ONLY: '1' }],
    ] as const) {
      const { exit, stdout, stderr } = await world.run([...line, '-o', 'json', '--yes'], {
        env,
        clock: steppedClock(),
      });
      expect([line, exit, stdout]).toEqual([line, 12, '']);
      expect(JSON.parse(stderr).error).toMatchObject({ code: 'read_only', outcome: 'not_applied' });
      expect(JSON.parse(stderr).error.message).toContain(given === undefined ? flag.slice(2) : flag);
    }
    expect(called).toEqual([]);
    expect(await storedFiles(world.directory)).toEqual(before);
  });

  /** What holds it, whatever else is wrong. */
  const held: readonly (readonly [
    string,
    readonly string[],
    Readonly<Record<string, string>>,
    true | 'locked' | false,
  ])[] = [
    ['a flag', ['--read-only'], {}, false],
    ['a variable', [], { SHOPCTL_READ_ONLY: 'yes' }, false],
    ['a variable that cannot be read', [], { SHOPCTL_READ_ONLY: 'perhaps' }, false],
    ['a lock', [], {}, 'locked'],
  ];
  /** Lines of commands that run although the settings cannot be used, with what makes them so. */
  const unusable: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>])[] = [
    ['a program beside a fresh sandbox', ['sandbox', 'exec', '--profile', 'sandbox', '--', 'touch', 'ran'], {}],
    ['a sandbox', ['sandbox', 'start', '--ephemeral', '--port', '0', '--profile', 'sandbox'], {}],
    ['doctor without its profile', ['doctor', '--fix', '--profile', 'nobody'], {}],
    ['doctor beside a bad variable', ['doctor', '--fix'], { SHOPCTL_TIMEOUT: 'x' }],
  ];

  it.each(held.flatMap((by) => unusable.map((line) => [by[0], line[0], by, line] as const)))(
    'holds by %s where the settings cannot be used: %s',
    async (_, __, [, more, variables, read_only], [, line, env]) => {
      const { run, directory, save, settings } = await shopWorld();
      const before = await settings();
      const { test } = before.profiles;
      if (test === undefined) throw new TypeError('no profile');
      if (read_only !== false)
        await save({ ...before, profiles: { ...before.profiles, test: { ...test, read_only } } });
      const files = await storedFiles(directory);
      const ending = new AbortController();
      const options = { env: { ...env, ...variables }, signal: ending.signal, onStdout: () => ending.abort('SIGINT') };
      const words = [...line.slice(0, 2), ...more, ...line.slice(2)];
      const { exit } = await run(words, options);
      expect([words, exit]).toEqual([words, 12]);
      expect(await storedFiles(directory)).toEqual(files);
    },
  );

  it('of the profile that was meant holds beside a bad variable', async () => {
    const { run, save, settings } = await shopWorld();
    const before = await settings();
    const { test } = before.profiles;
    if (test === undefined) throw new TypeError('no profile');
    await save({ ...before, profiles: { ...before.profiles, test: { ...test, read_only: true } } });
    const env = { SHOPCTL_TIMEOUT: 'x' };
    expect((await run(['doctor', '--fix'], { env })).exit).toBe(12);
    expect((await run(['doctor', '--fix', '--profile', 'shop'], { env, clock: steppedClock() })).exit).toBe(14);
  });
});

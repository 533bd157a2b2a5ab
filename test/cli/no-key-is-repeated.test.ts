/* Nobody reads a key in the logs of a script: one that was typed where a name belongs is shown as ***. */
import { expect, it } from 'vitest';
import { allSettings } from '../../src/actions/settings/in-force.ts';
import { environmentOfCommand } from '../../src/actions/webhooks/listen-input.ts';
import { type CommandData, loadTree } from '../../src/cli/tree/tree.ts';
import type { RunOptions } from '../support/context.ts';
import { runnableWords, withWords } from '../support/example-words.ts';
import { shopWorld } from '../support/shop-world.ts';

const key = '1234567890123456789:abcdefghijklmnopqrstuvwxyz';

it.each([
  ['as an id', ['orders', 'get', key, '--profile', 'shop']],
  ['as a command', [key]],
  ['as a command of a group', ['orders', key]],
  ['as a profile', ['orders', 'list', '--profile', key]],
  ['as a profile to use', ['profiles', 'use', key]],
  ['as a shop', ['orders', 'list', '--shop', key, '--profile', 'shop']],
  ['behind an unknown letter', ['orders', 'list', `-k${key}`]],
  ['as an unknown option', ['orders', 'list', `--${key}`]],
  ['behind an unknown option', ['orders', 'list', `--api-key=${key}`]],
  ['as a batch', ['batch', 'show', key]],
  ['as a topic', ['help', key]],
  ['as a status', ['orders', 'list', '--status', key, '--profile', 'shop']],
  ['as a shop that signs in', ['auth', 'use', `shop${key}`]],
  ['as a request token', ['batch', 'show', `request:${'abcdefghij'.repeat(4)}`]],
])('a key is not repeated where it stands %s', async (_, words) => {
  const { run } = await shopWorld();
  for (const format of [[], ['--json']]) {
    const { exit, stdout, stderr } = await run([...words, ...format]);
    expect(exit).not.toBe(0);
    expect(`${stdout}${stderr}`).not.toContain('abcdefghij');
  }
});

it.each(['SHOPCTL_PROFILE', 'SHOPCTL_SHOP'])('nor in the variable %s', async (name) => {
  const { run } = await shopWorld();
  const { exit, stderr } = await run(
    ['orders', 'list', '--profile', 'shop', '--json'].slice(0, name.endsWith('SHOP') ? 5 : 2),
    {
      env: { [name]: key },
    },
  );
  expect([exit, stderr]).toEqual([name.endsWith('SHOP') ? 4 : 14, expect.stringContaining('***')]);
  expect(stderr).not.toContain('abcdefghij');
});

it('nor in the list of settings', async () => {
  const { run } = await shopWorld();
  const { exit, stdout } = await run(['config', 'list'], { env: { SHOPCTL_SHOP: key } });
  expect([exit, stdout.includes('abcdefghij')]).toEqual([0, false]);
});

it('a key that is known is not repeated either, whatever it looks like', async () => {
  const { run } = await shopWorld();
  const { stderr } = await run(['profiles', 'use', 'secret-of-mine'], { env: { SHOPCTL_API_KEY: 'secret-of-mine' } });
  expect(stderr).toContain('there is no profile "***"');
});

it('a command that takes changes gets no key, unless it is passed on purpose', () => {
  const env = { PATH: '/bin', SHOPCTL_API_KEY: key, SHOPCTL_SHOP_KEY: key, SHOPCTL_PROFILE: 'shop' };
  expect(environmentOfCommand({ env }, {})).toEqual({ PATH: '/bin', SHOPCTL_PROFILE: 'shop' });
  expect(environmentOfCommand({ env }, { pass_keys: true })).toEqual(env);
});

const { commands } = await loadTree();

type Run = (words: readonly string[], options?: RunOptions) => Promise<{ stdout: string; stderr: string }>;

/** Says which of the lines show a part of the secret, as JSON or as a table. */
async function repeating(
  run: Run,
  lines: readonly (readonly [words: readonly string[], env?: Readonly<Record<string, string>>])[],
) {
  const faults: string[] = [];
  for (const [words, env = {}] of lines) {
    const { stdout, stderr } = await run(words, { env });
    const seen = `${stdout}${stderr}`.split('\n').find((line) => line.includes('abcdefghij'));
    if (seen !== undefined) faults.push(`${Object.keys(env)} ${words.join(' ')}: ${seen}`);
  }
  return faults;
}

/** A line of every command that sends nothing and ends by itself, without the settings of its example. */
const lineOf = (command: CommandData, more: readonly string[]) =>
  withWords(runnableWords(command), ['--dry-run', '--yes', ...more]);

it.each(['--fields', '--profile', '--base-url'])('nor by any command behind %s', async (flag) => {
  const { run } = await shopWorld();
  const lines = commands.map((command) => [lineOf(command, [flag, key, '--json'])] as const);
  expect(await repeating(run, lines)).toEqual([]);
  expect(lines.length).toBeGreaterThan(150);
});

it('nor by any command that takes it for a name', async () => {
  const { run } = await shopWorld();
  const lines = commands.flatMap(({ command, arguments: given }) =>
    given.map((_, place) => {
      const before = [...command.split(' '), ...given.slice(0, place).map(() => '1')];
      return [[...before, key, '--dry-run', '--yes', '--json']] as const;
    }),
  );
  expect(await repeating(run, lines)).toEqual([]);
});

/** Every variable that shopctl reads, or that a call goes by. */
const variables = [
  ...allSettings.flatMap(([, { variable }]) => variable ?? []),
  ...['SHOPCTL_API_KEY', 'SHOPCTL_SHOP_KEY', 'SHOPCTL_STATE_DIR', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
];
const telling = [
  'doctor',
  'config list --show-origin',
  'workspace show',
  'auth status',
  'profiles list',
  'orders list',
  ...allSettings.map(([, { name }]) => `config get ${name}`),
];

it.each([
  ['a key', key, variables],
  ['a password', 'http://user:abcdefghij@127.0.0.1:1', variables],
  ['a token of an address', 'http://127.0.0.1:1/?token=abcdefghij', ['SHOPCTL_BASE_URL', 'HTTPS_PROXY']],
])('nor as the value of any variable: %s', async (_, secret, names) => {
  const { run } = await shopWorld();
  // A write that is open gives more to say.
  expect((await run(['groups', 'create', '--name', 'First', '--profile', 'shop'])).exit).toBe(0);
  const lines = names.flatMap((name) =>
    telling.flatMap((line) =>
      [[], ['--json']].map((format) => [[...line.split(' '), ...format], { [name]: secret }] as const),
    ),
  );
  expect(await repeating(run, lines)).toEqual([]);
});

/* Nobody reads a key in the logs of a script: one that was typed where a name belongs is shown as ***. */
import { expect, it } from 'vitest';
import { type CommandData, loadTree } from '../../src/cli/tree/tree.ts';
import { nodeChildren } from '../../src/platform/process/node-children.ts';
import { runShell } from '../../src/platform/process/shell-command.ts';
import { environmentWithoutKeys } from '../../src/platform/settings/secret.ts';
import { runnableWords, withWords } from '../support/example-words.ts';
import { shopWorld } from '../support/shop-world.ts';
import { key, linesWith, repeating, secrets } from './variables-with-secrets.ts';

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

it('a program that is run gets no key, by whatever variable; a command that takes changes, if that is asked for', async () => {
  const env = {
    PATH: process.env.PATH,
    SHOPCTL_API_KEY: key,
    SHOPCTL_SHOP_KEY: 'no-like',
    MINE: key,
    SHOPCTL_PROFILE: 'shop',
  };
  const { signal } = new AbortController();
  const said: string[] = [];
  const says = (line: string) => said.push(line.replace(/=.*/, ''));
  const seen = () =>
    said
      .splice(0)
      .filter((name) => name === 'MINE' || name.startsWith('SHOPCTL_'))
      .sort();
  const own = Object.keys(env)
    .filter((name) => name !== 'PATH')
    .sort();
  await nodeChildren.run(['env'], env, signal, { says });
  expect(seen()).toEqual(['SHOPCTL_PROFILE']);
  const given = { input: '', env, workingDirectory: '/', timeoutMs: 60_000, signal, says };
  await runShell('env', given);
  expect(seen()).toEqual(['SHOPCTL_PROFILE']);
  await runShell('env', { ...given, passesKeys: true });
  expect(seen()).toEqual(own);
  expect(environmentWithoutKeys({ SHOPCTL_API_KEY: 'unlike-any', MINE: 'unlike-any', OTHER: 'x' })).toEqual({
    OTHER: 'x',
  });
});

const { commands } = await loadTree();

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

// Every variable, told by every command that tells of any, is proved (no-key-is-repeated.proof.test.ts).
const ofEachKind = ['SHOPCTL_API_KEY', 'SHOPCTL_BASE_URL', 'SHOPCTL_PROFILE', 'SHOPCTL_SHOP', 'HTTPS_PROXY'];

it.each(secrets)('nor as the value of a variable of each kind: %s', async (_, secret, names) => {
  const { run } = await shopWorld();
  const tried = ofEachKind.filter((name) => names.includes(name));
  const lines = linesWith(secret, tried, ['doctor', 'config list --show-origin', 'orders list']);
  expect(await repeating(run, lines)).toEqual([]);
});

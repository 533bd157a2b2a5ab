/* What holds of each command, and takes long over all of them: `npm test` tries one of each shape, `npm run proof` every one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { globalFlags } from '../../../src/cli/line/globals.ts';
import type { CommandData } from '../../../src/cli/tree/tree.ts';
import { TransportError } from '../../../src/platform/http/transport.ts';
import type { Clock } from '../../../src/platform/process/clock.ts';
import { type Ended, testMachine } from '../../support/context.ts';
import { runnableWords, withWords } from '../../support/example-words.ts';
import { json } from '../../support/scripted-transport.ts';
import { standingClock } from '../../support/standing-clock.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { endingAtOnce, isShown, keys, named, settings, walk, wordsOf } from './walk.ts';

/** The global flags that every command takes. */
export const anywhere = globalFlags.filter(({ name }) => name !== 'help' && name !== 'version');

/** Flags that end a run before the command's own work is done; each has a test of its own below. */
const ending = ['fields', 'dry-run', 'curl', 'read-only'];
const together = anywhere.filter(({ name }) => !ending.includes(name));

/** Every global flag is taken by the command as it runs. */
export async function takesEveryFlag(command: CommandData): Promise<void> {
  const { run } = await walk(command);
  // A whole sandbox for each flag would take most of the time of all these tests; a backup that is there is not replaced.
  const slow = /^(?:console|sandbox (?:start|exec)|workspace backup)$/.test(command.command) ? ['--dry-run'] : [];
  const curl = isShown(command) ? [['--curl']] : [];
  for (const given of [together.flatMap(wordsOf), ...curl]) {
    const { exit, stderr } = await run([], [...given, ...slow], endingAtOnce(command));
    expect(stderr, given.join(' ')).not.toMatch(/unknown option|internal_error|a bug in shopctl/);
    expect(exit, given.join(' ')).not.toBe(1);
  }
}

const failures = {
  'an unknown flag': { words: ['--no-such-flag'] },
  'a bad profile': { words: ['--profile', 'nobody'] },
};

/** The one line of JSON that a failure is, and nothing on stdout. */
export function expectEnvelope(ended: Ended) {
  expect(ended.stdout).toBe('');
  const lines = ended.stderr.split('\n').filter((line) => line !== '');
  expect(lines).toHaveLength(1);
  const { error, schema_version } = JSON.parse(lines[0] ?? '');
  expect(schema_version).toBe(1);
  expect(Object.keys(error)).toEqual([
    'code',
    'message',
    'hint',
    'exit_code',
    'http_status',
    'meta',
    'operation',
    'field_errors',
    'outcome',
  ]);
  expect(error.exit_code).toBe(ended.exit);
  expect(error.message).not.toBe('');
}

/** A failure in a machine format is one line of JSON on stderr, and nothing is on stdout. */
export async function failsInJson(command: CommandData): Promise<void> {
  const { run } = await walk(command);
  for (const [what, { words }] of Object.entries(failures)) {
    // `doctor` tells what is wrong with a profile instead of failing over it.
    if (command.command === 'doctor' && what === 'a bad profile') continue;
    for (const format of ['json', 'jsonl']) expectEnvelope(await run([], [...words, '-o', format]));
    // The other formats are read by people, who get the words.
    if (!isShown(command)) continue;
    for (const format of ['yaml', 'csv', 'name']) {
      const { stdout, stderr } = await run([], [...words, '-o', format]);
      expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^shopctl: error: /)]);
    }
  }
}

/** No question is asked without a terminal, nor at one with --no-input. */
export async function asksNothing(command: CommandData, terminal: boolean): Promise<void> {
  const { machine } = await walk(command);
  for (const words of [runnableWords(command), command.command.split(' ')]) {
    const given = terminal ? withWords(words, ['--no-input']) : words;
    const ended = await machine.run(given, { ...endingAtOnce(command), terminal });
    expect(ended.prompter.asked).toEqual([]);
    expect(ended.exit).not.toBe(1);
  }
}

/** The waits for a lost answer end at once; what waits again and again, for what may come, is left waiting. */
function hurriedClock(): Clock {
  const clock = steppedClock();
  const standing = standingClock();
  return { ...clock, wait: (ms, signal) => (clock.waits.length < 50 ? clock : standing).wait(ms, signal) };
}

/** The secret part of every key that a test's machine and its service know. */
export const secretsOf = (all: readonly string[]) => all.map((key) => key.slice(key.indexOf(':') + 1));

/** Every command but those where a key is what was asked for. */
export const keepingSecrets = named.filter(([name]) => name !== 'sandbox credentials' && name !== 'auth token');

/** The files of a machine, other than its settings, that hold one of these. */
export function leftBehind(directory: string, secrets: readonly string[]): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'config.json')
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const text = readFileSync(path, 'latin1');
      return secrets.some((secret) => text.includes(secret));
    });
}

/** The runs of a command whose service echoes the key, or closes: all of them, or the first alone. */
export async function keepsEchoedKeys(command: CommandData, runs = 4): Promise<void> {
  const echo = Object.values(keys).join(' ');
  const machine = testMachine(async ({ headers }) => {
    const header = headers.authorization ?? '';
    return json(401, { code: 'unauthenticated', msg: `not known: ${header}`, meta: { header } });
  });
  await machine.save(settings);
  const closed = testMachine(async ({ headers }) => {
    throw new TransportError('closed', 'maybe', `closed after ${headers.authorization}`);
  });
  await closed.save(settings);
  const all = [
    { each: machine, flags: ['--debug', '--json'] },
    { each: machine, flags: ['--debug', '--curl'] },
    { each: machine, flags: ['--debug', '--dry-run'] },
    { each: closed, flags: ['--debug'] },
  ];
  for (const { each, flags } of all.slice(0, runs)) {
    const words = withWords(runnableWords(command), [...flags, '--yes', '--max-retries', '0']);
    const { exit, stdout, stderr, prompter } = await each.run(words, {
      ...endingAtOnce(command),
      clock: hurriedClock(),
    });
    expect(exit, stderr).not.toBe(1);
    expect(prompter.asked).toEqual([]);
    for (const secret of secretsOf(echo.split(' '))) expect(stdout + stderr).not.toContain(secret);
    expect(leftBehind(each.directory, secretsOf(echo.split(' ')))).toEqual([]);
  }
}

/** No key of the environment is in what it prints. */
export async function keepsKeysOfEnvironment(command: CommandData): Promise<void> {
  const { run } = await walk(command);
  const env = { SHOPCTL_API_KEY: '9:canary-of-the-environment', SHOPCTL_SHOP_KEY: 'shop9:canary-of-its-shop' };
  for (const words of [['--debug', '--json'], ['--curl']]) {
    const { stdout, stderr } = await run([], [...words, '--yes'], { env, ...endingAtOnce(command) });
    for (const secret of secretsOf(Object.values(env))) expect(stdout + stderr).not.toContain(secret);
  }
}

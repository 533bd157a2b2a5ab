import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { globalFlags } from '../../src/cli/line/globals.ts';
import { readCommand } from '../../src/cli/program.ts';
import { type CommandData, loadTree } from '../../src/cli/tree/tree.ts';
import { TransportError, type WireRequest } from '../../src/platform/http/transport.ts';
import type { Clock } from '../../src/platform/process/clock.ts';
import type { Settings } from '../../src/platform/settings/settings.ts';
import { type Ended, type RunOptions, type TestMachine, testMachine } from '../support/context.ts';
import { runnableWords, withWords } from '../support/example-words.ts';
import { flagExamples } from '../support/flag-examples.ts';
import { withoutExample } from '../support/request-context.ts';
import { json } from '../support/scripted-transport.ts';
import { shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { steppedClock } from '../support/stepped-clock.ts';

const { commands } = await loadTree();
const named = commands.map((command) => [command.command, command] as const);
const calling = named.filter(([, { operations }]) => operations.length > 0);

/** How a command line is built: of a command of each, the product with all flags is tried. */
const shapeOf = ({ command, arguments: taken, operations, examples }: CommandData) =>
  JSON.stringify([
    command.split(' ').length,
    taken.map(({ required, variadic }) => [required, variadic]),
    operations.length > 0,
    examples.some((example) => example.includes(' -- ')),
  ]);
const ofEachShape = [...new Map(named.toReversed().map((entry) => [shapeOf(entry[1]), entry])).values()];
const isShown = ({ command }: CommandData) => ofEachShape.some(([name]) => name === command);

const baseUrl = 'http://127.0.0.1:4010';
const keys = { partner: '7:canary-of-the-partner', shop: 'shop8:canary-of-the-shop', own: '8:canary-of-its-own' };
const settings: Settings = {
  version: 1,
  current_profile: 'test',
  profiles: {
    test: {
      kind: 'partner',
      base_url: baseUrl,
      api_key: keys.partner,
      shops: { '8': { name: 'Tea House', shop_key: keys.shop } },
      current_shop: '8',
    },
    'sandbox-shop': { kind: 'shop', base_url: baseUrl, api_key: keys.own },
  },
};

/** A value for each global flag that takes one, of a kind that it takes. */
const values = flagExamples({
  profile: 'test',
  shop: '8',
  'base-url': baseUrl,
  output: 'json',
  fields: 'id',
  query: '@',
  'max-retries': '0',
});

const wordsOf = ({ name, value }: (typeof globalFlags)[number]) =>
  value === undefined ? [`--${name}`] : [`--${name}`, values[name] ?? ''];

/** What a line is read as: which command, and what was given for it. */
async function typed(line: readonly string[]) {
  const read = await readCommand(line);
  if (read.kind === 'text') throw new TypeError(`a line that shows a text: ${line.join(' ')}`);
  const { chosen, globals, given } = read;
  return { words: chosen.command.words, summary: chosen.command.summary, globals, given };
}

/** Commands that run until a signal. */
const endless = new Set(['console', 'sandbox start', 'webhooks listen', 'events tail']);

/** What runs until a signal gets one at once, unless it fails before. */
function endingAtOnce({ command }: CommandData): RunOptions {
  return endless.has(command) ? { signal: AbortSignal.abort('SIGTERM') } : {};
}

interface Walked {
  readonly machine: TestMachine;
  readonly requests: WireRequest[];
  /** Runs the example of the command with words before it and behind it, each time with the same settings. */
  run(before: readonly string[], behind: readonly string[], options?: RunOptions): ReturnType<TestMachine['run']>;
}

const notFound = json(404, { code: 'not_found', msg: 'none', meta: {} });

/** The profile whose keys the command's first operation takes. */
const profileFor = ({ operations }: CommandData) =>
  operations[0]?.credential === 'shop-api-key' ? 'sandbox-shop' : 'test';

/** The command's example on a machine with canary keys, whose service knows nothing of what is asked for. */
async function walk(command: CommandData): Promise<Walked> {
  const requests: WireRequest[] = [];
  const machine = testMachine(async (request) => {
    requests.push(request);
    return notFound;
  });
  const own = { ...settings, current_profile: profileFor(command) };
  await machine.save(own);
  const words = runnableWords(command);
  return {
    machine,
    requests,
    async run(before, behind, options) {
      const ended = await machine.run([...before, ...withWords(words, behind)], options);
      if (!isDeepStrictEqual(await machine.settings(), own)) await machine.save(own);
      return ended;
    },
  };
}

const anywhere = globalFlags.filter(({ name }) => name !== 'help' && name !== 'version');

/** Flags that end a run before the command's own work is done; each has a test of its own below. */
const ending = ['fields', 'dry-run', 'curl', 'read-only'];
const together = anywhere.filter(({ name }) => !ending.includes(name));

describe('every global flag', () => {
  it('is no flag of a command', () => {
    const own = new Set(globalFlags.flatMap(({ name, short }) => [`--${name}`, `-${short}`]));
    const flags = commands.flatMap(({ command, flags }) =>
      flags.flatMap(({ name, short }) => [`--${name}`, `-${short ?? name}`]).map((flag) => [command, flag] as const),
    );
    expect(flags.length).toBeGreaterThan(500);
    expect(flags.filter(([, flag]) => own.has(flag))).toEqual([]);
    expect(ofEachShape.length).toBeGreaterThan(8);
  });

  it.each(ofEachShape)('means the same before and after: %s', async (_, command) => {
    const words = runnableWords(command);
    const plain = await typed(words);
    // Where the example has the flag itself, which of two counts is another question.
    for (const flag of anywhere.filter(({ name }) => !(name in plain.globals))) {
      const given = wordsOf(flag);
      const expected = { ...plain, globals: { ...plain.globals, [flag.name]: values[flag.name] ?? true } };
      for (const line of [[...given, ...words], withWords(words, given)]) {
        // So many are equal that the matcher takes longer than the reading.
        if (!isDeepStrictEqual(await typed(line), expected))
          expect(await typed(line), line.join(' ')).toEqual(expected);
      }
    }
  });

  it.each(named)('is taken by the command as it runs: %s', async (_, command) => {
    const { run } = await walk(command);
    // A whole sandbox for each flag would take most of the time of all these tests; a backup that is there is not replaced.
    const slow = /^(?:console|sandbox (?:start|exec)|workspace backup)$/.test(command.command) ? ['--dry-run'] : [];
    const curl = isShown(command) ? [['--curl']] : [];
    for (const given of [together.flatMap(wordsOf), ...curl]) {
      const { exit, stderr } = await run([], [...given, ...slow], endingAtOnce(command));
      expect(stderr, given.join(' ')).not.toMatch(/unknown option|internal_error|a bug in shopctl/);
      expect(exit, given.join(' ')).not.toBe(1);
    }
  });

  it.each(ofEachShape)('is refused with a value it cannot take: %s', async (_, command) => {
    const { run, requests } = await walk(command);
    for (const words of ['--as nobody', '--output nothing', '--timeout soon', '--max-retries many']) {
      const { exit, stdout, stderr } = await run([], words.split(' '));
      expect([words, exit, stdout]).toEqual([words, 2, '']);
      expect(stderr).toContain(words.split(' ')[0]);
    }
    expect((await run([], ['--profile', 'nobody'])).exit).toBe(14);
    expect(requests).toEqual([]);
  });
});

describe('--help', () => {
  it.each(named)('prints help on stdout, before and after: %s', async (name, command) => {
    const { run, requests } = await walk(command);
    for (const [before, behind] of [
      [['--help'], []],
      [[], ['--help']],
      [['-h'], []],
    ] as const) {
      const { exit, stdout, stderr } = await run(before, behind);
      expect([exit, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`Usage: shopctl ${name}`);
      expect(stdout).toContain(command.summary);
    }
    expect(requests).toEqual([]);
  });
});

/** A command that has one call to show; the others make theirs of several. */
const ofSeveral = ['auth login', 'ship', 'webhooks listen', 'webhooks recover'];
const showing = calling.filter(([name]) => !ofSeveral.includes(name));

describe('a command with an operation', () => {
  it.each(showing)('shows its request with --dry-run and as curl, without the key: %s', async (_, command) => {
    const { run, requests } = await walk(command);
    const dry = await run([], ['--dry-run', '-o', 'json']);
    const request = JSON.parse(dry.stdout);
    expect([dry.exit, withoutExample(dry.stderr)]).toEqual([0, 'dry run: nothing was sent\n']);
    expect(command.operations.map(({ id }) => id)).toContain(request.operation);
    expect(request.url).toBe(`${baseUrl}/v1/${request.operation}`);
    const curl = await run([], ['--curl']);
    expect([curl.exit, withoutExample(curl.stderr)]).toEqual([0, '']);
    expect(curl.stdout).toContain(`'${request.url}'`);
    expect(curl.stdout).toMatch(/Authorization: Bearer \$SHOPCTL_(API|SHOP)_KEY/);
    expect(requests).toEqual([]);
  });

  it.each(calling)('refuses to write with --read-only: %s', async (_, command) => {
    const { run, requests } = await walk(command);
    const { exit, stderr } = await run([], ['--read-only', '--yes', '-o', 'json']);
    if (command.operations.every(({ effect }) => effect === 'read')) {
      expect([exit, requests.length]).toEqual([3, 1]);
    } else {
      expect([exit, JSON.parse(stderr).error.code, requests]).toEqual([12, 'read_only', []]);
    }
  });
});

describe('--fields without a value', () => {
  it.each(named)('does nothing but list fields: %s', async (_, command) => {
    const { machine, requests } = await walk(command);
    const before = await machine.settings();
    const words = withWords(runnableWords(command), ['--yes', '--fields']);
    const { exit, stdout } = await machine.run(words, endingAtOnce(command));
    expect(requests).toEqual([]);
    expect(await machine.settings()).toEqual(before);
    if (command.operations.length > 0) expect([exit, stdout]).toEqual([0, expect.stringMatching(/^([\w.]+\n)*$/)]);
  });
});

const failures = {
  'an unknown flag': { words: ['--no-such-flag'] },
  'a bad profile': { words: ['--profile', 'nobody'] },
};

/** The one line of JSON that a failure is, and nothing on stdout. */
function expectEnvelope(ended: Ended) {
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

describe('a failure in a machine format', () => {
  it.each(named)('is one line of JSON on stderr, and nothing is on stdout: %s', async (name, command) => {
    const { run } = await walk(command);
    for (const [what, { words }] of Object.entries(failures)) {
      // `doctor` tells what is wrong with a profile instead of failing over it.
      if (name === 'doctor' && what === 'a bad profile') continue;
      for (const format of ['json', 'jsonl']) expectEnvelope(await run([], [...words, '-o', format]));
      // The other formats are read by people, who get the words.
      if (!isShown(command)) continue;
      for (const format of ['yaml', 'csv', 'name']) {
        const { stdout, stderr } = await run([], [...words, '-o', format]);
        expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^shopctl: error: /)]);
      }
    }
  });

  it.each(showing)('is so too when the service answers one: %s', async (_, command) => {
    const { run } = await walk(command);
    const ended = await run([], ['-o', 'json', '--yes', '--max-retries', '0', '--timeout', '1']);
    expectEnvelope(ended);
    expect(JSON.parse(ended.stderr).error).toMatchObject({ code: 'not_found', exit_code: 3, http_status: 404 });
  });
});

describe('no question', () => {
  it.each(named)('is asked without a terminal: %s', async (name, command) => {
    const { machine } = await walk(command);
    for (const words of [runnableWords(command), name.split(' ')]) {
      const ended = await machine.run(words, endingAtOnce(command));
      expect(ended.prompter.asked).toEqual([]);
      expect(ended.exit).not.toBe(1);
    }
  });

  it.each(named)('is asked at a terminal with --no-input: %s', async (name, command) => {
    const { machine } = await walk(command);
    for (const words of [runnableWords(command), name.split(' ')]) {
      const ended = await machine.run(withWords(words, ['--no-input']), { ...endingAtOnce(command), terminal: true });
      expect(ended.prompter.asked).toEqual([]);
      expect(ended.exit).not.toBe(1);
    }
  });
});

/** The waits for a lost answer end at once; what waits again and again, for what may come, is left waiting. */
function hurriedClock(): Clock {
  const clock = steppedClock();
  const standing = standingClock();
  return { ...clock, wait: (ms, signal) => (clock.waits.length < 50 ? clock : standing).wait(ms, signal) };
}

/** The secret part of every key that a test's machine and its service know. */
const secretsOf = (all: readonly string[]) => all.map((key) => key.slice(key.indexOf(':') + 1));

/** Every command but those where a key is what was asked for. */
const keepingSecrets = named.filter(([name]) => name !== 'sandbox credentials' && name !== 'auth token');

/** The files of a machine, other than its settings, that hold one of these. */
function leftBehind(directory: string, secrets: readonly string[]): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'config.json')
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const text = readFileSync(path, 'latin1');
      return secrets.some((secret) => text.includes(secret));
    });
}

describe('no key', () => {
  it.each(keepingSecrets)('is in what it prints, even where the service echoes one: %s', async (_, command) => {
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
    for (const [each, flags] of [
      [machine, ['--debug', '--json']],
      [machine, ['--debug', '--curl']],
      [machine, ['--debug', '--dry-run']],
      [closed, ['--debug']],
    ] as const) {
      const words = withWords(runnableWords(command), [...flags, '--yes', '--max-retries', '0']);
      const { stdout, stderr } = await each.run(words, { ...endingAtOnce(command), clock: hurriedClock() });
      for (const secret of secretsOf(echo.split(' '))) expect(stdout + stderr).not.toContain(secret);
      expect(leftBehind(each.directory, secretsOf(echo.split(' ')))).toEqual([]);
    }
  });

  it.each(keepingSecrets)('of the environment is in what it prints: %s', async (_, command) => {
    const { run } = await walk(command);
    const env = { SHOPCTL_API_KEY: '9:canary-of-the-environment', SHOPCTL_SHOP_KEY: 'shop9:canary-of-its-shop' };
    for (const words of [['--debug', '--json'], ['--curl']]) {
      const { stdout, stderr } = await run([], [...words, '--yes'], { env, ...endingAtOnce(command) });
      for (const secret of secretsOf(Object.values(env))) expect(stdout + stderr).not.toContain(secret);
    }
  });

  it('of the sandbox is in what any command prints of a service that works', async () => {
    const world = await shopWorld();
    const { partner, shop, otherShop, shopKey } = world.service;
    const secrets = secretsOf([partner.apiKey, shop.apiKey, otherShop.apiKey, shopKey]);
    for (const [name, command] of calling) {
      for (const profile of ['test', 'shop']) {
        const words = withWords(runnableWords(command), ['--yes', '--debug', '--profile', profile]);
        const { stdout, stderr } = await world.run(words, endingAtOnce(command));
        for (const secret of secrets) expect(stdout + stderr, name).not.toContain(secret);
      }
    }
    expect(leftBehind(world.directory, secrets)).toEqual([]);
  });

  it('of the control plane is in what the sandbox commands print while one runs', async () => {
    const machine = testMachine(async () => notFound);
    const stop = new AbortController();
    let ready = () => {};
    const isReady = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const words = ['sandbox', 'start', '--ephemeral', '--port', '0', '--json', '--debug'];
    const started = machine.run(words, { signal: stop.signal, onStdout: () => ready() });
    await Promise.race([isReady, started]);
    const [file = ''] = readdirSync(machine.directory, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.includes('sandboxes/'),
    );
    const { control_token: token } = JSON.parse(readFileSync(join(machine.directory, file), 'utf8'));
    expect(token).toMatch(/^.{20,}$/);
    const { profiles } = await machine.settings();
    const secrets = [token, ...secretsOf(Object.values(profiles).map(({ api_key }) => api_key ?? ''))];
    const printed: string[] = [];
    const reached: string[] = [];
    for (const [name, command] of named.filter(([words]) => /^sandbox (?!start|exec|stop)/.test(words))) {
      for (const flags of [['--debug'], ['--json', '--debug', '--yes']]) {
        const { exit, stdout, stderr } = await machine.run(withWords(runnableWords(command), flags));
        if (exit === 0) reached.push(name);
        const shown = name === 'sandbox credentials' ? secrets.slice(0, 1) : secrets;
        if (shown.some((secret) => (stdout + stderr).includes(secret))) printed.push(name);
      }
    }
    stop.abort('SIGTERM');
    const { stdout, stderr } = await started;
    if (secrets.some((secret) => (stdout + stderr).includes(secret))) printed.push('sandbox start');
    expect(printed).toEqual([]);
    expect(reached).toEqual(expect.arrayContaining(['sandbox credentials', 'sandbox log']));
  });
});

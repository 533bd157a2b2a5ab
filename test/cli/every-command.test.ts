import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { globalFlags } from '../../src/cli/line/globals.ts';
import { readCommand } from '../../src/cli/program.ts';
import { testMachine } from '../support/context.ts';
import { runnableWords, withWords } from '../support/example-words.ts';
import { withoutExample } from '../support/request-context.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf, noticeText } from '../support/stderr-lines.ts';
import {
  anywhere,
  asksNothing,
  expectEnvelope,
  failsInJson,
  keepingSecrets,
  keepsEchoedKeys,
  keepsKeysOfEnvironment,
  leftBehind,
  secretsOf,
  takesEveryFlag,
} from './every-command/claims.ts';
import {
  baseUrl,
  calling,
  commands,
  endingAtOnce,
  isShown,
  named,
  notFound,
  ofEachShape,
  values,
  walk,
  wordsOf,
} from './every-command/walk.ts';

/** What a line is read as: which command, and what was given for it. */
async function typed(line: readonly string[]) {
  const read = await readCommand(line);
  if (read.kind === 'text') throw new TypeError(`a line that shows a text: ${line.join(' ')}`);
  const { chosen, globals, given } = read;
  return { words: chosen.command.words, summary: chosen.command.summary, globals, given };
}

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

  it.each(ofEachShape)('is taken by the command as it runs: %s', (_, command) => takesEveryFlag(command));

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
  const written = [
    [['--help'], []],
    [[], ['--help']],
    [['-h'], []],
  ] as const;
  // Each command in one of the three ways, one of each shape in all.
  const asked = named.flatMap(([name, command], place) =>
    written
      .filter((_, way) => isShown(command) || way === place % written.length)
      .map(([before, behind]) => [name, before, behind, command] as const),
  );

  it.each(asked)('prints help on stdout, before and after: %s (%j %j)', async (name, before, behind, command) => {
    const { run, requests } = await walk(command);
    const { exit, stdout, stderr } = await run(before, behind);
    expect([exit, stderr, requests]).toEqual([0, '', []]);
    expect(stdout).toContain(`Usage: shopctl ${name}`);
    expect(stdout).toContain(command.summary);
  });
});

/** A command that has one call to show; the others make theirs of several. */
const ofSeveral = ['auth login', 'ship', 'webhooks listen', 'webhooks recover', 'shipping cancel', 'orders cancel'];
const showing = calling.filter(([name]) => !ofSeveral.includes(name));

describe('a command with an operation', () => {
  it.each(showing)('shows its request with --dry-run and as curl, without the key: %s', async (_, command) => {
    const { run, requests } = await walk(command);
    const dry = await run([], ['--dry-run', '-o', 'json']);
    const request = JSON.parse(dry.stdout);
    expect([dry.exit, withoutExample(noticeText(dry))]).toEqual([0, 'dry run: nothing was sent\n']);
    expect(command.operations.map(({ id }) => id)).toContain(request.operation);
    expect(request.url).toBe(`${baseUrl}/v1/${request.operation}`);
    const curl = await run([], ['--curl']);
    const [, variable] = /Authorization: Bearer \$(SHOPCTL_(?:API|SHOP)_KEY)/.exec(curl.stdout) ?? [];
    const setting = new RegExp(
      `^first export ${variable} with what \`shopctl auth token (?:--api-key )?--yes --profile [a-z-]+\` prints\n$$`,
    );
    expect([curl.exit, withoutExample(curl.stderr)]).toEqual([0, expect.stringMatching(setting)]);
    expect(curl.stdout).toContain(`'${request.url}'`);
    expect(requests).toEqual([]);
  });

  it.each(calling)('refuses to write with --read-only: %s', async (_, command) => {
    const { run, requests } = await walk(command);
    const { exit, stderr } = await run([], ['--read-only', '--yes', '-o', 'json']);
    if (command.operations.every(({ effect }) => effect === 'read')) {
      expect(exit).toBe(3);
      // What is no id may be another name of the record.
      for (const { url } of requests) expect(url).toMatch(/\/(?:Get|List|Current|Version|Shipping)/);
    } else {
      expect([exit, errorOf(stderr).code, requests]).toEqual([12, 'read_only', []]);
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

describe('a failure in a machine format', () => {
  it.each(ofEachShape)('is one line of JSON on stderr, and nothing is on stdout: %s', (_, command) =>
    failsInJson(command),
  );

  it.each(showing)('is so too when the service answers one: %s', async (_, command) => {
    const { run } = await walk(command);
    const ended = await run([], ['-o', 'json', '--yes', '--max-retries', '0', '--timeout', '1']);
    expectEnvelope(ended);
    expect(errorOf(ended)).toMatchObject({ code: 'not_found', exit_code: 3, http_status: 404 });
  });
});

describe('no question', () => {
  it.each(ofEachShape)('is asked without a terminal: %s', (_, command) => asksNothing(command, false));

  it.each(ofEachShape)('is asked at a terminal with --no-input: %s', (_, command) => asksNothing(command, true));
});

const keepingSecretsOfShapes = keepingSecrets.filter(([, command]) => isShown(command));

describe('no key', () => {
  it.each(keepingSecrets)('is in what it prints where the service echoes one: %s', (_, command) =>
    keepsEchoedKeys(command, 1),
  );

  it.each(keepingSecretsOfShapes)('is in what it prints, however its service answers: %s', (_, command) =>
    keepsEchoedKeys(command),
  );

  it.each(keepingSecretsOfShapes)('of the environment is in what it prints: %s', (_, command) =>
    keepsKeysOfEnvironment(command),
  );

  it('of the sandbox is in what any command prints of a service that works', async () => {
    const world = await shopWorld();
    const { partner, shop, otherShop, shopKey } = world.service;
    const secrets = secretsOf([partner.apiKey, shop.apiKey, otherShop.apiKey, shopKey]);
    for (const [name, command] of calling) {
      const profile = command.operations[0]?.credential === 'shop-api-key' ? 'shop' : 'test';
      const words = withWords(runnableWords(command), ['--yes', '--debug', '--profile', profile]);
      const { stdout, stderr } = await world.run(words, endingAtOnce(command));
      for (const secret of secrets) expect(stdout + stderr, name).not.toContain(secret);
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
    const words = ['sandbox', 'start', '--ephemeral', '--seed', 'none', '--port', '0', '--json', '--debug'];
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

import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCodes } from '../../src/cli/errors/exit.ts';
import { reportOf } from '../../src/cli/report/report.ts';
import { startDetached } from '../../src/cli/sandbox/detach.ts';
import { nodeChildren } from '../../src/platform/process/node-children.ts';
import { manyOrders } from '../batch/batch-world.ts';
import { offlineContext } from '../support/offline-context.ts';
import { shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { commands } from './every-command/walk.ts';

/** Lines that name something stored here which is not there, by the command. */
const absent: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'batch show': [['zzzzzz']],
  'batch rows': [['zzzzzz']],
  'batch result': [['zzzzzz', '--to', 'x.csv']],
  'batch resume': [['zzzzzz']],
  'batch work': [['zzzzzz']],
  'batch retry': [['zzzzzz'], ['zzzzzz', 'orders.csv']],
  'batch settle': [['zzzzzz', '1', '--done']],
  'batch undo': [['zzzzzz']],
  'batch forget': [['zzzzzz']],
  'wait batch': [['zzzzzz']],
  slips: [['--batch', 'zzzzzz', '--to', 'x.pdf']],
  ship: [['--resume', 'zzzzzz']],
  'ship drafts show': [['zzzzzz']],
  'ship drafts remove': [['zzzzzz']],
  'events show': [['1'], ['1234567890123456789']],
  'events replay': [['1'], ['--since', '1h', '--to', 'zzzzzz']],
  'events targets pause': [['zzzzzz']],
  'events targets resume': [['zzzzzz']],
  'events targets retry': [['zzzzzz']],
  'events targets remove': [['zzzzzz']],
  'ledger show': [['zzzzzz']],
  'ledger settle': [['zzzzzz', '--done']],
  'profiles show': [['zzzzzz']],
  'profiles use': [['zzzzzz']],
  'profiles remove': [['zzzzzz']],
  'profiles set-key': [['zzzzzz', '--api-key-stdin']],
  'auth use': [['1234567890123456789']],
  'auth logout': [['1234567890123456789']],
  'cod show': [['zzzzzz']],
  'cod forget': [['zzzzzz']],
  'cod close': [['zzzzzz']],
  'drift show': [['zzzzzz']],
};

const world = async () => {
  const shop = await shopWorld();
  writeFileSync(join(shop.directory, 'orders.csv'), manyOrders(1));
  return shop;
};

describe('what is not stored here ends with 3', () => {
  it.each(
    Object.entries(absent).flatMap(([command, lines]) => lines.map((line) => [command, line.join(' '), line] as const)),
  )('%s %s', async (command, _, line) => {
    const { run } = await world();
    const words = [...command.split(' '), ...line, '-o', 'json', '--yes'];
    const { exit, stderr } = await run(words, { stdin: '7:a-key', clock: steppedClock() });
    const last = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}');
    expect([exit, last.error?.message]).toEqual([3, expect.any(String)]);
    expect(last.error.outcome).toBe('not_applied');
  });

  it('is tried with every command whose argument is a name of something stored here', () => {
    const isStored = /^(?:batch|draft|profile|shop|session|target|change|write|finding)/i;
    // These name what they make, what is shown of any shop, or a record of a sandbox, which is asked for it.
    const others = /^(?:auth token|schema|sandbox )/;
    const taking = commands.filter(
      ({ command, operations, arguments: taken }) =>
        operations.length === 0 &&
        !others.test(command) &&
        taken.some(({ name, offers }) => isStored.test(name) || offers !== undefined),
    );
    expect(taking.map(({ command }) => command).filter((command) => absent[command] === undefined)).toEqual([]);
  });
});

/** A port that another program holds, until the test has finished. */
async function takenPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())));
  return String((server.address() as AddressInfo).port);
}

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}').error;

describe('what is at work, or holds the port, ends another command with 5', () => {
  it.each([
    ['console', ['console']],
    ['a listener', ['webhooks', 'listen']],
    ['a sandbox', ['sandbox', 'start', '--ephemeral']],
  ])('the port of %s', async (_, words) => {
    const { run } = await shopWorld();
    const { exit, stderr } = await run([...words, '--port', await takenPort(), '-o', 'json']);
    expect([exit, errorOf(stderr)]).toMatchObject([5, { outcome: 'not_applied', exit_code: 5 }]);
  });

  it('a mirror, which says whose work it is; a watch waits for it', async () => {
    let [answers, isAsked] = [() => {}, () => {}];
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const answering = new Promise<void>((resolve) => {
      answers = resolve;
    });
    const { run } = await shopWorld((transport) => async (request) => {
      isAsked();
      await answering;
      return transport(request);
    });
    const first = run(['mirror', 'sync', '--profile', 'shop', '-o', 'json']);
    await asked;
    const ended = { outcome: 'not_applied', code: 'mirror_busy', message: expect.stringContaining(`${process.pid}`) };
    for (const words of ['sync', 'verify', 'forget --yes']) {
      const waits = new AbortController();
      const onStderr = (text: string) => {
        if (text.includes('waiting')) waits.abort('SIGINT');
      };
      const line = ['mirror', ...words.split(' '), '--profile', 'shop', '-o', 'json'];
      const { exit, stderr } = await run(line, { onStderr, signal: waits.signal });
      expect([words, exit, errorOf(stderr)]).toMatchObject([words, 5, ended]);
    }
    const ending = new AbortController();
    const watching = run(['mirror', 'sync', '--watch', '--profile', 'shop', '-o', 'jsonl'], {
      signal: ending.signal,
      clock: steppedClock(),
      onStderr: () => answers(),
      onStdout: () => ending.abort('SIGINT'),
    });
    const watched = await watching;
    expect(watched.stderr).toContain('waiting for it to finish');
    expect((await first).exit).toBe(0);
    expect(JSON.parse(watched.stdout.split('\n')[0] ?? '')).toMatchObject({ area: expect.any(String) });
  });

  it('a listener, beside which the workspace is not moved', async () => {
    const { run, directory } = await shopWorld();
    const ending = new AbortController();
    let running: Promise<unknown> = Promise.resolve();
    await new Promise<void>((ready) => {
      running = run(['webhooks', 'listen', '--port', '0', '-o', 'json'], {
        signal: ending.signal,
        onStdout: () => ready(),
      });
    });
    const env = { SHOPCTL_STATE_DIR: join(directory, 'elsewhere') };
    const { exit, stderr } = await run(['workspace', 'move', '--yes', '-o', 'json'], { env, clock: steppedClock() });
    ending.abort();
    await running;
    expect([exit, errorOf(stderr)]).toMatchObject([5, { outcome: 'not_applied' }]);
  });
});

describe('settings that cannot be used, and nothing else, end with 14', () => {
  it.each([
    ['a file that is damaged', { file: '{' }, {}],
    ['an address that is none', {}, { SHOPCTL_BASE_URL: 'ftp://x' }],
    ['a workspace that is none', {}, { SHOPCTL_WORKSPACE: 'mysql://x/y' }],
  ] as const)('%s', async (_, { file }: { readonly file?: string }, env) => {
    const { run, directory } = await shopWorld();
    if (file !== undefined) writeFileSync(join(directory, 'config.json'), file);
    for (const words of [
      ['orders', 'list'],
      ['batch', 'list'],
    ]) {
      const { exit } = await run([...words, '-o', 'json'], { env });
      const isOfService = 'SHOPCTL_BASE_URL' in env && words[0] === 'batch';
      const isOfWorkspace = 'SHOPCTL_WORKSPACE' in env && words[0] === 'orders';
      if (!isOfService && !isOfWorkspace) expect([words, exit]).toEqual([words, 14]);
    }
  });
});

describe('a sandbox in the background that does not start ends the command as it ended itself', () => {
  const line = (code: string, exit_code: number) =>
    JSON.stringify({ error: { code, message: 'why', hint: null, exit_code }, schema_version: 1 });
  it.each([
    [1, 'internal_error', line('internal_error', 1)],
    [1, 'data_full', line('data_full', 1)],
    [5, 'port_taken', line('port_taken', 5)],
    [14, 'configuration', line('configuration', 14)],
    [1, 'sandbox_ended', 'Segmentation fault'],
    [1, 'sandbox_ended', ''],
  ])('with %i: %s', async (exit, code, said) => {
    const { directory } = await shopWorld();
    const children = { ...nodeChildren, detach: async () => ({ code: exit, signal: undefined, said }) };
    const context = offlineContext([], { children });
    const start = {
      name: 'default',
      port: 0,
      data: undefined,
      seed: 'none',
      allowHosts: [],
      withConsole: false,
    } as const;
    const thrown = await startDetached(context, directory, start).catch((error: unknown) => error);
    const { code: reported, exit: ended } = reportOf(thrown);
    expect([reported, exitCodes[ended].code]).toEqual([code, exit]);
  });
});

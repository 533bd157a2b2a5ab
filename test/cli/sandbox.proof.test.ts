import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { nodeChildren } from '../../src/platform/process/node-children.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { runHere } from '../support/run-here.ts';
import { errorOf, noticeText } from '../support/stderr-lines.ts';

let built: BuiltProgram | undefined;
beforeAll(async () => {
  built = await buildProgram();
});
function program(): BuiltProgram {
  if (built === undefined) throw new Error('the program was not built');
  return built;
}
afterAll(() => built?.remove());

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Servers, what runs with one, and what waits for one to end. */
const startsOrEnds = /^sandbox (?:start|exec|stop)\b/;

/** A home of its own for the processes of one test, and a way to run the program in it. */
function home(more: Readonly<Record<string, string>> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-home-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH, SHOPCTL_CONFIG_DIR: directory, HOME: directory, ...more };
  const open = (...words: string[]) => spawn(...program().line(...words), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  /** What starts or ends a server is a process; everything else asks one from here. */
  const run = async (...words: string[]): Promise<Ended> => {
    if (!startsOrEnds.test(words.join(' '))) return runHere(directory, words);
    const child = open(...words);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  };
  const json = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(...words, '--json');
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return JSON.parse(stdout);
  };
  return { directory, open, run, json };
}

/** Starts a sandbox, waits for its first line, and ends it with the test. */
async function started(world: ReturnType<typeof home>, ...words: string[]) {
  const child = world.open('sandbox', 'start', '--port', '0', '--json', ...words);
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  for await (const line of createInterface(child.stdout)) return { child, ended, ready: JSON.parse(line) };
  throw new Error('the sandbox said nothing');
}

describe('shopctl sandbox start', () => {
  it('tells with its first line when it is ready, saves its profiles and ends by SIGTERM', async () => {
    const world = home();
    const { child, ended, ready } = await started(world, '--ephemeral', '--seed', 'none');
    expect(ready).toEqual({
      event: 'ready',
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      control_url: `${ready.base_url}/_sandbox`,
      profiles: ['sandbox', 'sandbox-shop'],
      console_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?secret=[0-9a-f]{32}$/),
    });
    expect((await world.json('account', 'show', '--profile', 'sandbox-shop')).type).toBe('shop');
    const states = join(world.directory, 'state', 'sandboxes', 'default.json');
    expect(statSync(states).mode & 0o777).toBe(0o600);
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expect(existsSync(states)).toBe(false);
  });

  it('keeps its data in a directory, which only one sandbox may open', async () => {
    const world = home();
    const data = join(world.directory, 'data');
    const first = await started(world, '--data', data, '--seed', 'none');
    const group = await world.json('groups', 'create', '--name', 'Khách quen', '--profile', 'sandbox-shop');
    const second = await world.run('sandbox', 'start', '--port', '0', '--data', data, '--name', 'other');
    expect([second.code, second.stderr]).toEqual([5, expect.stringContaining('another sandbox has this data open')]);
    expect((await world.run('sandbox', 'stop')).code).toBe(0);
    await first.ended;
    await started(world, '--data', data);
    expect((await world.json('groups', 'get', group.id, '--profile', 'sandbox-shop')).name).toBe('Khách quen');
  });

  it('has profiles of its own name, and leaves those of another one alone', async () => {
    const world = home();
    const first = await started(world, '--ephemeral', '--seed', 'none');
    const before = await world.json('profiles', 'show', 'sandbox');
    const asked = await world.run('sandbox', 'reset');
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await world.json('sandbox', 'reset', '--yes')).toEqual({ seed: 'none' });
    // A field that a global flag gives is named by that flag.
    const shopless = await world.run('sandbox', 'sign-in', 'request:none', '--profile', 'sandbox');
    expect([shopless.code, shopless.stderr]).toEqual([2, expect.stringContaining('--shop-id is required')]);
    const { shop_id: shop } = { shop_id: (await world.json('sandbox', 'credentials')).shops[0].id };
    const second = await started(world, '--ephemeral', '--seed', 'none', '--name', 'two');
    expect(second.ready.profiles).toEqual(['two', 'two-shop']);
    expect(await world.json('profiles', 'show', 'sandbox')).toEqual(before);
    const account = async (profile: string) => (await world.json('account', 'show', '--profile', profile)).id;
    expect(await account('sandbox-shop')).toBe(shop);
    expect(await account('two-shop')).not.toBe(shop);
    expect((await world.json('profiles', 'show', 'two')).base_url).toBe(second.ready.base_url);
    for (const name of [[], ['--name', 'default'], ['--name', 'sandbox'], ['--name', 'two']]) {
      const { code, stderr } = await world.run('sandbox', 'start', '--ephemeral', '--port', '0', ...name);
      expect([code, stderr]).toEqual([5, expect.stringContaining('is already running')]);
    }
    expect(await world.json('profiles', 'show', 'sandbox')).toEqual(before);
    expect(first.ready.profiles).toEqual(['sandbox', 'sandbox-shop']);
  });

  it('never takes over a profile that leads to a service elsewhere', async () => {
    const world = home();
    await world.run(
      'profiles',
      'add',
      'live',
      '--base-url',
      'https://api.shop.example',
      '--kind',
      'partner',
      '--no-input',
    );
    const before = await world.json('profiles', 'show', 'live');
    const { code, stderr } = await world.run('sandbox', 'start', '--ephemeral', '--port', '0', '--name', 'live');
    expect([code, stderr]).toEqual([14, expect.stringContaining('leads to https://api.shop.example')]);
    expect(await world.json('profiles', 'show', 'live')).toEqual(before);
  });

  it('says that a port is taken', async () => {
    const world = home();
    const { ready } = await started(world, '--ephemeral', '--seed', 'none');
    const { port } = new URL(ready.base_url);
    const again = await world.run('sandbox', 'start', '--ephemeral', '--port', port, '--name', 'other');
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining(`port ${port} is taken`)]);
  });
});

describe('shopctl sandbox exec', () => {
  it('--signed-in has its first shop connected, with the key in the profile', async () => {
    const world = home();
    const script = [
      "const { execFileSync } = require('node:child_process');",
      `const run = (...words) => execFileSync(process.execPath, [${JSON.stringify('BIN')}, ...words, '--json']);`,
      'const parcel = [\'--pickup-address\', \'{"province":"HN","district":"Cầu Giấy"}\', \'--shipping-address\', \'{"province":"HCM","district":"1"}\', \'--gross-weight\', \'500\'];',
      "console.log(JSON.parse(run('shipping', 'services', ...parcel)).length);",
    ].join('\n');
    const withBin = script.replace('BIN', join(program().bin, 'shopctl.js'));
    const words = ['--seed', 'none', '--signed-in', '--', process.execPath, '-e', withBin];
    const { code, stdout } = await world.run('sandbox', 'exec', ...words);
    expect([code, Number(stdout) > 3]).toEqual([0, true]);
    const without = await world.run('sandbox', 'exec', ...words.filter((word) => word !== '--signed-in'));
    expect(without.code).not.toBe(0);
  });

  it('gives the command a world of its own and passes its exit code on', async () => {
    const world = home();
    const script = [
      'const { SHOPCTL_CONFIG_DIR, SHOPCTL_BASE_URL, SHOPCTL_PROFILE } = process.env;',
      'console.log(JSON.stringify({ SHOPCTL_CONFIG_DIR, SHOPCTL_BASE_URL, SHOPCTL_PROFILE }));',
      'process.exit(42);',
    ].join('\n');
    const { code, stdout } = await world.run('sandbox', 'exec', '--seed', 'none', '--', process.execPath, '-e', script);
    expect(code).toBe(42);
    const inside = JSON.parse(stdout);
    expect(inside.SHOPCTL_PROFILE).toBe('sandbox');
    expect(inside.SHOPCTL_CONFIG_DIR).not.toBe(world.directory);
    expect(existsSync(inside.SHOPCTL_CONFIG_DIR)).toBe(false);
    expect(existsSync(join(world.directory, 'config.json'))).toBe(false);
  });

  it('keeps the keys and the service of the world outside from the command', async () => {
    const outside = {
      SHOPCTL_API_KEY: '1:a-key-of-the-world-outside',
      SHOPCTL_SHOP_KEY: 'shop1:another-key',
      SHOPCTL_AS: 'shop',
    };
    const world = home(outside);
    const script = "console.log(Object.keys(process.env).filter((name) => name.startsWith('SHOPCTL_')).sort().join())";
    const { stdout } = await world.run('sandbox', 'exec', '--seed', 'none', '--', process.execPath, '-e', script);
    expect(stdout.trim()).toBe('SHOPCTL_BASE_URL,SHOPCTL_CONFIG_DIR,SHOPCTL_PROFILE,SHOPCTL_STATE_DIR');
  });

  it('says what it cannot run', async () => {
    const { code, stderr } = await home().run('sandbox', 'exec', '--seed', 'none', '--', '/no/such/program');
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no program /no/such/program')]);
  });
});

describe('sandbox exec and sandbox stop', () => {
  it('stop the sandbox of a script, which goes on without it', async () => {
    const script = [
      'shopctl account show --profile sandbox-shop -o name',
      'shopctl sandbox stop',
      'shopctl account show --profile sandbox-shop --max-retries 0',
      'echo $?',
      'shopctl sandbox stop',
      'exit 5',
    ].join('\n');
    const world = home({ PATH: `${built?.bin}:${process.env.PATH}` });
    const { code, stdout, stderr } = await world.run('sandbox', 'exec', '--', 'sh', '-c', script);
    expect(code).toBe(5);
    expect(stdout).toMatch(/^\d+\n7\n$/);
    expect(stderr).toContain('the sandbox default has stopped\n');
    expect(stderr).toContain('the sandbox is not running');
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('no sandbox is running');
  });
});

describe('shopctl sandbox start --detach', () => {
  /** Starts one that goes on by itself, and ends it with the test. */
  async function leftRunning(world: ReturnType<typeof home>, ...words: string[]) {
    const ended = await world.run('sandbox', 'start', '--detach', '--port', '0', '--ephemeral', ...words);
    onTestFinished(async () => void (await world.run('sandbox', 'stop')));
    return ended;
  }

  const recordOf = ({ directory }: { directory: string }) => join(directory, 'state', 'sandboxes', 'default.json');

  it('ends once it is ready, leaves it running, and sandbox stop ends it', async () => {
    const world = home();
    const { code, stdout, stderr } = await leftRunning(world, '--seed', 'none', '--json');
    expect([code, stderr]).toEqual([0, '']);
    const ready = JSON.parse(stdout);
    expect(ready).toMatchObject({ event: 'ready', profiles: ['sandbox', 'sandbox-shop'], pid: expect.any(Number) });
    expect((await world.json('account', 'show', '--profile', 'sandbox-shop')).type).toBe('shop');
    const again = await world.run('sandbox', 'start', '--detach', '--port', '0', '--ephemeral');
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('is already running')]);
    expect(statSync(join(world.directory, 'state', 'sandboxes', 'default.log')).mode & 0o777).toBe(0o600);
    const stopped = await world.run('sandbox', 'stop');
    expect([stopped.code, stopped.stderr]).toEqual([0, 'the sandbox default has stopped\n']);
    expect(nodeChildren.isRunning(ready.pid)).toBe(false);
    expect(existsSync(recordOf(world))).toBe(false);
    await expect(fetch(ready.base_url)).rejects.toThrow();
  });

  it('leaves one server where three are started at once, and each of the others says why', async () => {
    const world = home();
    const starts = await Promise.all([1, 2, 3].map(() => leftRunning(world, '--seed', 'none', '--json')));
    const ready = starts.filter(({ code }) => code === 0);
    expect(ready).toHaveLength(1);
    for (const { code, stderr } of starts.filter((start) => !ready.includes(start)))
      expect([code, errorOf({ stderr }).message]).toEqual([5, expect.stringContaining('is already running, at')]);
    const needed = await leftRunning(world, '--seed', 'none', '--json', '--if-needed');
    expect([needed.code, JSON.parse(needed.stdout).pid]).toEqual([0, JSON.parse(ready[0]?.stdout ?? '').pid]);
  });

  it('says where it listens and how it ends, and takes a seed from stdin', async () => {
    const world = home();
    const seed = join(world.directory, 'seed.json');
    // Longer than any request is read.
    writeFileSync(seed, JSON.stringify({ shops: [{ name: 'Tiệm Trà' }] }).padEnd(9 * 1024 * 1024));
    const { code, stdout } = await leftRunning(world, '--seed', seed);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The sandbox runs at http:\/\/127\.0\.0\.1:\d+\n/);
    expect(stdout).toContain('shopctl sandbox stop');
    expect((await world.json('account', 'show', '--profile', 'sandbox-shop')).name).toBe('Tiệm Trà');
  });

  it('tells why it did not start, with the exit that it would have had', async () => {
    const world = home();
    const first = await leftRunning(world, '--seed', 'none', '--json');
    const { port } = new URL(JSON.parse(first.stdout).base_url);
    const { code, stderr } = await world.run(
      'sandbox',
      'start',
      '--detach',
      '--port',
      port,
      '--ephemeral',
      '--name',
      'two',
    );
    expect([code, stderr]).toEqual([5, expect.stringContaining(`port ${port} is taken`)]);
  });

  it("neither ends nor respects another's process whose id stands in an old record", async () => {
    const world = home();
    await leftRunning(world, '--seed', 'none');
    const record = JSON.parse(readFileSync(recordOf(world), 'utf8'));
    expect((await world.run('sandbox', 'stop')).code).toBe(0);
    // What a crash leaves: the record, and by now somebody else's process of that id.
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const ended = once(stranger, 'close');
    onTestFinished(async () => {
      stranger.kill();
      await ended;
    });
    writeFileSync(recordOf(world), JSON.stringify({ ...record, pid: stranger.pid }), { mode: 0o600 });
    const stopped = await world.run('sandbox', 'stop');
    expect([stopped.code, stopped.stderr]).toEqual([7, expect.stringContaining('no sandbox answers')]);
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    expect((await leftRunning(world, '--seed', 'none')).code).toBe(0);
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
  });
});

describe('the commands of a running sandbox', () => {
  it('sign a shop in by the token as its page spells it, and know no hint that leads astray', async () => {
    const world = home();
    await started(world, '--ephemeral');
    const credentials = await world.json('sandbox', 'credentials');
    const [shop] = credentials.shops;
    const { base_url, partner } = credentials;
    // In this order, as scripts may print it.
    expect(JSON.stringify(credentials)).toBe(JSON.stringify({ base_url, partner, shops: credentials.shops }));
    expect([Object.keys(partner), Object.keys(shop)]).toEqual([
      ['id', 'api_key'],
      ['id', 'name', 'api_key'],
    ]);
    const begun = async () => {
      const { code, stdout } = await world.run('auth', 'login', '--no-input', '--json');
      expect(code).toBe(8);
      return JSON.parse(stdout).sign_in_url as string;
    };
    const asSpelled = async (token: string) => world.run('sandbox', 'sign-in', token, '--shop', shop.id);
    const address = await begun();
    expect(address).toContain('auth_token=request%3A');
    expect((await asSpelled(address)).code).toBe(0);
    const [, encoded = ''] = /auth_token=([^&]*)/.exec(await begun()) ?? [];
    expect((await asSpelled(encoded)).code).toBe(0);
    const again = await asSpelled(encoded);
    expect([again.code, again.stderr]).toEqual([4, expect.stringContaining('the request token has been used')]);
    expect(again.stderr).not.toContain('hint:');
  });

  it('name flags in what they refuse, and show the usage', async () => {
    const world = home();
    await started(world, '--ephemeral', '--seed', 'none');
    const refused = async (line: string) => {
      const { code, stderr } = await world.run('sandbox', ...line.split(' '));
      expect([line, code]).toEqual([line, 2]);
      expect(stderr).toContain('\nUsage: shopctl sandbox ');
      return stderr.split('\n')[0]?.replace('shopctl: error: ', '');
    };
    const add = 'faults add shop.Order/GetOrder';
    expect(await refused(`${add} --nth 2 --every 3 --do html`)).toBe('--every cannot go together with --nth');
    expect(await refused(`${add} --do html`)).toBe(
      '--once is missing: give exactly one of --nth, --every, --once, --share',
    );
    expect(await refused(`${add} --once --do nonsense`)).toMatch(/^--do is wrong: "nonsense" is not an action: drop-/);
    expect(await refused(`${add.replace('GetOrder', 'GetOrdr')} --once --do html`)).toBe(
      'operation is not in the contract: "shop.Order/GetOrdr"; did you mean shop.Order/GetOrder?',
    );
    expect(await refused('clock advance 44x')).toBe('duration must be a duration like 30s, 15m, 44h1m or 2d');
  });

  it('name all that is missing before a parcel is moved', async () => {
    const world = home();
    await started(world, '--ephemeral');
    const { code, stderr } = await world.run('sandbox', 'advance', '1');
    expect(code).toBe(2);
    expect(stderr).toContain('--to is missing: give at least one of --to, --auto');
    expect(stderr).toContain('Usage: shopctl sandbox advance');
  });

  it('tell in a sentence what they came to', async () => {
    const world = home();
    await started(world, '--ephemeral', '--seed', 'none');
    const reported = async (...words: string[]) => (await world.run(...words)).stderr.trim();
    expect(await reported('sandbox', 'clock', 'freeze')).toBe('the business clock is frozen; nothing is due by itself');
    expect(await reported('sandbox', 'clock', 'real')).toMatch(/^the business clock follows the machine's/);
    expect(await reported('sandbox', 'faults', 'list')).toBe('no fault is scripted');
    const faults = ['shop.Misc/CurrentAccount', '--nth', '2', '--do', 'html'];
    expect(await reported('sandbox', 'faults', 'add', ...faults)).toContain(
      'calls of shop.Misc/CurrentAccount get html',
    );
    for (const _ of ['first', 'second']) await world.run('account', 'show', '--profile', 'sandbox-shop');
    expect(await reported('sandbox', 'faults', 'list')).toBe('1 fault is scripted, 1 call affected');
    expect(await reported('sandbox', 'faults', 'clear')).toBe('1 fault removed');
    expect(await reported('sandbox', 'snapshot', 'save', 'now')).toBe('the current data is saved as now');
    expect(await reported('sandbox', 'snapshot', 'list')).toBe('1 snapshot');
    expect(await reported('sandbox', 'snapshot', 'restore', 'now', '--yes')).toContain('those of now again');
    expect(await reported('sandbox', 'snapshot', 'remove', 'now', '--yes', '-q')).toBe('');
  });

  it('move a shipment, the clock and the data, script faults and show what happened', async () => {
    const world = home();
    await started(world, '--ephemeral');
    const waiting = "[?shipping_state=='created']";
    const [parcel] = await world.json('fulfillments', 'list', '--all', '--profile', 'sandbox-shop', '--query', waiting);
    const frozen = await world.json('sandbox', 'clock', 'freeze');
    expect(frozen.mode).toBe('frozen');
    const saved = await world.json('sandbox', 'snapshot', 'save', 'before');
    expect(saved.name).toBe('before');
    const moved = await world.json('sandbox', 'advance', parcel.id, '--to', 'reconciled');
    expect([moved.shipping_state, moved.status]).toEqual(['delivered', 'P']);
    await world.json('sandbox', 'faults', 'add', 'shop.Order/GetOrder', '--once', '--do', 'status=503,retry-after=0');
    const read = await world.json('orders', 'get', parcel.order_id, '--profile', 'sandbox-shop');
    expect(read.order.status).toBe('P');
    const [fault] = await world.json('sandbox', 'faults', 'list');
    expect([fault.seen, fault.fired]).toEqual([2, 1]);
    const log = await world.json('sandbox', 'log', '--fault', 'any');
    expect(log.map(({ operation, status }: { operation: string; status: number }) => [operation, status])).toEqual([
      ['shop.Order/GetOrder', 503],
    ]);
    await world.json('sandbox', 'snapshot', 'restore', 'before', '--yes');
    const back = await world.json('orders', 'get', parcel.order_id, '--profile', 'sandbox-shop');
    expect(back.order.status).toBe('S');
    expect((await world.json('sandbox', 'openapi')).openapi).toMatch(/^3\.1\./);
  });

  it('make one real change on demand, and show how each webhook answered it', async () => {
    const world = home();
    await started(world, '--ephemeral');
    const paths: string[] = [];
    const receiver = createServer((request, response) => {
      paths.push(request.url ?? '');
      response.end(request.url === '/right' ? 'ok' : 'no');
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    onTestFinished(() => void receiver.close());
    const at = receiver.address();
    const url = `http://127.0.0.1:${at !== null && typeof at === 'object' ? at.port : 0}`;
    const shop = ['--profile', 'sandbox-shop'];
    const subscribe = (path: string, of: string) =>
      world.json('webhooks', 'create', '--url', `${url}${path}`, '--entities', of, ...shop);
    const trigger = async (...words: string[]) => {
      const { code, stdout, stderr } = await world.run('sandbox', 'trigger', ...words, '--json');
      return { code, rows: stdout === '' ? undefined : JSON.parse(stdout), stderr };
    };
    expect(await trigger('order.delivered')).toMatchObject({
      code: 0,
      rows: [],
      stderr: expect.stringMatching(
        /moved fulfillment \d+, of order \d+ in shop \d+: it is delivered now.*\n.*no webhook of that shop received it/,
      ),
    });
    await subscribe('/right', 'order');
    const [first] = (await trigger('order.returned')).rows;
    expect(first).toMatchObject({ change: 'order returned', url: `${url}/right`, accepted: true, status: 200 });
    expect(first.milliseconds).toBeGreaterThanOrEqual(0);
    const moved = await world.json('fulfillments', 'get', first.record_id, ...shop);
    expect(moved.shipping_state).toBe('returned');
    await subscribe('/wrong', 'fulfillment');
    const both = await trigger('fulfillment.delivered');
    expect([both.code, both.rows.map((row: { accepted: boolean }) => row.accepted).sort()]).toEqual([
      11,
      [false, true],
    ]);
    // Two webhooks are called at once.
    expect(paths.toSorted()).toEqual(['/right', '/right', '/wrong']);
    for (const [event, reported] of [
      ['customer.create', 'the command that creates, updates or deletes one makes it'],
      ['order.flying', 'must end with a state'],
      ['ordr.delivered', 'must begin with a kind of record'],
    ] as const) {
      expect(await trigger(event)).toMatchObject({ code: 2, stderr: expect.stringContaining(reported) });
    }
    await world.run('sandbox', 'clock', 'freeze');
    expect(await trigger('order.delivered', '--within', '1s')).toMatchObject({
      code: 11,
      stderr: expect.stringContaining('the clock is frozen'),
    });
  });

  it.each([
    ['a line of JSON', ['-o', 'jsonl'], (line: string) => JSON.parse(line).operation],
    ['a line for a person', [], (line: string) => line.split('  ')[2]],
  ] as const)('follow the log until Ctrl-C, each request as it comes, as %s', async (_, format, operationIn) => {
    const world = home();
    await started(world, '--ephemeral', '--seed', 'none');
    const follower = world.open('sandbox', 'log', '--follow', ...format, '--operation', 'shop.CustomerGroup/*');
    const ended = once(follower, 'close');
    const lines = createInterface(follower.stdout)[Symbol.asyncIterator]();
    await world.json('groups', 'create', '--name', 'Khách sỉ', '--profile', 'sandbox-shop');
    const { value } = await lines.next();
    expect(operationIn(value)).toBe('shop.CustomerGroup/CreateGroup');
    follower.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
  });

  it('say that none runs, and how to start one', async () => {
    const { code, stderr } = await home().run('sandbox', 'credentials');
    expect([code, stderr]).toEqual([
      3,
      'shopctl: error: no sandbox runs\nhint: start one with `shopctl sandbox start`\n',
    ]);
    const named = await home().run('sandbox', 'credentials', '--name', 'two', '--json');
    expect(named.code).toBe(3);
    expect(errorOf(named)).toMatchObject({
      code: 'sandbox_not_running',
      message: 'no sandbox "two" runs',
      hint: 'start it with `shopctl sandbox start --name two`',
      outcome: 'not_applied',
    });
  });

  it('have nothing to stop where none runs, and stop none but the one that is named', async () => {
    const world = home();
    for (const named of [[], ['--name', 'two']]) {
      const stopped = await world.run('sandbox', 'stop', ...named);
      expect(stopped).toEqual({ code: 0, stdout: '', stderr: 'no sandbox is running\n' });
    }
    expect(noticeText(await world.run('sandbox', 'stop', '--json'))).toBe('no sandbox is running\n');
    const hint = 'no sandbox runs: start one with `shopctl sandbox start`\n';
    expect((await world.run('sandbox', 'status')).stderr).toBe(hint);
    const { ready } = await started(world, '--ephemeral', '--seed', 'none');
    expect(await world.run('sandbox', 'stop', '--name', 'defualt')).toEqual({
      code: 3,
      stdout: '',
      stderr: 'shopctl: error: no sandbox "defualt" runs\nhint: `shopctl sandbox status` lists those that run\n',
    });
    expect(await world.json('sandbox', 'status')).toMatchObject([{ base_url: ready.base_url, running: true }]);
  });
});

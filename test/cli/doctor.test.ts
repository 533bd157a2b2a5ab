import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openBatches } from '../../src/batch/open.ts';
import { listenerSecret } from '../../src/events/store/listeners.ts';
import { run } from '../../src/main.ts';
import { nodeFiles } from '../../src/platform/files/node-files.ts';
import { TransportError, type TransportFailure } from '../../src/platform/http/transport.ts';
import { takesBetterSqlite } from '../../src/platform/sqlite/sqlite.ts';
import type { Ended, TestMachine } from '../support/context.ts';
import { testMachine } from '../support/context.ts';
import { offlineContext } from '../support/offline-context.ts';
import { type Between, shopWorld } from '../support/shop-world.ts';
import { sqliteDrivers } from '../support/sqlite-drivers.ts';
import { standingClock } from '../support/standing-clock.ts';
import { errorOf, noticeText } from '../support/stderr-lines.ts';

interface Row {
  readonly check: string;
  readonly result: string;
  readonly found: string;
  readonly hint: string | null;
}

async function doctor(machine: TestMachine, words: readonly string[] = [], options = {}) {
  const ended = await machine.run(['doctor', '--json', ...words], options);
  const rows = JSON.parse(ended.stdout) as Row[];
  const resultOf = (name: string) => rows.find(({ check }) => check === name)?.result;
  const rowOf = (name: string) => rows.find(({ check }) => check === name);
  return { ...ended, rows, resultOf, rowOf };
}

const refusing: Between = () => async () => {
  throw new TransportError('refused', 'no', 'no connection to 127.0.0.1:4010 (ECONNREFUSED)');
};

/** The service says that it is so many milliseconds later than the test's clock. */
const lateBy =
  (milliseconds: number): Between =>
  (transport) =>
  async (request) => {
    const answer = await transport(request);
    const date = new Date(Date.parse('2026-01-31T08:00:00Z') + milliseconds).toUTCString();
    return { ...answer, headers: { ...answer.headers, date } };
  };

describe('shopctl doctor', () => {
  it('finds nothing wrong where nothing is, as a partner and as a shop', async () => {
    const world = await shopWorld(lateBy(1000));
    const partner = await doctor(world);
    // Where better-sqlite3 cannot be loaded, that alone is to be looked at.
    const isQuick = !takesBetterSqlite || sqliteDrivers[0] === 'better-sqlite3';
    expect([partner.exit, partner.stderr]).toEqual([
      0,
      isQuick ? '' : expect.stringMatching(/^to look at: database: .*\n$/),
    ]);
    expect(partner.rows.map(({ check, result }) => `${check} ${result}`)).toEqual([
      'settings ok',
      'permissions ok',
      'disk ok',
      `database ${isQuick ? 'ok' : 'warn'}`,
      'workspace ok',
      'profile ok',
      'address ok',
      'proxy ok',
      'service ok',
      'api key ok',
      'shop key ok',
      'clock ok',
      'version skipped',
      'webhooks ok',
      'batches ok',
      'writes ok',
      'listener ok',
    ]);
    const shop = await doctor(world, ['--profile', 'shop']);
    expect(shop.exit).toBe(0);
    expect(shop.rowOf('version')).toMatchObject({ result: 'ok', found: 'shop v1' });
  });

  it('shows no key', async () => {
    const world = await shopWorld();
    const { stdout, stderr } = await doctor(world, ['--debug']);
    const { partner, shopKey } = world.service;
    for (const key of [partner.apiKey, shopKey]) expect(stdout + stderr).not.toContain(key.split(':')[1]);
  });

  it('ends with 4 for a key that is refused, and with 4 for none', async () => {
    const world = await shopWorld();
    const wrong = await doctor(world, ['--as', 'shop'], { env: { SHOPCTL_API_KEY: '12:not-the-right-one-at-all' } });
    expect([wrong.exit, wrong.resultOf('service'), wrong.resultOf('api key')]).toEqual([4, 'ok', 'fail']);
    expect(wrong.stdout + wrong.stderr).not.toContain('not-the-right-one');
    // A key that is nobody's is no reason to act as a shop.
    for (const env of [{ SHOPCTL_API_KEY: '12:not-the-right-one-at-all' }, { SHOPCTL_SHOP_KEY: '12:nor-this-one' }]) {
      const { rows } = await doctor(world, [], { env });
      const [refused] = rows.filter(({ check, result }) => check.endsWith('key') && result === 'fail');
      expect([env, refused?.hint]).toEqual([env, expect.stringMatching(/^(?!.*SHOPCTL_AS)/)]);
    }
    const none = await doctor(testMachine(world.service.sandbox.handle), ['--base-url', 'http://127.0.0.1:4010']);
    // A person at a narrow terminal reads the whole hint, a command to type.
    expect(noticeText(none)).toMatch(/^failed: api key: .*; .*`shopctl auth setup`/m);
    expect([none.exit, none.rowOf('api key')?.hint]).toEqual([4, expect.stringContaining('auth setup')]);
  });

  it('ends with 7 where the service is away, and asks it once', async () => {
    let asked = 0;
    const world = await shopWorld(() => (request) => {
      asked += 1;
      return refusing(async () => ({ status: 200, headers: {}, body: '' }))(request);
    });
    const { exit, rows, rowOf } = await doctor(world, ['--max-retries', '0']);
    expect([exit, asked, rowOf('service')?.found]).toEqual([7, 1, expect.stringContaining('ECONNREFUSED')]);
    expect(rows.filter(({ result }) => result === 'skipped').map(({ check }) => check)).toEqual([
      'api key',
      'shop key',
      'clock',
      'version',
      'webhooks',
    ]);
  });

  it('warns of a clock that is off, and which way', async () => {
    const behind = await doctor(await shopWorld(lateBy(600_000)));
    expect([behind.exit, behind.rowOf('clock')]).toEqual([
      0,
      expect.objectContaining({ result: 'warn', found: "10 minutes behind the service's" }),
    ]);
    const ahead = await doctor(await shopWorld(lateBy(-90_000)));
    expect(ahead.rowOf('clock')?.found).toBe("90 s ahead of the service's");
    const far = await doctor(await shopWorld(lateBy(172_799_000)));
    expect(far.rowOf('clock')?.found).toBe("2 days behind the service's");
  });

  it('tells a damaged file, an unknown profile and a bad variable with 14 instead of giving up', async () => {
    const world = await shopWorld();
    const unknown = await doctor(world, ['--profile', 'nobody']);
    expect([unknown.exit, unknown.rowOf('settings')]).toEqual([
      14,
      expect.objectContaining({ result: 'fail', hint: expect.stringContaining('test, shop') }),
    ]);
    const variable = await doctor(world, [], { env: { SHOPCTL_TIMEOUT: 'soon' } });
    expect([variable.exit, variable.rowOf('settings')?.found]).toEqual([
      14,
      expect.stringContaining('SHOPCTL_TIMEOUT'),
    ]);
    writeFileSync(join(world.directory, 'config.json'), '{"version": 1, ');
    const damaged = await doctor(world);
    expect([damaged.exit, damaged.rowOf('settings')?.found]).toEqual([14, expect.stringContaining('damaged')]);
    expect(damaged.resultOf('profile')).toBe('skipped');
  });

  it('refuses an address that is neither https nor loopback with 14, and sends nothing there', async () => {
    let asked = 0;
    const world = await shopWorld((transport) => (request) => {
      asked += 1;
      return transport(request);
    });
    const { exit, resultOf } = await doctor(world, ['--base-url', 'http://shop.example']);
    expect([exit, resultOf('address'), resultOf('service'), asked]).toEqual([14, 'fail', 'skipped', 0]);
  });

  it('names the proxy in use without the password that stands in it', async () => {
    const world = await shopWorld();
    const env = { HTTPS_PROXY: 'http://user:hush@proxy.example:3128' };
    const { rowOf, stdout } = await doctor(world, ['--base-url', 'https://shop.example', '--dry-run'], { env });
    expect(rowOf('proxy')?.found).toBe('http://proxy.example:3128 in use');
    expect(stdout).not.toContain('hush');
  });

  it.each(['ALL_PROXY', 'all_proxy'])('warns of %s, which is not read', async (name) => {
    const env = { [name]: 'http://user:hush@proxy.example:3128' };
    const { rowOf, stdout } = await doctor(await shopWorld(), ['--base-url', 'https://shop.example', '--dry-run'], {
      env,
    });
    expect(rowOf('proxy')).toMatchObject({ result: 'warn', found: `none in use: ${name} is not read` });
    expect(rowOf('proxy')?.hint).toContain('HTTPS_PROXY');
    expect(stdout).not.toContain('hush');
  });

  it('blames a service that fails, and not a key that nobody asked about', async () => {
    const unavailable = { status: 503, headers: {}, body: '{"code":"unavailable","msg":"later"}' };
    const { exit, rowOf } = await doctor(await shopWorld(() => async () => unavailable));
    expect([exit, rowOf('service'), rowOf('api key'), rowOf('version')]).toMatchObject([
      13,
      { result: 'fail', found: 'answers 503: later' },
      { result: 'skipped', found: 'the service failed, and said nothing of it' },
      { result: 'skipped', found: 'the service was not asked' },
    ]);
  });

  it('asks nothing twice, and within eight seconds altogether', async () => {
    const limits: (number | undefined)[] = [];
    const clock = standingClock();
    const world = await shopWorld((transport) => async (request) => {
      limits.push(request.timeoutMs);
      clock.advance(3_000);
      return transport(request);
    });
    await doctor(world, [], { clock });
    expect(limits.length).toBeGreaterThan(2);
    expect(limits.slice(0, 4)).toEqual([8_000, 5_000, 2_000, 1].slice(0, limits.length));
    let asked = 0;
    const away = await shopWorld(() => async () => {
      asked += 1;
      throw new TransportError('refused', 'no', 'no way');
    });
    expect([(await doctor(away)).exit, asked]).toEqual([7, 1]);
  });

  it.each([false, true])(
    'prints each check as it ends, while others are waited for (terminal: %s)',
    async (terminal) => {
      let written = '';
      let isThere: (text: string) => void;
      const early = new Promise<string>((resolve) => {
        isThere = resolve;
      });
      // The service answers once everything else stands in the table.
      const world = await shopWorld((transport) => async (request) => {
        await early;
        return transport(request);
      });
      const onStdout = (text: string) => {
        written += text;
        if (/^listener /m.test(written)) isThere(written);
      };
      const { exit, stdout } = await world.run(['doctor'], { terminal, onStdout, columns: 80 });
      const before = stripVTControlCharacters(await early);
      expect(before).toMatch(/^CHECK {8}RESULT {3}FOUND\nsettings {5}ok {7}\//);
      expect(before).toMatch(/^workspace +ok /m);
      expect(before).not.toMatch(/^(?:service|api key) /m);
      const whole = stripVTControlCharacters(stdout);
      expect([exit, whole.startsWith(before)]).toEqual([0, true]);
      expect(whole.slice(before.length)).toMatch(
        /^proxy .*\nservice .*\napi key .*\nshop key .*\nclock .*\nversion .*\nwebhooks /,
      );
    },
  );

  it('ends with the exit code of the first failure in its order, whatever ended first', async () => {
    const world = await shopWorld(() => async () => ({ status: 503, headers: {}, body: '{"code":"unavailable"}' }));
    mkdirSync(join(world.directory, 'state'), { recursive: true });
    writeFileSync(join(world.directory, 'state', 'workspace.db'), 'no database at all, but a text that is long enough');
    const ended = await doctor(world);
    const { exit, rows } = ended;
    const failures = rows.filter(({ result }) => result === 'fail').map(({ check }) => check);
    expect([exit, failures]).toEqual([1, ['workspace', 'service', 'batches']]);
    expect([...noticeText(ended).matchAll(/^failed: (\w+):/gm)].map(([, check]) => check)).toEqual(failures);
  });

  it('warns of a webhook that fails', async () => {
    const world = await shopWorld((transport) => async (request) => {
      const answer = await transport(request);
      if (!request.url.endsWith('/GetWebhooks')) return answer;
      const webhook = { id: '1', url: 'https://shop.example/x', entities: [], states: { state: 'retry' } };
      return { status: answer.status, headers: answer.headers, body: JSON.stringify({ webhooks: [webhook] }) };
    });
    const { exit, rowOf } = await doctor(world);
    expect([exit, rowOf('webhooks')]).toMatchObject([
      0,
      {
        result: 'warn',
        found: '1 webhook, 1 failing: the service tries again',
        hint: expect.stringContaining('webhooks status'),
      },
    ]);
  });

  it('says why a proxy cannot be used, and asks nobody then', async () => {
    const world = await shopWorld(refusing);
    const env = { HTTPS_PROXY: 'socks5h://user:hush@proxy.example:1080', SHOPCTL_API_KEY: '1:secret' };
    const { exit, rowOf, resultOf, stdout, stderr } = await doctor(world, ['--base-url', 'https://shop.example'], {
      env,
    });
    expect([exit, resultOf('service'), rowOf('proxy')]).toMatchObject([
      14,
      'skipped',
      { result: 'fail', found: expect.stringContaining('it starts with socks5h://') },
    ]);
    expect(`${stdout}${stderr}`).not.toContain('hush');
  });

  it('sends nothing with --dry-run', async () => {
    const world = await shopWorld(refusing);
    const { exit, resultOf } = await doctor(world, ['--dry-run']);
    expect([exit, resultOf('service')]).toEqual([0, 'skipped']);
  });
});

describe('shopctl doctor, about the day', () => {
  it('names what answers in the place of the service, and never fails itself', async () => {
    const page = { status: 501, headers: { 'content-type': 'text/html' }, body: '<h1>Error response</h1>' };
    const { exit, rowOf, resultOf } = await doctor(await shopWorld(() => async () => page));
    expect([exit, resultOf('service'), resultOf('api key')]).toEqual([13, 'fail', 'skipped']);
    expect(rowOf('service')?.found).toContain('with a web page');
    const below = { status: 404, headers: {}, body: '{"code":"bad_route","msg":"there is no /v1/v1"}' };
    const wrongBase = await doctor(await shopWorld(() => async () => below));
    expect([wrongBase.exit, wrongBase.rowOf('service')?.hint]).toEqual([
      2,
      expect.stringContaining('it ends before /v1'),
    ]);
  });

  it('tells settings that another user made, with what to type', async () => {
    const store = offlineContext([]).settingsIn('/nowhere');
    const denied = Object.assign(new Error("EACCES: permission denied, lstat '/nowhere/config.json'"), {
      code: 'EACCES',
    });
    const settingsIn = () => ({ ...store, warnings: async () => Promise.reject(denied) });
    const context = offlineContext(['doctor', '--json'], { settingsIn });
    expect(await run(context)).toBe(14);
    const row = (JSON.parse(context.stdout.text) as Row[]).find(({ check }) => check === 'permissions');
    expect(row).toMatchObject({
      result: 'fail',
      found: denied.message,
      hint: 'give it back to yourself: sudo chown -R "$(id -un)" /nowhere',
    });
  });

  it('tells what cannot be written, and what that means', async () => {
    const files: typeof nodeFiles = { ...nodeFiles, isWritable: async () => false };
    const context = offlineContext(['doctor', '--json'], { files });
    expect(await run(context)).toBe(14);
    const rows = JSON.parse(context.stdout.text) as Row[];
    const [permissions, disk] = ['permissions', 'disk'].map((name) => rows.find(({ check }) => check === name));
    expect([permissions, disk]).toMatchObject([
      {
        result: 'warn',
        found: expect.stringMatching(/config\.json cannot be written: sign-ins and settings cannot be/),
        // A mount that is read-only belongs to whom it should.
        hint: 'make it writable, or set SHOPCTL_CONFIG_DIR to a directory that is',
      },
      {
        result: 'fail',
        found: expect.stringMatching(/^nothing can be written in/),
        hint: expect.stringContaining('SHOPCTL_STATE_DIR'),
      },
    ]);
  });

  it('warns of a disk with less room than a day takes, and of no other', async () => {
    const least = 200 * 1024 * 1024;
    const disk = async (free: number | undefined) => {
      const context = offlineContext(['doctor', '--json'], { files: { ...nodeFiles, freeBytes: async () => free } });
      await run(context);
      return (JSON.parse(context.stdout.text) as Row[]).find(({ check }) => check === 'disk');
    };
    expect(await Promise.all([least, least - 1, undefined].map(disk))).toMatchObject([
      { result: 'ok', found: expect.stringContaining('200'), hint: null },
      { result: 'warn', found: expect.stringContaining('199'), hint: expect.any(String) },
      { result: 'skipped' },
    ]);
  });

  it('blames the proxy that cannot be reached, and a port without TLS', async () => {
    const broken = (failure: TransportFailure) => () => async () => {
      throw new TransportError(failure, 'no', 'no way');
    };
    const env = {
      SHOPCTL_BASE_URL: 'https://api.example.com',
      SHOPCTL_API_KEY: '1:secret',
      HTTPS_PROXY: 'http://127.0.0.1:9',
    };
    const dead = await doctor(await shopWorld(broken('proxy')), [], { env });
    expect([dead.exit, dead.rowOf('proxy')]).toMatchObject([
      7,
      { result: 'fail', found: 'http://127.0.0.1:9 does not connect' },
    ]);
    const plain = await doctor(await shopWorld(broken('plain')));
    expect(plain.rowOf('service')).toMatchObject({
      result: 'fail',
      hint: expect.stringContaining('the port of the base url'),
    });
  });

  it('recognises a key in the environment that is a shop’s own', async () => {
    const world = await shopWorld();
    const bare = testMachine(world.service.sandbox.handle);
    const env = { SHOPCTL_API_KEY: world.service.shop.apiKey, SHOPCTL_BASE_URL: 'http://127.0.0.1:4010' };
    const { exit, rowOf } = await doctor(bare, [], { env });
    expect([exit, rowOf('api key')]).toMatchObject([
      4,
      { result: 'fail', hint: 'add --as shop, or set SHOPCTL_AS=shop' },
    ]);
    expect((await doctor(bare, ['--as', 'shop'], { env })).exit).toBe(0);
    const batch = await bare.run(['batch', 'plan', 'orders.csv', '--json'], { env });
    expect([batch.exit, errorOf(batch)]).toMatchObject([
      4,
      { code: 'credential_missing', hint: expect.stringContaining('add --as shop') },
    ]);
    const webhooks = await bare.run(['webhooks', 'list', '--json'], { env });
    expect(errorOf(webhooks).hint).toContain('add --as shop');
  });

  it('says how to start the sandbox behind the profile', async () => {
    const world = await shopWorld(refusing);
    const settings = await world.settings();
    const { test, ...others } = settings.profiles;
    if (test === undefined) throw new Error('no profile');
    await world.save({ ...settings, profiles: { ...others, test: { ...test, sandbox: 'two' } } });
    const { rowOf } = await doctor(world, ['--max-retries', '0']);
    expect(rowOf('service')?.hint).toBe('start it with `shopctl sandbox start --name two`');
  });

  it('tells of batches that are not finished, of stopped webhooks, and of a listener that has ended', async () => {
    const world = await shopWorld((transport) => async (request) => {
      const answer = await transport(request);
      if (!request.url.endsWith('/GetWebhooks')) return answer;
      return {
        ...answer,
        body: JSON.stringify({ webhooks: [{ id: '7', url: 'http://127.0.0.1:9/', states: { state: 'stop' } }] }),
      };
    });
    const { workspace, batches } = await openBatches(join(world.directory, 'state', 'workspace.db'));
    try {
      const account = '["http://127.0.0.1:4010","partner","7"]';
      const made = { id: '20260131-abcde', account, do: 'ship', operation: 'x', options: '{}', max_total: null };
      const { number } = await batches.create({ ...made, created_at: '2026-01-31T08:00:00Z' });
      await batches.move(number, 'open', null);
      await workspace.write((database) => listenerSecret(database, { account: '', name: 'test' }, 's', 'now'));
    } finally {
      await workspace.close();
    }
    const { exit, rowOf } = await doctor(world);
    expect(exit).toBe(0);
    expect(rowOf('batches')).toMatchObject({
      result: 'warn',
      found: '1 is unfinished, the newest of them 20260131-abcde',
      hint: '`shopctl batch resume 20260131-abcde --profile test` continues it',
    });
    expect(rowOf('webhooks')).toMatchObject({ result: 'warn', found: '1 webhook, 1 stopped' });
    expect(rowOf('listener')).toMatchObject({ result: 'warn', found: 'none runs' });
  });
});

describe('settings that are open to other users', () => {
  const open = async () => {
    const world = await shopWorld();
    const file = join(world.directory, 'config.json');
    chmodSync(file, 0o644);
    return { world, mode: () => statSync(file).mode & 0o777 };
  };

  it('are told, and left as they are where nobody agreed', async () => {
    const { world, mode } = await open();
    const { exit, rowOf } = await doctor(world);
    expect([exit, rowOf('permissions')]).toEqual([
      0,
      expect.objectContaining({ result: 'warn', found: expect.stringContaining('0644') }),
    ]);
    const answers: boolean[] = [false];
    await world.run(['doctor'], { terminal: true, answers });
    expect(mode()).toBe(0o644);
    await doctor(world, ['--yes', '--dry-run']);
    expect(mode()).toBe(0o644);
  });

  it('are closed with --yes, and by a person who agrees', async () => {
    const first = await open();
    expect((await doctor(first.world, ['--yes'])).resultOf('permissions')).toBe('ok');
    expect(first.mode()).toBe(0o600);
    const second = await open();
    const ended: Ended = await second.world.run(['doctor'], { terminal: true, answers: [true] });
    expect([second.mode(), ended.stdout]).toEqual([0o600, expect.stringContaining('closed to other users')]);
  });
});

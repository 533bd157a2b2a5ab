import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Transport } from '../../src/platform/http/transport.ts';
import { testMachine } from '../support/context.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { conformanceWorld } from './conformance-world.ts';
import { SecondService } from './service/service.ts';

const writing = ['conformance', 'run', '--write-shop', SecondService.shop];
/** Ships as well: what a killed run leaves of a parcel costs money. */
const shipping = [...writing, '--ship', '--max-fee', String(10 * SecondService.fee)];

const isWrite = (url: string) => /\/(?:Create|Update|Delete|Cancel|Confirm)\w+$/.test(url);
const never = new Promise<never>(() => {});

/** What a killed run leaves of an answer: the service did it and nobody heard, or the request never arrived. */
type Kill = 'after' | 'before';

/** Whether a call is the nth of those that a test tells by their paths. */
function nth(number: number, isOne: (url: string) => boolean) {
  let calls = 0;
  return (url: string) => {
    if (isOne(url)) calls += 1;
    return calls === number;
  };
}

/** A machine whose process ends at the call that is due: from then on nothing of it is heard, and no line of it runs. */
async function killedAt(isDue: (url: string) => boolean, kill: Kill) {
  const service = new SecondService();
  const others = service.records.get('Customer') ?? [];
  others.push({ id: '1234567890123459999', full_name: 'shopctl-conformance-of-somebody-else', deleted: false });
  let isDead = false;
  let died = () => {};
  const death = new Promise<void>((resolve) => {
    died = resolve;
  });
  /** Operations that do not answer. */
  const away = new Set<string>();
  const transport: Transport = async (request) => {
    if (away.has(request.url.replace(/^.*\/v1\//, ''))) return { status: 503, headers: {}, body: '' };
    if (!isDead && isDue(request.url)) {
      isDead = true;
      if (kill === 'after') await service.handle(request);
      died();
      return never;
    }
    return service.handle(request);
  };
  const machine = testMachine(transport);
  await machine.save({
    version: 1,
    current_profile: 'own',
    profiles: { own: { kind: 'shop', base_url: 'http://127.0.0.1:4010', api_key: SecondService.key } },
  });
  const alive = () =>
    JSON.stringify(
      [...service.records].map(([kind, records]) => [
        kind,
        records.filter(
          ({ deleted, status, cancel_reason: why }) =>
            !deleted && !(status === 'N' && String(why).startsWith('shopctl-conformance-')),
        ),
      ]),
    );
  const before = alive();
  const run = machine.run(shipping, { clock: steppedClock() });
  await Promise.race([death, run]);
  return { machine, service, away, before, alive, hasDied: () => isDead };
}

/** How many writes a run makes. */
async function writesOfARun(): Promise<number> {
  let writes = 0;
  const service = new SecondService();
  const machine = testMachine(async (request) => {
    if (isWrite(request.url)) writes += 1;
    return service.handle(request);
  });
  const env = { SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: SecondService.key, SHOPCTL_BASE_URL: 'http://127.0.0.1:4010' };
  await machine.run(shipping, { env, clock: steppedClock() });
  return writes;
}

/** How many writes a run makes; a test below sees that it is right. */
const total = 36;

describe('a run that is killed', () => {
  it('is killed at each of its writes', async () => {
    expect(await writesOfARun()).toBe(total);
  });

  it.each(Array.from({ length: total }, (_, index) => [index + 1, index % 3 === 0 ? 'before' : 'after'] as const))(
    'at its write %i is cleaned up, and nothing else is: %s the service had it',
    async (number, kill) => {
      const { machine, before, alive, hasDied } = await killedAt(nth(number, isWrite), kill);
      expect(hasDied()).toBe(true);
      const { exit, stdout } = await machine.run(['conformance', 'clean', '--json'], { clock: steppedClock() });
      expect([exit, JSON.parse(stdout).left]).toEqual([0, []]);
      expect(alive()).toBe(before);
      const again = await machine.run(['conformance', 'clean', '--json'], { clock: steppedClock() });
      expect(JSON.parse(again.stdout)).toEqual({ runs: [], removed: 0, left: [] });
    },
  );
});

describe('a parcel that was paid for, and whose order nobody heard of', () => {
  /** The first order to ship has a wrong sum, and is refused. */
  const isParcel = (url: string) => url.endsWith('/shop.Shipping/CreateAndConfirmOrder');
  const cleaning = ['conformance', 'clean', '--json', '--max-retries', '0'];

  it('is named until it can be looked up, and is cancelled then', async () => {
    const { machine, service, away } = await killedAt(nth(2, isParcel), 'after');
    const { external_id } = JSON.parse(service.requests.findLast(({ url }) => isParcel(url))?.body ?? '');
    /** The order as the service has it, asked past everything of ours. */
    const order = async () => {
      const headers = { authorization: `Bearer ${SecondService.key}`, 'content-type': 'application/json' };
      const url = 'http://127.0.0.1:4010/v1/shop.Shipping/GetOrder';
      const body = JSON.stringify({ external_id });
      return JSON.parse((await service.handle({ method: 'POST', url, headers, body, timeoutMs: 1000 })).body).order;
    };
    expect([service.shipped, (await order()).status]).toEqual([1, 'Z']);
    const journals = () => readdirSync(join(machine.directory, 'state', 'conformance'));
    expect(journals()).toHaveLength(1);
    away.add('shop.Shipping/GetOrder');
    const blind = await machine.run(cleaning, { clock: steppedClock() });
    expect([blind.exit, JSON.parse(blind.stdout).left]).toMatchObject([
      10,
      [{ operation: 'shop.Shipping/CreateAndConfirmOrder', id: null }],
    ]);
    expect(blind.stderr).toContain('A record of shop.Shipping/CreateAndConfirmOrder is still there');
    expect([(await order()).status, journals()]).toEqual(['Z', [expect.any(String)]]);
    away.clear();
    const { exit, stdout } = await machine.run(cleaning, { clock: steppedClock() });
    expect([exit, JSON.parse(stdout).left, (await order()).status, journals()]).toEqual([0, [], 'N', []]);
  });
});

it('a run that is ended by Ctrl-C cleans up by itself', async () => {
  const service = new SecondService();
  const controller = new AbortController();
  let writes = 0;
  const machine = testMachine(async (request) => {
    if (isWrite(request.url)) writes += 1;
    if (writes === 5) controller.abort('SIGINT');
    return service.handle(request);
  });
  const env = { SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: SecondService.key, SHOPCTL_BASE_URL: 'http://127.0.0.1:4010' };
  const words = ['conformance', 'run', '--write-shop', SecondService.shop];
  const { exit } = await machine.run(words, { env, signal: controller.signal, clock: steppedClock() });
  expect(exit).toBe(130);
  const left = [...service.records.values()]
    .flat()
    .filter((record) => !record.deleted && JSON.stringify(record).includes('shopctl-conformance'));
  expect(left).toEqual([]);
});

it('what cannot be removed is named, with exit 10', async () => {
  const service = new SecondService();
  const machine = testMachine(async (request) =>
    request.url.endsWith('DeleteCustomer')
      ? { status: 403, headers: {}, body: '{"code":"permission_denied","msg":"no"}' }
      : service.handle(request),
  );
  const env = { SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: SecondService.key, SHOPCTL_BASE_URL: 'http://127.0.0.1:4010' };
  const words = ['conformance', 'run', '--write-shop', SecondService.shop, '--json'];
  const { exit, stdout, stderr } = await machine.run(words, { env, clock: steppedClock() });
  expect(exit).toBe(10);
  expect(JSON.parse(stdout).left).toMatchObject([
    { operation: 'shop.Customer/CreateCustomer', id: expect.any(String) },
  ]);
  expect(stderr).toContain('A record of shop.Customer/CreateCustomer is still there');
  const cleaned = await machine.run(['conformance', 'clean', '--json'], { env, clock: steppedClock() });
  expect([cleaned.exit, JSON.parse(cleaned.stdout).left.length]).toEqual([10, 1]);
});

describe('what cannot be looked for', () => {
  it.each([
    ['a list that does not answer', 'shop.Customer/ListCustomers', { operation: 'shop.Customer/CreateCustomer' }],
    [
      'a record that does not answer',
      'shop.Shipping/GetOrder',
      {
        operation: 'shop.Shipping/CreateAndConfirmOrder',
        request: { external_id: 'shopctl-conformance-of-it-shipping-create' },
      },
    ],
  ])('stays written down, and is named: %s', async (_, away, entry) => {
    const world = await conformanceWorld(undefined, [away]);
    const directory = join(world.directory, 'state', 'conformance');
    mkdirSync(directory, { recursive: true });
    const at = { service: 'http://127.0.0.1:4010', shop: SecondService.shop };
    const line = { write: 1, mark: 'shopctl-conformance-of-it', request: {}, ...at, ...entry };
    writeFileSync(join(directory, 'it.jsonl'), `${JSON.stringify(line)}\n`);
    const { exit, json, stderr } = await world.run(['clean']);
    expect([exit, json.left.length, stderr]).toEqual([10, 1, expect.stringContaining('is still there')]);
    expect(existsSync(join(directory, 'it.jsonl'))).toBe(true);
  });
});

it('names the customer that a partner’s order may have made, which its key cannot remove', async () => {
  const world = await conformanceWorld();
  const directory = join(world.directory, 'state', 'conformance');
  mkdirSync(directory, { recursive: true });
  const mark = 'shopctl-conformance-of-it';
  const at = { service: 'http://127.0.0.1:4010', shop: SecondService.shop };
  const clean = async (family: string) => {
    const order = { write: 1, mark, operation: `${family}.Shipping/CreateAndConfirmOrder` };
    const line = { ...order, request: { external_id: `${mark}-shipping-create` }, ...at };
    writeFileSync(join(directory, 'it.jsonl'), `${JSON.stringify(line)}\n`);
    return world.run(['clean', '--profile', family === 'partner' ? 'partner' : 'own']);
  };
  const partner = await clean('partner');
  expect([partner.exit, partner.json.left, partner.stderr]).toEqual([
    ...[0, []],
    expect.stringContaining(
      `Its order may create a customer named ${mark}, which this key can neither see nor delete.`,
    ),
  ]);
  expect((await clean('shop')).stderr).not.toContain('may create');
});

describe('what another run left', () => {
  const service = 'http://127.0.0.1:4010';
  const customer = { operation: 'shop.Customer/CreateCustomer', shop: SecondService.shop, service };
  const webhook = { operation: 'partner.Webhook/CreateWebhook', shop: SecondService.shop, service };

  it.each([
    ['at another service', { ...customer, service: 'https://elsewhere.example' }],
    ['in another shop', { ...customer, shop: '5' }],
    ['with a key of another kind', webhook],
  ])('%s stays written down, and nothing of it is looked for', async (_, entry) => {
    const world = await conformanceWorld();
    const directory = join(world.directory, 'state', 'conformance');
    mkdirSync(directory, { recursive: true });
    const id = world.service.records.get('Customer')?.[0]?.id;
    const lines = [
      { write: 1, mark: 'shopctl-conformance-of-it', request: {}, ...entry },
      { write: 1, state: 'made', id },
    ];
    writeFileSync(join(directory, 'it.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { exit } = await world.run(['clean']);
    expect([exit, existsSync(join(directory, 'it.jsonl'))]).toEqual([10, true]);
    expect(world.service.requests.filter(({ url }) => isWrite(url))).toEqual([]);
    await world.run(['clean', '--forget']);
    expect(existsSync(join(directory, 'it.jsonl'))).toBe(false);
  });
});

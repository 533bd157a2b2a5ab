import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Transport } from '../../src/platform/http/transport.ts';
import { testMachine } from '../support/context.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { conformanceWorld } from './conformance-world.ts';
import { SecondService } from './service/service.ts';

const isWrite = (url: string) => /\/(?:Create|Update|Delete|Cancel|Confirm)\w+$/.test(url);
const never = new Promise<never>(() => {});

/** What a killed run leaves of an answer: the service did it and nobody heard, or the request never arrived. */
type Kill = 'after' | 'before';

/** A machine whose process ends at its nth write: from then on nothing of it is heard, and no line of it runs. */
async function killedAt(nth: number, kill: Kill) {
  const service = new SecondService();
  const others = service.records.get('Customer') ?? [];
  others.push({ id: '1234567890123459999', full_name: 'shopctl-conformance-of-somebody-else', deleted: false });
  let writes = 0;
  let isDead = false;
  let died = () => {};
  const death = new Promise<void>((resolve) => {
    died = resolve;
  });
  const transport: Transport = async (request) => {
    if (isWrite(request.url)) writes += 1;
    if (!isDead && writes === nth) {
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
          ({ deleted, status, external_id }) =>
            !deleted && !(status === 'N' && String(external_id).startsWith('shopctl-')),
        ),
      ]),
    );
  const before = alive();
  const run = machine.run(['conformance', 'run', '--write-shop', SecondService.shop], { clock: steppedClock() });
  await Promise.race([death, run]);
  return { machine, before, alive, hasDied: () => isDead };
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
  await machine.run(['conformance', 'run', '--write-shop', SecondService.shop], { env, clock: steppedClock() });
  return writes;
}

/** How many writes a run makes; a test below sees that it is right. */
const total = 29;

describe('a run that is killed', () => {
  it('is killed at each of its writes', async () => {
    expect(await writesOfARun()).toBe(total);
  });

  it.each(Array.from({ length: total }, (_, index) => [index + 1, index % 3 === 0 ? 'before' : 'after'] as const))(
    'at its write %i is cleaned up, and nothing else is: %s the service had it',
    async (nth, kill) => {
      const { machine, before, alive, hasDied } = await killedAt(nth, kill);
      expect(hasDied()).toBe(true);
      const { exit, stdout } = await machine.run(['conformance', 'clean', '--json'], { clock: steppedClock() });
      expect([exit, JSON.parse(stdout).left]).toEqual([0, []]);
      expect(alive()).toBe(before);
      const again = await machine.run(['conformance', 'clean', '--json'], { clock: steppedClock() });
      expect(JSON.parse(again.stdout)).toEqual({ runs: [], removed: 0, left: [] });
    },
  );
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

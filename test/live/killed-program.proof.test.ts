import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { SecondService } from './service/service.ts';
import type { Fields } from './service/values.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

const isWrite = (url: string) => /\/(?:Create|Update|Delete|Cancel|Confirm)\w+$/.test(url);

/** Where a write stands when the process that sent it is killed: not done yet, done and not answered, answered. */
const moments = ['before', 'after', 'answered'] as const;
type Moment = (typeof moments)[number];

/** A second service on a port, with records of others that look like those of a run; it kills whoever sends a write. */
async function killingService() {
  const service = new SecondService();
  const others = { status: 'Z', external_id: 'shopctl-conformance-of-another-machine' };
  service.records
    .get('Customer')
    ?.push({ ...others, id: '1234567890123459999', full_name: 'shopctl-conformance-other', deleted: false });
  service.records.get('Order')?.push({ ...others, id: '1234567890123459997' });
  let writes = 0;
  /** Operations that fail. */
  const away = new Set<string>();
  let doom: { readonly at: number; readonly moment: Moment; readonly kill: () => void } | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = `http://127.0.0.1${request.url}`;
    if (away.has(url.replace(/^.*\/v1\//, ''))) return response.writeHead(500).end();
    if (isWrite(url)) writes += 1;
    const due = isWrite(url) && writes === doom?.at ? doom : undefined;
    if (due?.moment === 'before') return due.kill();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = Buffer.concat(chunks).toString();
    const answer = await service.handle({ method: request.method ?? '', url, headers, body, timeoutMs: 1000 });
    if (due?.moment === 'after') return due.kill();
    response.writeHead(answer.status, answer.headers).end(answer.body, () => due?.kill());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  /** What is there and neither deleted nor cancelled, apart from orders that a run has cancelled. */
  const alive = () =>
    [...service.records].map(([kind, records]) => [
      kind,
      records
        .filter(({ deleted, status }: Fields) => !deleted && status !== 'N')
        .map((record) => JSON.stringify(record)),
    ]);
  return {
    service,
    away,
    alive,
    port: (server.address() as AddressInfo).port,
    writes: () => writes,
    expect(next: typeof doom) {
      writes = 0;
      doom = next;
    },
  };
}

/** Starts the built program; `kill` ends it as the kernel would. */
function started(port: number, home: string, words: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    SHOPCTL_CONFIG_DIR: home,
    SHOPCTL_AS: 'shop',
    SHOPCTL_API_KEY: SecondService.key,
    SHOPCTL_BASE_URL: `http://127.0.0.1:${port}`,
  };
  const child = spawn(...program.line('conformance', ...words, '--json'), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }));
  return { ended, kill: () => void child.kill('SIGKILL') };
}

const areas = ['Order', 'Shipping', 'Webhook'].flatMap((name) => ['--area', name]);
const run = ['run', '--write-shop', SecondService.shop, '--ship', '--max-fee', '50000', '--slow', '600', ...areas];

/** Kills a program at its nth write, which is counted at the service. */
async function killedAt(
  world: Awaited<ReturnType<typeof killingService>>,
  home: string,
  words: readonly string[],
  at: number,
  moment: Moment,
) {
  const child = started(world.port, home, words);
  world.expect({ at, moment, kill: child.kill });
  const { signal } = await child.ended;
  world.expect(undefined);
  return signal;
}

/** `SHOPCTL_TEST_KILLS=1 npx vitest run test/live/killed-program.proof.test.ts` kills at each write and moment. */
const longer = process.env.SHOPCTL_TEST_KILLS !== undefined;
const most = 13;
const kills = Array.from({ length: most }, (_, index) => index + 1)
  .flatMap((at) => moments.map((moment) => ({ at, moment })))
  .filter((_, index) => longer || index % 13 === 1);

describe('the built program, killed while it writes', () => {
  it('makes as many writes as it is killed at', async () => {
    const world = await killingService();
    const { ended } = started(world.port, mkdtempSync(join(program.home, 'run-')), run);
    const { code, stdout } = await ended;
    expect([code, world.writes(), JSON.parse(stdout).findings]).toEqual([0, most, []]);
  });

  it.each(kills)(
    'leaves what conformance clean removes, and nothing else goes: write $at, $moment',
    async ({ at, moment }) => {
      const world = await killingService();
      const before = world.alive();
      const home = mkdtempSync(join(program.home, 'run-'));
      expect(await killedAt(world, home, run, at, moment)).toBe('SIGKILL');
      const cleaned = await started(world.port, home, ['clean']).ended;
      expect([cleaned.code, JSON.parse(cleaned.stdout).left], cleaned.stderr).toEqual([0, []]);
      expect(world.alive()).toEqual(before);
      const again = await started(world.port, home, ['clean']).ended;
      expect(JSON.parse(again.stdout)).toEqual({ runs: [], removed: 0, left: [] });
    },
  );

  it('leaves a parcel that was paid for, which is named until it can be looked up, and is cancelled then', async () => {
    const world = await killingService();
    const home = mkdtempSync(join(program.home, 'run-'));
    expect(await killedAt(world, home, run, 5, 'after')).toBe('SIGKILL');
    const { url = '', body = '' } = world.service.requests.at(-1) ?? {};
    expect([world.service.shipped, url]).toEqual([1, expect.stringMatching(/shop\.Shipping\/CreateAndConfirmOrder$/)]);
    /** The order as the service tells whoever asks it over HTTP. */
    const order = async () => {
      const headers = { authorization: `Bearer ${SecondService.key}`, 'content-type': 'application/json' };
      const named = JSON.stringify({ external_id: JSON.parse(body).external_id });
      const at = `http://127.0.0.1:${world.port}/v1/shop.Shipping/GetOrder`;
      const answer = await fetch(at, { method: 'POST', headers, body: named });
      return JSON.parse(await answer.text()).order.status;
    };
    expect(await order()).toBe('Z');
    world.away.add('shop.Shipping/GetOrder');
    const blind = await started(world.port, home, ['clean', '--max-retries', '0']).ended;
    expect([blind.code, JSON.parse(blind.stdout).left], blind.stderr).toMatchObject([
      10,
      [{ operation: 'shop.Shipping/CreateAndConfirmOrder', id: null }],
    ]);
    world.away.clear();
    expect(await order()).toBe('Z');
    expect((await started(world.port, home, ['clean']).ended).code).toBe(0);
    expect(await order()).toBe('N');
  });

  it('and killed again while it cleans up', async () => {
    const world = await killingService();
    const before = world.alive();
    const home = mkdtempSync(join(program.home, 'run-'));
    expect(await killedAt(world, home, run, 8, 'answered')).toBe('SIGKILL');
    expect(world.alive()).not.toEqual(before);
    expect(await killedAt(world, home, ['clean'], 1, 'after')).toBe('SIGKILL');
    expect((await started(world.port, home, ['clean']).ended).code).toBe(0);
    expect(world.alive()).toEqual(before);
  });
});

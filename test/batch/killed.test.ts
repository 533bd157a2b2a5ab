import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { settingsIn } from '../../src/platform/node-settings.ts';
import type { FaultFlags } from '../../src/sandbox/faults/fault.ts';
import { startServer } from '../../src/sandbox/http/server.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { manyOrders } from './batch-world.ts';

/** `SHOPCTL_TEST_KILLS=2000 SHOPCTL_TEST_ROWS=20000 npx vitest run test/batch/killed.test.ts` for a long run. */
const kills = Number(process.env.SHOPCTL_TEST_KILLS ?? 200);
const rows = Number(process.env.SHOPCTL_TEST_ROWS ?? 600);

const project = fileURLToPath(new URL('../..', import.meta.url));
let scratch: string;
let program: string;
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'shopctl-killed-'));
  program = join(scratch, 'batch.mjs');
  // The native driver is found from where the program lies.
  symlinkSync(join(project, 'node_modules'), join(scratch, 'node_modules'));
  await build({
    entryPoints: [fileURLToPath(new URL('batch-process.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3', 'pg', 'pdfkit', 'bwip-js', 'inquirer'],
    banner: {
      js: `import{createRequire as requireHere}from'node:module';const require=requireHere(${JSON.stringify(import.meta.url)});`,
    },
    logLevel: 'error',
  });
}, 60_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let machines = 0;

interface Ended {
  readonly code: number | null;
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

async function machineAt(baseUrl: string, { shop }: TestSandbox) {
  machines += 1;
  const directory = join(scratch, `machine-${machines}`);
  mkdirSync(directory, { mode: 0o700 });
  await settingsIn(directory).update(() => ({
    version: 1,
    current_profile: 'shop',
    profiles: { shop: { kind: 'shop', base_url: baseUrl, api_key: shop.apiKey } },
  }));
  return {
    directory,
    async run(words: readonly string[], doom: { at?: number; afterMs?: number; fullAt?: number } = {}): Promise<Ended> {
      const child = spawn(process.execPath, [program, ...words], {
        env: {
          PATH: process.env.PATH,
          SHOPCTL_CONFIG_DIR: directory,
          PROJECT: project,
          ...(doom.at === undefined ? {} : { KILL_AT: String(doom.at) }),
          ...(doom.fullAt === undefined ? {} : { FULL_AT: String(doom.fullAt) }),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, err]: [string[], string[]] = [[], []];
      child.stdout.on('data', (chunk) => out.push(String(chunk)));
      child.stderr.on('data', (chunk) => err.push(String(chunk)));
      const timer = doom.afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), doom.afterMs);
      const [code, signal] = await once(child, 'close');
      clearTimeout(timer);
      return { code, killed: signal === 'SIGKILL', stdout: out.join(''), stderr: err.join('') };
    },
  };
}

async function serve() {
  const service = await openTestSandbox();
  const server = await startServer(service.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  return { service, machine: await machineAt(server.baseUrl, service) };
}

/** The referee: how often each recipient has a live order, asked of the service and of nobody else. */
async function ordersByPhone({ post, shop }: TestSandbox): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let after = '.'; ; ) {
    const { body } = await post('shop.Order/ListOrders', { paging: { after } }, shop.apiKey);
    for (const { status, shipping_address } of body.orders) {
      if (status !== 'N') counts.set(shipping_address.phone, (counts.get(shipping_address.phone) ?? 0) + 1);
    }
    if (body.orders.length === 0) return counts;
    after = body.paging.next;
  }
}

async function judged(service: TestSandbox, expected: number) {
  const counts = await ordersByPhone(service);
  const twice = [...counts].filter(([, count]) => count > 1);
  return { orders: counts.size, twice, missing: expected - counts.size };
}

/** How the service is broken while the batch is killed. */
const faults: Readonly<Record<string, readonly FaultFlags[]>> = {
  nothing: [],
  'drop-before': [{ operation: 'shop.Shipping/CreateAndConfirmOrder', every: 7, do: 'drop-before' }],
  'drop-after-commit': [{ operation: 'shop.Shipping/CreateAndConfirmOrder', every: 7, do: 'drop-after-commit' }],
  'half-answer': [{ operation: 'shop.Shipping/CreateAndConfirmOrder', every: 7, do: 'half-answer' }],
  '503': [{ operation: 'shop.Shipping/CreateAndConfirmOrder', every: 9, do: 'status=503' }],
  '429': [{ operation: '*', every: 23, do: 'status=429,retry-after=0' }],
  mixed: [
    { operation: 'shop.Shipping/CreateAndConfirmOrder', every: 5, do: 'drop-after-commit' },
    { operation: 'shop.Shipping/CreateAndConfirmOrder', every: 7, do: 'drop-before' },
    { operation: 'shop.Shipping/GetOrder', every: 6, do: 'drop-before' },
    { operation: 'shop.Shipping/GetShippingServices', every: 31, do: 'status=503' },
  ],
};

describe('a batch that is killed at its commits, at its requests and at random moments', () => {
  const modes = Object.keys(faults).flatMap((mode) => [true, false].map((named) => ({ mode, named })));
  const each = Math.ceil(kills / modes.length);
  const rowsEach = Math.ceil(rows / modes.length);

  it.each(modes)(
    'makes each order once: $mode, names: $named',
    async ({ mode, named }) => {
      const { service, machine } = await serve();
      for (const fault of faults[mode] ?? []) await service.sandbox.control.faults.add(fault);
      const file = join(machine.directory, 'orders.csv');
      writeFileSync(file, manyOrders(rowsEach, named));
      const words = ['batch', 'run', file, '--pick', 'cheapest', '--yes', '--concurrency', '8', '-o', 'json'];
      let killed = 0;
      let at = 0;
      for (let round = 0; killed < each && round < each * 3; round += 1) {
        at += 3 + (round % 11);
        const doom = round % 4 === 3 ? { afterMs: 150 + ((round * 37) % 500) } : { at: at % (rowsEach * 4) };
        const { killed: died, code, stderr } = await machine.run(words, doom);
        if (died) killed += 1;
        else expect([code, code === 0 || stderr]).toEqual([0, true]);
      }
      const last = await machine.run(words);
      expect([last.code, last.code === 0 || last.stderr]).toEqual([0, true]);
      const { counts } = JSON.parse(last.stdout);
      // What this batch sent and finds is its own: done, and not `existed`.
      expect(counts).toMatchObject({ rows: rowsEach, done: rowsEach, failed: 0, unclear: 0, left: 0 });
      expect(await judged(service, rowsEach)).toEqual({ orders: rowsEach, twice: [], missing: 0 });
      expect(killed).toBeGreaterThan(0);
    },
    Math.max(120_000, (each + 2) * 15_000),
  );
});

describe('an undo that is killed at its commits and at its requests', () => {
  it.each([true, false])(
    'takes each order back, and the file is offered again; names: %s',
    async (named) => {
      const { service, machine } = await serve();
      const file = join(machine.directory, 'orders.csv');
      writeFileSync(file, manyOrders(12, named));
      const run = ['batch', 'run', file, '--yes', '-o', 'json'];
      const { batch } = JSON.parse((await machine.run(run)).stdout);
      expect(await judged(service, 12)).toEqual({ orders: 12, twice: [], missing: 0 });
      const words = ['batch', 'undo', batch, '--yes', '--concurrency', '2', '-o', 'json'];
      let killed = 0;
      let ended: Ended | undefined;
      for (let at = 4; ended === undefined; at += 8) {
        const round = await machine.run(words, { at });
        if (round.killed) killed += 1;
        else ended = round;
      }
      expect(killed).toBeGreaterThan(3);
      // The one that ends takes the last ones back, or finds that there is nothing left to take back.
      const code = ended.code === 0 ? undefined : JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '').error.code;
      expect([undefined, 'nothing_made']).toContain(code);
      expect((await ordersByPhone(service)).size).toBe(0);
      const rows = await machine.run(['batch', 'rows', batch, '-o', 'jsonl']);
      const states = rows.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).state);
      expect(states).toEqual(new Array(12).fill('undone'));
      const again = JSON.parse((await machine.run(run)).stdout);
      expect(again.counts).toMatchObject({ rows: 12, done: 12, existed: 0 });
      expect(await judged(service, 12)).toEqual({ orders: 12, twice: [], missing: 0 });
    },
    120_000,
  );
});

describe('a disk that is full', () => {
  it('before the first write refuses the batch, and nothing is sent', async () => {
    const { service, machine } = await serve();
    const file = join(machine.directory, 'orders.csv');
    writeFileSync(file, manyOrders(10, false));
    const words = ['batch', 'run', file, '--yes', '-o', 'json'];
    const full = await machine.run(words, { fullAt: 1 });
    expect([full.code, JSON.parse(full.stderr.trim().split('\n').at(-1) ?? '').error.code]).toEqual([
      1,
      'workspace_full',
    ]);
    expect(await judged(service, 0)).toEqual({ orders: 0, twice: [], missing: 0 });
    expect((await machine.run(words)).code).toBe(0);
    expect(await judged(service, 10)).toEqual({ orders: 10, twice: [], missing: 0 });
  });

  it.each([6, 7, 8, 9])(
    'in the middle (commit %i) stops before the next send; a resume makes each order once, none unclear',
    async (fullAt) => {
      const { service, machine } = await serve();
      const file = join(machine.directory, 'orders.csv');
      writeFileSync(file, manyOrders(300, fullAt % 2 === 0));
      const words = ['batch', 'run', file, '--yes', '--concurrency', '4', '-o', 'json'];
      const full = await machine.run(words, { fullAt });
      expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('workspace_full')]);
      const again = await machine.run(words);
      expect([again.code, again.code === 0 || again.stderr]).toEqual([0, true]);
      expect(JSON.parse(again.stdout).counts).toMatchObject({ rows: 300, done: 300, unclear: 0, failed: 0 });
      expect(await judged(service, 300)).toEqual({ orders: 300, twice: [], missing: 0 });
    },
    120_000,
  );
});

it('is one batch where the same file is run twice at a time: the second waits, then reports', async () => {
  const { service, machine } = await serve();
  const file = join(machine.directory, 'orders.csv');
  writeFileSync(file, manyOrders(40, false));
  const words = ['batch', 'run', file, '--yes', '-o', 'json'];
  const both = await Promise.all([machine.run(words), machine.run(words)]);
  const told = both.map(({ code, stdout, stderr }) => [code, code === 0 ? JSON.parse(stdout).batch : stderr]);
  expect(told[0]).toEqual([0, told[1]?.[1]]);
  expect(told[1]?.[0]).toBe(0);
  expect(await judged(service, 40)).toEqual({ orders: 40, twice: [], missing: 0 });
}, 60_000);

it('makes no record twice that has no unique name, and tells which of them it does not know', async () => {
  const { service, machine } = await serve();
  const file = join(machine.directory, 'customers.csv');
  const count = 40;
  const lines = Array.from({ length: count }, (_, index) => `Khách ${index},09${20_000_000 + index}`);
  writeFileSync(file, `full_name,phone\n${lines.join('\n')}\n`);
  const words = ['batch', 'run', file, '--do', 'customers create', '--yes', '--concurrency', '4', '-o', 'json'];
  for (let at = 5; at < 80; at += 9) await machine.run(words, { at });
  const last = await machine.run(words);
  const { counts } = JSON.parse(last.stdout);
  expect(last.code).toBe(counts.unclear > 0 ? 10 : 0);
  expect(counts).toMatchObject({ rows: count, existed: 0, failed: 0, left: 0 });
  expect(counts.done + counts.unclear).toBe(count);
  const { body } = await service.post('shop.Customer/ListCustomers', { paging: { limit: 100 } }, service.shop.apiKey);
  const phones: string[] = body.customers.map(({ phone }: { phone: string }) => phone);
  expect(new Set(phones).size).toBe(phones.length);
  expect(phones.length).toBeGreaterThanOrEqual(counts.done);
}, 120_000);

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { FaultFlags } from '../../src/sandbox/lab/fault-part.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { inParallel } from '../promises/in-parallel.ts';
import { startResettingProxy } from '../support/resetting-proxy.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { standingClock } from '../support/standing-clock.ts';
import { errorOf } from '../support/stderr-lines.ts';
import { manyOrders } from './batch-world.ts';
import { type Ended, judged, killAndResume, killableProgram, type Machine, ordersByPhone } from './killing.ts';

/** `SHOPCTL_TEST_KILLS=2000 SHOPCTL_TEST_ROWS=20000 npx vitest run test/batch/killed.proof.test.ts` for a long run. */
const kills = Number(process.env.SHOPCTL_TEST_KILLS ?? 22);
const rows = Number(process.env.SHOPCTL_TEST_ROWS ?? 400);
const atATime = 3;

let program: Awaited<ReturnType<typeof killableProgram>>;
beforeAll(async () => {
  program = await killableProgram();
});
afterAll(() => program.remove());

/** A service whose connections are reset now and then, where that is asked for, and a machine that knows it. */
async function serve({ resets = false } = {}) {
  // Its waits last: a late answer is late.
  const service = await openTestSandbox({ clock: standingClock() });
  const server = await startServer(service.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  let { baseUrl } = server;
  if (resets) {
    const proxy = await startResettingProxy(Number(new URL(baseUrl).port), {
      ending: '/CreateAndConfirmOrder',
      every: 6,
    });
    onTestFinished(() => proxy.close());
    baseUrl = proxy.baseUrl;
  }
  return { service, baseUrl, machine: await program.machine(baseUrl, service.shop.apiKey) };
}

interface Mode {
  readonly faults: readonly FaultFlags[];
  readonly resets?: true;
  readonly flags?: readonly string[];
}

const create = 'shop.Shipping/CreateAndConfirmOrder';
/** An answer is given up long before it comes; and all others come long before they are given up. */
const impatient = ['--timeout', '3'];
const late = 'late-after-commit=60000';

/** How the service is broken while the batch is killed. */
const modes: Readonly<Record<string, Mode>> = {
  nothing: { faults: [] },
  'drop-before': { faults: [{ operation: create, every: 7, do: 'drop-before' }] },
  'drop-after-commit': { faults: [{ operation: create, every: 7, do: 'drop-after-commit' }] },
  'half-answer': { faults: [{ operation: create, every: 7, do: 'half-answer' }] },
  'late-after-commit': { faults: [{ operation: create, every: 13, do: late }], flags: impatient },
  resets: { faults: [], resets: true },
  '503': { faults: [{ operation: create, every: 9, do: 'status=503' }] },
  '429': { faults: [{ operation: '*', every: 23, do: 'status=429,retry-after=0' }] },
  mixed: {
    faults: [
      { operation: create, every: 5, do: 'drop-after-commit' },
      { operation: create, every: 7, do: 'drop-before' },
      { operation: create, every: 29, do: late },
      { operation: 'shop.Shipping/GetOrder', every: 6, do: 'drop-before' },
      { operation: 'shop.Shipping/GetShippingServices', every: 31, do: 'status=503' },
    ],
    resets: true,
    flags: impatient,
  },
};

describe('a batch that is killed at its commits, at its requests and at random moments', () => {
  /** Each mode, every other one with names; with names and without where nothing befalls the requests, and everything. */
  const campaigns = Object.keys(modes).flatMap((mode, place) => {
    const isEdge = mode === 'nothing' || mode === 'mixed';
    return (isEdge ? [true, false] : [place % 2 === 0]).map((named) => ({ mode, named }));
  });
  const each = Math.ceil(kills / campaigns.length);
  const rowsEach = Math.ceil(rows / campaigns.length);

  it(
    'makes each order once, whatever befalls its requests, with names of their own and without',
    async () => {
      const random = seededRandom('killed batches');
      const ended = await inParallel(campaigns, atATime, async ({ mode, named }) => {
        const { faults, resets = false, flags = [] } = modes[mode] as Mode;
        const { service, machine } = await serve({ resets });
        for (const fault of faults) await service.sandbox.control.faults.add(fault);
        const campaign = await killAndResume(machine, { kills: each, rows: rowsEach, named, random, flags });
        // The referee sees the service as it is.
        await service.sandbox.control.faults.clear();
        return { mode, named, ...campaign, ...(await judged(service, campaign.rows)) };
      });
      const sum = (of: (campaign: (typeof ended)[number]) => number) => ended.reduce((all, one) => all + of(one), 0);
      console.log(
        `${sum(({ kills: each }) => each)} kills × ${sum(({ rows: each }) => each)} rows × ${sum(({ twice }) => twice.length)} doubled × ${sum(({ missing }) => missing)} missing`,
      );
      const promised = ended.map((one) => ({
        ...one,
        kills: each,
        orders: one.rows,
        twice: [],
        missing: 0,
        wrong: [],
      }));
      expect(ended).toEqual(promised);
    },
    Math.max(300_000, kills * 10_000),
  );

  it('makes each order once, killed at every single write and commit of its journal', async () => {
    const { service, baseUrl, machine: first } = await serve();
    const machines = [first, await program.machine(baseUrl, service.shop.apiKey)];
    let [orders, point, ended] = [0, 0, false];
    const killAtEach = async (machine: Machine) => {
      const file = join(machine.directory, 'orders.csv');
      const words = ['batch', 'run', file, '--yes', '-o', 'json'];
      while (!ended) {
        const at = point;
        point += 1;
        writeFileSync(file, manyOrders(2, at % 2 === 0, orders + 1));
        orders += 2;
        const doomed = await machine.run(words, { at, onlyJournal: true });
        ended ||= !doomed.killed;
        const last = doomed.killed ? await machine.run(words) : doomed;
        expect([at, last.code, last.stderr]).toEqual([at, 0, last.stderr]);
        expect(JSON.parse(last.stdout).counts).toMatchObject({ rows: 2, done: 2, existed: 0 });
      }
    };
    await Promise.all(machines.map(killAtEach));
    expect(await judged(service, orders)).toEqual({ orders, twice: [], missing: 0 });
    // Before and after each that is kept: at least those that make the batch, mark its rows, and tell what became of them.
    expect(point).toBeGreaterThan(12);
  });
});

describe('an undo that is killed at its commits and at its requests', () => {
  const takeBack = async (named: boolean) => {
    const { service, machine } = await serve();
    const file = join(machine.directory, 'orders.csv');
    writeFileSync(file, manyOrders(12, named));
    const run = ['batch', 'run', file, '--yes', '-o', 'json'];
    const { batch } = JSON.parse((await machine.run(run)).stdout);
    expect(await judged(service, 12)).toEqual({ orders: 12, twice: [], missing: 0 });
    const words = ['batch', 'undo', batch, '--yes', '--concurrency', '2', '-o', 'json'];
    let killed = 0;
    let ended: Ended | undefined;
    for (let at = named ? 4 : 8; ended === undefined; at += 16) {
      const round = await machine.run(words, { at });
      if (round.killed) killed += 1;
      else ended = round;
    }
    expect(killed).toBeGreaterThan(3);
    // The one that ends takes the last ones back, or finds that there is nothing left to take back.
    const reported = ended.code === 0 ? undefined : errorOf(ended).message;
    expect([undefined, `batch ${batch} created nothing that still exists`]).toContain(reported);
    expect((await ordersByPhone(service)).size).toBe(0);
    const rows = await machine.run(['batch', 'rows', batch, '-o', 'jsonl']);
    const states = rows.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).state);
    expect(states).toEqual(new Array(12).fill('undone'));
    const left = JSON.parse((await machine.run(run)).stdout);
    expect(left.counts).toMatchObject({ rows: 12, done: 0, ended: 12 });
    const again = JSON.parse((await machine.run([...run, '--resend-ended', 'undone'])).stdout);
    expect(again.counts).toMatchObject({ rows: 12, done: 12, existed: 0 });
    expect(await judged(service, 12)).toEqual({ orders: 12, twice: [], missing: 0 });
  };

  it('takes each order back, and the file sends them again as a person says so, with names and without', async () => {
    await Promise.all([true, false].map(takeBack));
  });
});

describe('a disk that is full', () => {
  it('before the first write refuses the batch, and nothing is sent', async () => {
    const { service, machine } = await serve();
    const file = join(machine.directory, 'orders.csv');
    writeFileSync(file, manyOrders(10, false));
    const words = ['batch', 'run', file, '--yes', '-o', 'json'];
    const full = await machine.run(words, { fullAt: 1 });
    expect([full.code, errorOf(full).code]).toEqual([1, 'workspace_full']);
    expect(await judged(service, 0)).toEqual({ orders: 0, twice: [], missing: 0 });
    expect((await machine.run(words)).code).toBe(0);
    expect(await judged(service, 10)).toEqual({ orders: 10, twice: [], missing: 0 });
  });

  it('in the middle stops before the next send; a resume makes each order once, none unclear', async () => {
    await inParallel([9, 12], atATime, async (fullAt) => {
      const { service, machine } = await serve();
      const file = join(machine.directory, 'orders.csv');
      writeFileSync(file, manyOrders(300, fullAt % 2 === 0));
      const words = ['batch', 'run', file, '--yes', '--concurrency', '4', '-o', 'json'];
      const full = await machine.run(words, { fullAt });
      const { orders } = await judged(service, 300);
      // 1 only where nothing was sent; otherwise it says that it was.
      expect([full.code, full.stderr]).toEqual([orders === 0 ? 1 : 9, expect.stringContaining('workspace_full')]);
      expect(full.stderr).toContain(orders === 0 ? 'not_applied' : '"outcome":"partial"');
      const again = await machine.run(words);
      expect([again.code, again.code === 0 || again.stderr]).toEqual([0, true]);
      expect(JSON.parse(again.stdout).counts).toMatchObject({ rows: 300, done: 300, unclear: 0, failed: 0 });
      expect(await judged(service, 300)).toEqual({ orders: 300, twice: [], missing: 0 });
    });
  });
});

it('is one batch where the same file is run twice at a time: the second waits, then reports', async () => {
  const { service, machine } = await serve();
  const file = join(machine.directory, 'orders.csv');
  writeFileSync(file, manyOrders(40, false));
  const words = ['batch', 'run', file, '--yes', '-o', 'json'];
  const both = await Promise.all([machine.run(words), machine.run(words)]);
  const reported = both.map(({ code, stdout, stderr }) => [code, code === 0 ? JSON.parse(stdout).batch : stderr]);
  expect(reported[0]).toEqual([0, reported[1]?.[1]]);
  expect(reported[1]?.[0]).toBe(0);
  expect(await judged(service, 40)).toEqual({ orders: 40, twice: [], missing: 0 });
});

it('makes no record twice that has no unique name, and tells which of them it does not know', async () => {
  const { service, machine } = await serve();
  const file = join(machine.directory, 'customers.csv');
  const count = 40;
  const lines = Array.from({ length: count }, (_, index) => `Khách ${index},09${20_000_000 + index}`);
  writeFileSync(file, `full_name,phone\n${lines.join('\n')}\n`);
  const words = ['batch', 'run', file, '--do', 'customers create', '--yes', '--concurrency', '4', '-o', 'json'];
  for (let at = 5; at < 80; at += 18) await machine.run(words, { at });
  const last = await machine.run(words);
  const { counts } = JSON.parse(last.stdout);
  expect(last.code).toBe(counts.unclear > 0 ? 10 : 0);
  expect(counts).toMatchObject({ rows: count, existed: 0, failed: 0, left: 0 });
  expect(counts.done + counts.unclear).toBe(count);
  const { body } = await service.post('shop.Customer/ListCustomers', { paging: { limit: 100 } }, service.shop.apiKey);
  const phones: string[] = body.customers.map(({ phone }: { phone: string }) => phone);
  expect(new Set(phones).size).toBe(phones.length);
  expect(phones.length).toBeGreaterThanOrEqual(counts.done);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { commitCutter } from '../support/commit-cutter.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../support/postgres-cluster.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type BatchWorld, batchWorld, manyOrders, plainOptions } from './batch-world.ts';

/** `SHOPCTL_TEST_ROWS=20000 npx vitest run test/batch/together.proof.test.ts` for a long run. */
const rows = Number(process.env.SHOPCTL_TEST_ROWS ?? 400);
const WORKERS = 4;
/** Longer than the slowest machine takes from one heartbeat to the next: who is at work keeps its rows. */
const lease = { leaseMs: 20_000, heartbeatMs: 2_000 };

const project = fileURLToPath(new URL('../..', import.meta.url));

/** The service takes one more order each time it is told to: while a deed takes its time, the workers cannot end. */
function creationGate(sandbox: Sandbox) {
  let allowed = 0;
  let created = 0;
  const waiting: (() => void)[] = [];
  const handle: Sandbox['handle'] = async (asked) => {
    if (!asked.url.endsWith('/CreateAndConfirmOrder')) return sandbox.handle(asked);
    while (created >= allowed) await new Promise<void>((resolve) => waiting.push(resolve));
    const answer = await sandbox.handle(asked);
    if (answer.status === 200) created += 1;
    return answer;
  };
  const takeOne = () => {
    allowed = Math.max(allowed, created) + 1;
    for (const goOn of waiting.splice(0)) goOn();
  };
  /** Takes all until somebody has ended, who waits for the answers of what it has sent. */
  const takeAllUntil = async (ended: Promise<unknown>) => {
    allowed = Number.POSITIVE_INFINITY;
    takeOne();
    await ended;
    allowed = created;
  };
  return { sandbox: { ...sandbox, handle }, takeOne, takeAllUntil };
}

describe.skipIf(postgresPrograms === undefined)('several machines at one batch', () => {
  let cluster: PostgresCluster;
  let scratch: string;
  let program: string;
  beforeAll(async () => {
    cluster = await startPostgres();
    scratch = mkdtempSync(join(tmpdir(), 'shopctl-together-'));
    program = join(scratch, 'together.mjs');
    symlinkSync(join(project, 'node_modules'), join(scratch, 'node_modules'));
    await build({
      entryPoints: [fileURLToPath(new URL('together-process.ts', import.meta.url))],
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
  });
  afterAll(async () => {
    await cluster?.remove();
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  });

  /** A planned batch of so many orders that is open, whose rows cost exactly what --max-total allows. */
  async function openBatch(count: number) {
    const world: BatchWorld = await batchWorld();
    // As far away as a service is: the workers are at it together, and none has done its rows before it is disturbed.
    await world.service.sandbox.control.faults.add({ operation: '*', every: 1, do: 'delay=40' });
    const workspace = cluster.newDatabase();
    const gate = creationGate(world.service.sandbox);
    const server = await startServer(gate.sandbox, { port: 0 });
    onTestFinished(() => server.close());
    const context = await world.context({ workspace, family: 'shop', baseUrl: server.baseUrl });
    onTestFinished(() => context.close());
    const options = { ...plainOptions, maxTotal: 999_999_999_999 };
    const planned = await world.plan(manyOrders(count), { context, options });
    planned.release();
    const fees = (await context.batches.shares(planned.batch.number)).reduce(
      (sum, share) => sum + (share.fees ?? 0),
      0,
    );
    await context.workspace.write((database) =>
      database.updateTable('batches').set({ max_total: fees, state: 'open' }).execute(),
    );
    const begin = (changes: { workspace?: string; concurrency?: number } = {}) => {
      const { apiKey, id: shop } = world.service.shop;
      const given = { workspace, baseUrl: server.baseUrl, apiKey, shop, batch: planned.batch.id, lease, ...changes };
      const child = spawn(process.execPath, [program], {
        env: { PATH: process.env.PATH, TOGETHER: JSON.stringify({ concurrency: 2, ...given }) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const reported: string[] = [];
      child.stdout.on('data', (chunk) => reported.push(String(chunk)));
      child.stderr.on('data', (chunk) => reported.push(String(chunk)));
      const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, reported: reported.join('') }));
      onTestFinished(() => void child.kill('SIGKILL'));
      return { child, ended };
    };
    const counts = async () => {
      const shares = await context.batches.shares(planned.batch.number);
      const count = (...states: string[]) =>
        shares.filter(({ state }) => states.includes(state)).reduce((sum, share) => sum + share.rows, 0);
      return {
        done: count('done'),
        other: shares.filter(({ state }) => state !== 'done'),
        left: count('planned', 'sending'),
      };
    };
    /** The referee: each recipient's orders and what they cost, asked of the service and of nobody else. */
    const judged = async () => {
      const orders = await world.orders();
      const phones = new Set(orders.map(({ shipping_address }) => shipping_address.phone));
      return { orders: orders.length, twice: orders.length - phones.size, missing: count - phones.size };
    };
    return { gate, world, context, workspace, number: planned.batch.number, fees, begin, counts, judged };
  }

  it(
    'makes each order once, whoever is killed, ended or stopped, and whatever becomes of the server',
    async () => {
      const { gate, context, workspace, begin, counts, judged, fees, number } = await openBatch(rows);
      const cutter = await commitCutter(cluster.port);
      onTestFinished(() => cutter.close());
      const throughCutter = workspace.replace(String(cluster.port), String(cutter.port));
      const random = seededRandom('together');
      const workers: { child: ChildProcess; ended: Promise<{ code: number | null; reported: string }> }[] = [];
      const start = (place: number) => {
        workers[place] = begin(place === 0 ? { workspace: throughCutter } : {});
      };
      for (let place = 0; place < WORKERS; place += 1) start(place);
      const callbacks = [
        'KILL',
        'STOP',
        'fast',
        'KILL',
        'before',
        'TERM',
        'immediate',
        'after',
        'STOP',
        'KILL',
        'fast',
      ] as const;
      const did: string[] = [];
      const paused: Promise<void>[] = [];
      // A deed for each share of the rows that is done: by its progress, so that a fast machine meets as many as a slow one.
      const share = Math.max(1, Math.floor(rows / (Math.ceil(rows / 2000) * (callbacks.length + 2))));
      for (let turn = 0; ; turn += 1) {
        const from = share * (turn + random());
        let now = await counts();
        while (now.done < from && now.left > 0) {
          gate.takeOne();
          await wait(5);
          now = await counts();
        }
        const deed = callbacks[turn % callbacks.length] as (typeof callbacks)[number];
        const place = Math.floor(random() * WORKERS);
        const worker = workers[place];
        if (now.left === 0 || worker === undefined) break;
        did.push(deed);
        if (deed === 'fast' || deed === 'immediate') {
          await cluster.stop(deed);
          await cluster.start();
        } else if (deed === 'before' || deed === 'after') cutter.cutNext(deed);
        else if (deed === 'STOP') {
          worker.child.kill('SIGSTOP');
          // Longer than its lease: others take its rows over, and then it goes on.
          paused.push(wait(2 * lease.leaseMs).then(() => void worker.child.kill('SIGCONT')));
          if (paused.length % (WORKERS - 1) === 0) await Promise.all(paused);
        } else {
          worker.child.kill(`SIG${deed}`);
          await gate.takeAllUntil(worker.ended);
          start(place);
        }
      }
      await Promise.all(paused);
      const ends = await Promise.all(workers.map(({ ended }) => ended));
      expect(did.slice(0, callbacks.length)).toEqual(callbacks);
      expect(ends.map(({ code, reported }) => [code, code === 0 || reported])).toEqual(ends.map(() => [0, true]));
      expect(await judged()).toEqual({ orders: rows, twice: 0, missing: 0 });
      expect(await counts()).toEqual({ done: rows, other: [], left: 0 });
      const [batch] = await context.batches.list({});
      expect([batch?.number, batch?.state, batch?.reserved]).toEqual([number, 'finished', fees]);
    },
    600_000 + rows * 300,
  );
});

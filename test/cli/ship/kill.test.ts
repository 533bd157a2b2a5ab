import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { settingsIn } from '../../../src/platform/node-settings.ts';
import { startServer } from '../../../src/sandbox/server.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { standingClock } from '../../support/standing-clock.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

/** `SHOPCTL_TEST_KILLS=100 npx vitest run test/cli/ship/kill.test.ts` for a long run; each point once when absent. */
const kills = Number(process.env.SHOPCTL_TEST_KILLS ?? 0);

let scratch: string;
let program: string;
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'shopctl-kill-'));
  program = join(scratch, 'ship.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('ship-process.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3'],
    banner: {
      js: `import{createRequire}from'node:module';const require=createRequire(${JSON.stringify(import.meta.url)});`,
    },
    logLevel: 'error',
  });
}, 60_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Machine {
  readonly directory: string;
  /** Runs shopctl as a process; it kills itself at the point of that number, or is killed after so many milliseconds. */
  run(words: readonly string[], doom?: { at?: number; afterMs?: number }): Promise<Ran>;
}

interface Ran {
  readonly code: number | null;
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly points: readonly string[];
}

let machines = 0;

/** A machine of its own, with a settings directory that knows the service at that address. */
async function machineAt(baseUrl: string, { shop, shopKey, partner }: TestSandbox): Promise<Machine> {
  machines += 1;
  const directory = join(scratch, `machine-${machines}`);
  mkdirSync(directory, { mode: 0o700 });
  const shops = { [shop.id]: { shop_key: shopKey } };
  await settingsIn(directory).update(() => ({
    version: 1,
    current_profile: 'test',
    profiles: {
      test: { kind: 'partner', base_url: baseUrl, api_key: partner.apiKey, shops, current_shop: shop.id },
    },
  }));
  let runs = 0;
  return {
    directory,
    async run(words, { at, afterMs } = {}) {
      runs += 1;
      const log = join(directory, `points-${runs}`);
      const child = spawn(process.execPath, [program, ...words], {
        env: {
          PATH: process.env.PATH,
          SHOPCTL_CONFIG_DIR: directory,
          KILL_LOG: log,
          ...(at === undefined ? {} : { KILL_AT: String(at) }),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, err]: string[][] = [[], []];
      child.stdout.on('data', (chunk) => out?.push(String(chunk)));
      child.stderr.on('data', (chunk) => err?.push(String(chunk)));
      const timer = afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), afterMs);
      const [code, signal] = await once(child, 'close');
      clearTimeout(timer);
      let points: string[] = [];
      try {
        points = readFileSync(log, 'utf8').trim().split('\n');
      } catch {
        // It was killed before its first point.
      }
      return { code, killed: signal === 'SIGKILL', stdout: out?.join('') ?? '', stderr: err?.join('') ?? '', points };
    },
  };
}

async function serve() {
  const service = await openTestSandbox();
  const server = await startServer(service.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  return { service, baseUrl: server.baseUrl };
}

/** The orders with this note, each that is not cancelled. */
async function ordersNoted({ post, shop }: TestSandbox, note: string): Promise<{ id: string }[]> {
  const all: { id: string; order_note: string; status: string }[] = [];
  for (let after = '.'; ; ) {
    const { body } = await post('shop.Order/ListOrders', { paging: { after } }, shop.apiKey);
    all.push(...body.orders);
    if (body.orders.length === 0) break;
    after = body.paging.next;
  }
  return all.filter(({ order_note, status }) => order_note === note && status !== 'N');
}

const flags = ['--pick', 'cheapest', '--yes', '--json'];

describe('shopctl ship, killed at any point of sending', () => {
  it(
    'makes one order when the same command is run again, with an external id in the order',
    async () => {
      const { service, baseUrl } = await serve();
      const machine = await machineAt(baseUrl, service);
      const words = (note: string) => [
        'ship',
        '--input',
        plainOrder(machine, { external_id: note, order_note: note }, `${note}.json`),
        ...flags,
      ];
      const whole = await machine.run(words('whole'));
      expect([whole.code, whole.stderr]).toEqual([0, expect.stringContaining('is sent')]);
      expect(whole.points.filter((name) => name.includes('CreateAndConfirmOrder'))).toHaveLength(3);
      const tries = Math.max(kills, whole.points.length);
      for (let index = 0; index < tries; index += 1) {
        const note = `try-${index}`;
        const doomed = await machine.run(words(note), { at: index % whole.points.length });
        expect([note, doomed.killed]).toEqual([note, true]);
        const again = await machine.run(words(note));
        expect([note, doomed.points.at(-1), again.code, again.code === 0 || again.stderr]).toEqual([
          note,
          doomed.points.at(-1),
          0,
          true,
        ]);
        const made = await ordersNoted(service, note);
        expect([note, made.map(({ id }) => id)]).toEqual([note, [JSON.parse(again.stdout).order.id]]);
      }
      if (kills > 0) console.log(`${tries} runs killed at ${whole.points.length} points: one order each`);
    },
    Math.max(120_000, kills * 3_000),
  );

  it(
    'makes one order when its draft is resumed, by two processes at once, killed at any moment',
    async () => {
      const { service, baseUrl } = await serve();
      const tries = Math.max(kills, 4);
      let found = { killed: 0, resumed: 0, none: 0 };
      for (let index = 0; index < tries; index += 1) {
        const machine = await machineAt(baseUrl, service);
        const note = `resume-${index}`;
        const words = ['ship', '--input', plainOrder(machine, { order_note: note }), ...flags];
        // Spread over the life of a run: most of it is loading, the last third is the calls.
        const doomed = await machine.run(words, { afterMs: 150 + ((index * 37) % 450) });
        const { stdout } = await machine.run(['ship', 'drafts', 'list', '--all', '--json']);
        const [draft] = JSON.parse(stdout);
        const way = draft === undefined ? words : ['ship', '--resume', draft.id, '--yes', '--json'];
        const both = await Promise.all([machine.run(way), ...(draft === undefined ? [] : [machine.run(way)])]);
        const ids = both.map(({ code, stdout: text, stderr }) => (code === 0 ? JSON.parse(text).order.id : stderr));
        const made = await ordersNoted(service, note);
        expect([note, new Set(ids)]).toEqual([note, new Set(made.map(({ id }) => id))]);
        expect([note, made.length]).toEqual([note, 1]);
        found = {
          killed: found.killed + Number(doomed.killed),
          resumed: found.resumed + Number(draft?.state === 'sending'),
          none: found.none + Number(draft === undefined),
        };
      }
      if (kills > 0) console.log(`${tries} runs at random moments: ${JSON.stringify(found)}, one order each`);
    },
    Math.max(120_000, kills * 5_000),
  );
});

describe('shopctl ship, whose answers are dropped after the commit', () => {
  it('makes one order each time', async () => {
    const world = await shopWorld();
    const operation = 'partner.Shipping/CreateAndConfirmOrder';
    await world.service.sandbox.control.faults.add({ operation, every: 1, do: 'drop-after-commit' });
    const tries = Math.max(kills, 10);
    const input = plainOrder(world);
    const ids = new Set<string>();
    for (let index = 0; index < tries; index += 1) {
      const clock = { ...standingClock(), ...steppedClock() };
      const { exit, stdout, stderr } = await world.run(['ship', '--input', input, '--again', ...flags], { clock });
      expect([index, exit, stderr]).toEqual([index, 0, expect.stringContaining('settled by its external_id')]);
      ids.add(JSON.parse(stdout).order.id);
    }
    expect(ids.size).toBe(tries);
    const words = ['orders', 'list', '--all', '-o', 'name', '--profile', 'shop'];
    expect((await world.run(words)).stdout.trim().split('\n').toSorted()).toEqual([...ids].toSorted());
    if (kills > 0) console.log(`${tries} answers dropped after the commit: one order each`);
  });
});

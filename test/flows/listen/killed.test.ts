import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { tables } from '../../../src/sandbox/store/statement.ts';
import { openSqliteWorkspace } from '../../../src/workspace/sqlite-workspace.ts';
import { rows } from '../../support/rows.ts';
import { openTestSandbox } from '../../support/sandbox.ts';

/** `SHOPCTL_TEST_KILLS=1000 npx vitest run test/flows/listen/killed.test.ts` for a long run. */
const kills = Number(process.env.SHOPCTL_TEST_KILLS ?? 100);

const project = fileURLToPath(new URL('../../..', import.meta.url));
const running = new Set<ChildProcess>();
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'shopctl-listen-'));
  // The packages, one of them native, stay outside of the bundle and are found through this.
  symlinkSync(join(project, 'node_modules'), join(scratch, 'node_modules'), 'junction');
  await build({
    entryPoints: ['listener', 'service'].map((name) => join(project, `test/flows/listen/${name}-process.ts`)),
    outdir: scratch,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
});

afterAll(async () => {
  const ends = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
  rmSync(scratch, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: what a process of the test says
type Said = any;

/** A process that answers each line with one, and may die by itself. */
async function startProcess(name: 'listener' | 'service', words: readonly string[]) {
  const child = spawn(process.execPath, [join(scratch, `${name}-process.mjs`), ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.add(child);
  child.stdin.on('error', () => {});
  const died = once(child, 'close').then(() => void running.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  /** The next line it says; undefined where it died before. */
  const hear = async (): Promise<Said> => {
    const next = await lines.next();
    return next.done === true ? undefined : JSON.parse(next.value);
  };
  const first = await hear();
  return {
    first,
    died,
    ask(line: string): Promise<Said> {
      child.stdin.write(`${line}\n`);
      return hear();
    },
    isAlive: () => running.has(child),
    async end() {
      child.stdin.end();
      await died;
    },
    async kill() {
      child.kill('SIGKILL');
      await died;
    },
  };
}

type Running = Awaited<ReturnType<typeof startProcess>>;

/** Each gets its turn by chance. */
const answers: readonly { readonly share: number; give(response: ServerResponse): void }[] = [
  { share: 0.08, give: (response) => response.writeHead(500).end('ok') },
  { share: 0.05, give: (response) => response.end('OK') },
  { share: 0.05, give: (response) => response.destroy() },
  {
    share: 0.05,
    give: (response) => void response.writeHead(200, { 'content-length': 2 }).write('o', () => response.destroy()),
  },
  { share: 0.1, give: (response) => setTimeout(() => response.end('ok\n'), Math.random() * 15) },
  { share: 1, give: (response) => response.end('ok') },
];

/** A target that fails at random, and remembers which changes it was sent, in their order. */
async function startTarget() {
  const arrivals: { readonly id: string; readonly record: string; readonly note: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('error', () => {});
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.once('end', () => {
      const { id, changes } = JSON.parse(body);
      const { id: record, name } = changes[0].changed.customer_group;
      expect(request.headers['x-shopctl-change']).toBe(id);
      arrivals.push({ id, record, note: `${changes[0].change_type} ${name}` });
      let chance = Math.random();
      answers
        .find(({ share }) => {
          chance -= share;
          return chance < 0;
        })
        ?.give(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, arrivals };
}

it(
  'loses nothing, keeps nothing twice and hands nothing on out of order, whichever of the two is killed and when',
  async () => {
    const [one, other] = [await startTarget(), await startTarget()];
    const [workspacePath, data] = [join(scratch, 'workspace.db'), join(scratch, 'data')];
    let port = '0';
    let url = '';
    const startListener = async (nth: number) => {
      const listener = await startProcess('listener', [
        workspacePath,
        port,
        String(nth),
        one.url,
        `${other.url}?of=two`,
      ]);
      url = listener.first.url;
      port = new URL(url).port;
      return listener;
    };
    const startService = (nth: number) => startProcess('service', [data, url, String(nth)]);

    let listener: Running = await startListener(0);
    let service: Running = await startService(0);
    let [deaths, failures] = [0, 0];
    const revive = async (nth: number) => {
      if (listener.isAlive()) return;
      listener = await startListener(nth);
    };
    for (let round = 0; deaths < kills; round += 1) {
      // First every write in its turn, then any; a webhook that has failed often gets through before the next kill.
      const moment = failures > 6 ? 0 : round < 40 ? round + 1 : 1 + Math.floor(Math.random() * 60);
      const killsService = round % 8 === 7;
      await revive(killsService ? 0 : moment);
      if (killsService && failures <= 6) {
        await service.end();
        service = await startService(1 + Math.floor(Math.random() * 25));
        // Both at once, now and then.
        if (round % 16 === 15) {
          await listener.kill();
          await revive(1 + Math.floor(Math.random() * 20));
        }
      }
      const due = failures === 0 ? '6s' : failures < 6 ? '10m' : '17h';
      const said = (await service.ask('write')) && (await service.ask(`advance ${due}`));
      if (said === undefined) {
        await service.died;
        deaths += 1;
        service = await startService(0);
      } else {
        expect(said.state, 'the webhook was stopped').not.toBe('stop');
        failures = said.failures;
      }
      if (failures === 0 && listener.isAlive() && moment > 0 && round % 3 === 0) await listener.kill();
      // What dies of its next write dies by the time it is asked again.
      if (failures > 0) await Promise.race([listener.died, new Promise((resolve) => setImmediate(resolve))]);
      if (!listener.isAlive()) deaths += 1;
    }
    await listener.kill();
    await revive(0);
    for (let tries = 0; tries < 20; tries += 1) {
      const said = (await service.ask('advance 17h')) ?? {};
      if (said.state === 'ok' && said.left === 0) break;
    }
    expect((await listener.ask('')).handedOn).toBe(true);
    await listener.end();
    await service.end();

    // What the service committed, by its own outbox.
    const sandbox = await openTestSandbox({ data });
    const outbox = sandbox.core.read(({ database }) =>
      rows(database, tables.selectFrom('outbox').selectAll().where('entity', '=', 'customer_group').orderBy('seq')),
    );
    const committed = outbox.map(({ change_type, changed, time }) => {
      const { id, name } = JSON.parse(changed);
      return { record: id, note: `${change_type} ${name}`, time };
    });
    const workspace = await openSqliteWorkspace(workspacePath);
    const kept = await workspace.read((database) =>
      database
        .selectFrom('events')
        .innerJoin('event_contents', 'event_contents.seq', 'events.seq')
        .select(['events.seq', 'record_id', 'change_type', 'time', 'change'])
        .orderBy('events.seq')
        .execute(),
    );
    await workspace.close();
    const keptNotes = kept.map(({ record_id: record, change_type, time, change }) => ({
      record,
      note: `${change_type} ${JSON.parse(change).changed.customer_group.name}`,
      time,
    }));
    expect(committed.length).toBeGreaterThan(kills);
    // Twins within one second, which only their place tells from repeats, did occur.
    expect(new Set(committed.map((change) => JSON.stringify(change))).size).toBeLessThan(committed.length);
    expect(keptNotes).toEqual(committed);

    for (const { arrivals } of [one, other]) {
      const numbers = new Map<string, number>(
        [...new Set(arrivals.map(({ id }) => id))].sort().map((id, index) => [id, index]),
      );
      expect(numbers.size, 'changes that reached the target').toBe(committed.length);
      for (const record of new Set(committed.map((change) => change.record))) {
        const own = arrivals.filter((arrival) => arrival.record === record);
        const order = own.map(({ id }) => numbers.get(id) ?? -1);
        expect(order, `order of ${record}`).toEqual(order.toSorted((first, second) => first - second));
        const notes = own.filter(({ id }, index) => own[index - 1]?.id !== id).map(({ note }) => note);
        expect(notes).toEqual(committed.filter((change) => change.record === record).map(({ note }) => note));
      }
    }
    if (process.env.SHOPCTL_TEST_KILLS) {
      const sent = one.arrivals.length + other.arrivals.length;
      console.log(`${deaths} kills, ${committed.length} changes committed and kept, ${sent} handed on to two targets`);
    }
  },
  Math.max(180_000, kills * 4000),
);

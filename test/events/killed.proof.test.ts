import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { changedOf } from '../../src/sandbox/engine/store/outbox.ts';
import { tables } from '../../src/sandbox/engine/store/statement.ts';
import { openWorkspace } from '../../src/store/open-workspace.ts';
import { type KillablePrograms, killablePrograms } from '../support/killable-programs.ts';
import { postgresPrograms, startPostgres } from '../support/postgres-cluster.ts';
import { rows } from '../support/rows.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { seededRandom, seedFrom } from '../support/seeded-random.ts';

/** `SHOPCTL_TEST_KILLS=1000 npx vitest run test/events/killed.proof.test.ts` for a long run. */
const kills = Number(process.env.SHOPCTL_TEST_KILLS ?? 24);

let programs: KillablePrograms;
let scratch: string;

beforeAll(async () => {
  programs = await killablePrograms('test/events/listener-process.ts', 'test/events/service-process.ts');
  scratch = programs.scratch;
});

afterAll(() => programs.remove());

// biome-ignore lint/suspicious/noExplicitAny: what a process of the test says
type Said = any;

type Program = 'listener' | 'service';

/** Of each program the next process, which has loaded already: what is killed often is to be there again soon. */
const spares = new Map<Program, ChildProcess>();

function spawnSpare(name: Program): ChildProcess {
  const child = programs.start(`${name}-process`, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin?.on('error', () => {});
  spares.set(name, child);
  return child;
}

/** A process that answers each line with one, and may die by itself. */
async function startProcess(name: Program, words: readonly string[]) {
  const child = spares.get(name) ?? spawnSpare(name);
  spawnSpare(name);
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('the process has no pipes');
  const died = programs.isRunning(child) ? once(child, 'close') : Promise.resolve();
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  /** The next line it says; undefined where it died before. */
  const hear = async (): Promise<Said> => {
    const next = await lines.next();
    return next.done === true ? undefined : JSON.parse(next.value);
  };
  const ask = (line: string): Promise<Said> => {
    stdin.write(`${line}\n`);
    return hear();
  };
  const first = await ask(JSON.stringify(words));
  return {
    first,
    died,
    ask,
    isAlive: () => programs.isRunning(child),
    async end() {
      stdin.end();
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
const answers: readonly { readonly share: number; give(response: ServerResponse, random: () => number): void }[] = [
  { share: 0.08, give: (response) => response.writeHead(500).end('ok') },
  { share: 0.05, give: (response) => response.end('OK') },
  { share: 0.05, give: (response) => response.destroy() },
  {
    share: 0.05,
    give: (response) => void response.writeHead(200, { 'content-length': 2 }).write('o', () => response.destroy()),
  },
  { share: 0.1, give: (response, random) => setTimeout(() => response.end('ok\n'), random() * 15) },
  { share: 1, give: (response) => response.end('ok') },
];

/** A target that fails at random, and remembers which changes it was sent, in their order. */
async function startTarget(random: () => number) {
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
      let chance = random();
      answers
        .find(({ share }) => {
          chance -= share;
          return chance < 0;
        })
        ?.give(response, random);
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

interface Stage {
  readonly place: string;
  /** How many listeners are side by side. */
  readonly listeners: number;
  readonly kills: number;
  /** Restarts the server of the workspace, where it has one. */
  readonly restart?: (how: 'fast' | 'immediate') => Promise<void>;
}

async function killAndJudge({ place, listeners: count, kills, restart }: Stage) {
  const random = seededRandom('kills of listeners and service');
  const [one, other] = [await startTarget(random), await startTarget(random)];
  const data = mkdtempSync(join(scratch, 'data-'));
  const ports = Array.from({ length: count }, () => '0');
  const urls: string[] = [];
  const startListener = async (index: number, nth: number) => {
    const words = [place, ports[index] ?? '0', String(nth), one.url, `${other.url}?of=two`];
    const listener = await startProcess('listener', words);
    // Each webhook has a path of its own.
    urls[index] = `${listener.first.url}/${index}`;
    ports[index] = new URL(listener.first.url).port;
    return listener;
  };
  const startService = (nth: number) => startProcess('service', [data, String(nth), String(seedFrom(random)), ...urls]);

  const listeners: Running[] = [];
  for (let index = 0; index < count; index += 1) listeners.push(await startListener(index, 0));
  let service: Running = await startService(0);
  let [deaths, restarts, failures] = [0, 0, 0];
  /** Starts those that are dead again; answers whether there were any. */
  const revive = async (nth: number) => {
    for (const [index, listener] of listeners.entries()) {
      if (!listener.isAlive()) listeners[index] = await startListener(index, nth);
    }
  };
  for (let round = 0; deaths < kills; round += 1) {
    // First every write in its turn, then any; a webhook that has failed often gets through before the next kill.
    const moment = failures > 6 ? 0 : round < 40 ? round + 1 : 1 + Math.floor(random() * 60);
    const killsService = round % 8 === 7;
    const victim = round % count;
    await revive(killsService ? 0 : moment);
    if (killsService && failures <= 6) {
      await service.end();
      service = await startService(1 + Math.floor(random() * 25));
      // Both at once, now and then.
      if (round % 16 === 15) {
        await listeners[victim]?.kill();
        await revive(1 + Math.floor(random() * 20));
      }
    }
    const due = failures === 0 ? '6s' : failures < 6 ? '10m' : '17h';
    const restarting = round % 5 === 4 ? restart?.(round % 10 === 4 ? 'fast' : 'immediate') : undefined;
    if (restarting !== undefined) restarts += 1;
    const said = (await service.ask('write')) && (await service.ask(`advance ${due}`));
    await restarting;
    if (said === undefined) {
      await service.died;
      deaths += 1;
      service = await startService(0);
    } else {
      expect(said.state, 'the webhook was stopped').not.toBe('stop');
      failures = said.failures;
    }
    if (failures === 0 && listeners[victim]?.isAlive() && moment > 0 && round % 3 === 0)
      await listeners[victim]?.kill();
    // What dies of its next write dies by the time it is asked again.
    if (failures > 0) {
      const died = listeners.map((listener) => listener.died);
      await Promise.race([...died, new Promise((resolve) => setImmediate(resolve))]);
    }
    deaths += listeners.filter((listener) => !listener.isAlive()).length;
  }
  for (const listener of listeners) await listener.kill();
  await revive(0);
  for (let tries = 0; tries < 20; tries += 1) {
    const said = (await service.ask('advance 17h')) ?? {};
    if (said.state === 'ok' && said.left === 0) break;
  }
  for (const listener of listeners) {
    expect((await listener.ask('')).handedOn).toBe(true);
    await listener.end();
  }
  await service.end();

  // What the service committed, by its own outbox.
  const sandbox = await openTestSandbox({ data });
  const outbox = sandbox.core.read(({ database }) =>
    rows(database, tables.selectFrom('outbox').selectAll().where('entity', '=', 'customer_group').orderBy('seq')),
  );
  const committed = outbox.map(({ change_type, time, ...written }) => {
    const { id, name } = JSON.parse(changedOf(written));
    return { record: id, note: `${change_type} ${name}`, time };
  });
  const workspace = await openWorkspace(place);
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
    console.log(
      `${deaths} kills, ${restarts} restarts, ${committed.length} changes committed and kept, ${sent} handed on to two targets`,
    );
  }
}

it(
  'loses nothing, keeps nothing twice and hands nothing on out of order, whichever of the two is killed and when',
  () => killAndJudge({ place: join(scratch, 'workspace.db'), listeners: 1, kills }),
  Math.max(180_000, kills * 4000),
);

/** Each of these starts takes a connection, and each death leaves a lease behind. */
const killsOfTwo = Math.ceil(kills * 0.4);

it.skipIf(postgresPrograms === undefined)(
  'nor with two listeners side by side on a server that is restarted and cut off',
  async () => {
    const cluster = await startPostgres();
    onTestFinished(() => cluster.remove());
    await killAndJudge({
      place: cluster.newDatabase(),
      listeners: 2,
      kills: killsOfTwo,
      async restart(how) {
        await cluster.stop(how);
        await cluster.start();
      },
    });
  },
  Math.max(240_000, killsOfTwo * 8000),
);

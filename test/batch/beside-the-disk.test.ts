/* A batch goes on while its workspace writes, and what it has begun is written or told before it ends. */
import { expect, it, onTestFinished } from 'vitest';
import type { BatchContext } from '../../src/batch/batch-context.ts';
import { moneyAhead } from '../../src/batch/plan/choose-service.ts';
import { Tally } from '../../src/batch/send/tally.ts';
import type { Journal } from '../../src/batch/store/journal.ts';
import { type Rows, rowsOf } from '../../src/batch/store/rows.ts';
import { WorkspaceError } from '../../src/store/workspace.ts';
import { batchWorld, manyOrders } from './batch-world.ts';

type World = Awaited<ReturnType<typeof batchWorld>>;

/** Counts the requests of an operation as they leave. */
function counting(world: World, operation: string): () => number {
  let count = 0;
  world.between = (transport) => (request) => {
    if (request.url.endsWith(operation)) count += 1;
    return transport(request);
  };
  return () => count;
}

/** A context whose claims of planned rows pass through a function. */
function claimingBy(
  context: BatchContext,
  claim: (claimed: () => ReturnType<Journal['claimPlanned']>) => ReturnType<Journal['claimPlanned']>,
): BatchContext {
  return {
    ...context,
    journal(batch, rule) {
      const own = context.journal(batch, rule);
      return Object.defineProperty(
        {
          ...own,
          claimPlanned: (...given: Parameters<Journal['claimPlanned']>) => claim(() => own.claimPlanned(...given)),
        },
        'waiting',
        { get: () => own.waiting },
      );
    },
  };
}

/** Lets everything happen that waits for nothing. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const full = new WorkspaceError('workspace_full', 'no space left');

it.each([
  ['nothing of earlier runs, and nothing now', 'not_applied', [], 'not_applied'],
  ['rows that earlier runs applied', 'partial', [], 'partial'],
  ['rows that earlier runs may have applied', 'unknown', ['done'], 'unknown'],
  ['a row that was applied now', 'not_applied', ['done', 'failed'], 'partial'],
  ['a row whose outcome is not known', 'partial', ['done', 'unclear'], 'unknown'],
] as const)('counts %s', (_, earlier, states, outcome) => {
  const tally = new Tally();
  tally.earlier = earlier;
  for (const state of states) {
    tally.begin();
    tally.end(state);
  }
  expect(tally.outcome).toBe(outcome);
});

async function contextOf(world: World, changes: Parameters<World['context']>[0] = {}) {
  const context = await world.context(changes);
  onTestFinished(() => context.close());
  return context;
}

const states = async ({ rows }: BatchContext, batch: number) => {
  const all = await rows.next({ batch, after: 0, limit: 1_000 });
  return all.map(({ state }) => state);
};

it('marks the next rows while the last ones before them are sent', async () => {
  const world = await batchWorld();
  const sent = counting(world, 'CreateAndConfirmOrder');
  const atClaims: number[] = [];
  const context = claimingBy(await contextOf(world, { concurrency: 4 }), (claimed) => {
    atClaims.push(sent());
    return claimed();
  });
  const { summary } = await world.run(manyOrders(160), { context });
  expect(summary.counts).toMatchObject({ rows: 160, done: 160 });
  const [first, second = 0] = atClaims;
  expect(first).toBe(0);
  // Once three quarters of the first 128 were taken, of which some are not sent yet.
  expect(second).toBeGreaterThan(64);
  expect(second).toBeLessThanOrEqual(100);
});

it('sends nothing that is not marked, however long marking takes', async () => {
  const world = await batchWorld();
  const sent = counting(world, 'CreateAndConfirmOrder');
  let claims = 0;
  let reached = () => {};
  const allSent = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const { between } = world;
  world.between = (transport) => async (request) => {
    const answer = await between(transport)(request);
    if (sent() === 128) reached();
    return answer;
  };
  const context = claimingBy(await contextOf(world, { concurrency: 4 }), async (claimed) => {
    claims += 1;
    if (claims === 2) await allSent;
    expect(sent()).toBeLessThanOrEqual(128 * claims);
    return claimed();
  });
  expect((await world.run(manyOrders(200), { context })).summary.counts).toMatchObject({ rows: 200, done: 200 });
  expect(await world.orders()).toHaveLength(200);
});

it('gives back the rows that were marked ahead where it is stopped, and makes each order once', async () => {
  const world = await batchWorld();
  const stop = new AbortController();
  let [claims, inFlight] = [0, 0];
  let becameIdle = () => {};
  world.between = (transport) => async (request) => {
    inFlight += 1;
    try {
      return await transport(request);
    } finally {
      inFlight -= 1;
      if (inFlight === 0) becameIdle();
    }
  };
  const own = await contextOf(world, { concurrency: 4, signal: stop.signal });
  const context = claimingBy(own, async (claimed) => {
    claims += 1;
    if (claims === 2) {
      stop.abort('SIGINT');
      // The claim comes last: nothing else is under way.
      if (inFlight > 0) {
        await new Promise<void>((resolve) => {
          becameIdle = resolve;
        });
      }
      await turns();
    }
    return claimed();
  });
  const stopped = await world.run(manyOrders(180), { context });
  const { batch, counts } = stopped.summary;
  expect([stopped.stopped, counts.done + counts.left]).toEqual(['interrupted', 180]);
  const [{ number } = { number: 0 }] = await own.batches.list({ states: ['open'] });
  expect(new Set(await states(own, number))).toEqual(new Set(['done', 'planned']));
  expect(await world.orders()).toHaveLength(counts.done);
  const again = await world.run(manyOrders(180));
  expect([again.summary.batch, again.summary.counts.done]).toEqual([batch, 180]);
  expect(await world.orders()).toHaveLength(180);
});

it('stops where the next rows cannot be marked, and sends none of them', async () => {
  const world = await batchWorld();
  const sent = counting(world, 'CreateAndConfirmOrder');
  let claims = 0;
  const context = claimingBy(await contextOf(world, { concurrency: 4 }), async (claimed) => {
    claims += 1;
    if (claims === 2) throw full;
    return claimed();
  });
  const stopped = await world.run(manyOrders(180), { context }).catch((error) => error);
  expect(stopped).toMatchObject({ cause: full, code: 'workspace_full', outcome: 'partial', ends: 'partial' });
  expect(stopped.meta).toMatchObject({ applied: String(sent()), unknown: '0' });
  expect(sent()).toBeLessThanOrEqual(128);
  expect(await world.orders()).toHaveLength(sent());
  expect((await world.run(manyOrders(180))).summary.counts).toMatchObject({ rows: 180, done: 180 });
  expect(await world.orders()).toHaveLength(180);
});

it('numbers equal rows on, however far apart they are and however long the disk takes', async () => {
  const world = await batchWorld('shop');
  const own = await contextOf(world);
  const context: BatchContext = {
    ...own,
    rows: {
      ...own.rows,
      add: async (rows) => {
        await turns();
        await own.rows.add(rows);
      },
    },
  };
  const sheet = `full_name,phone\n${'Khách,0910000001\n'.repeat(2_500)}`;
  const { batch, release } = await world.plan(sheet, { context, do: 'customers create' });
  release();
  expect(await own.rows.repeated(batch.number, 'name', 0, 1)).toEqual([]);
  expect(await own.rows.contentsIn(batch.number, [(await own.rows.one(batch.number, 1))?.content ?? ''])).toEqual(
    new Map([[expect.any(String), 2_500]]),
  );
});

it.each(['add', 'choose'] as const)('is refused where the workspace is full (%s), and leaves nothing', async (step) => {
  const world = await batchWorld();
  const own = await contextOf(world);
  let calls = 0;
  const rows: Rows = {
    ...own.rows,
    [step]: async (...given: never[]) => {
      calls += 1;
      // Not at once: what follows has begun.
      await (own.rows[step] as (...all: never[]) => Promise<void>)(...given);
      throw full;
    },
  };
  await expect(world.run(manyOrders(20), { context: { ...own, rows } })).rejects.toBe(full);
  expect([calls, await own.batches.list({}), await world.orders()]).toEqual([1, [], []]);
  expect((await world.run(manyOrders(20))).summary.counts).toMatchObject({ rows: 20, done: 20 });
});

it('reads the next rows of a batch while those before them are used', async () => {
  const world = await batchWorld();
  const { workspace, ...context } = await contextOf(world);
  const planned = await world.plan(manyOrders(501), { context: { ...context, workspace } });
  planned.release();
  let reads = 0;
  const rows = rowsOf({
    ...workspace,
    read: (work) => {
      reads += 1;
      return workspace.read(work);
    },
  });
  const seen: (readonly [rows: number, reads: number])[] = [];
  for await (const page of rows.pages({ batch: planned.batch.number })) seen.push([page.length, reads]);
  expect(seen).toEqual([
    [500, 2],
    [1, 3],
  ]);
});

it('throws where the rows are asked for what reading them ahead has failed with', async () => {
  const { workspace } = await contextOf(await batchWorld());
  const rows = rowsOf({ ...workspace, read: () => Promise.reject(full) });
  await expect(rows.requests({ batch: 1 }).next()).rejects.toBe(full);
});

it('reads the requests of a plan once where nothing was sent before, and knows what they collect as they are stored', async () => {
  const world = await batchWorld();
  const own = await contextOf(world);
  const asked: string[] = [];
  const counted = <Name extends 'pages' | 'requests'>(name: Name, read: Rows[Name]) => {
    return ((query) => {
      if (query.states?.includes('planned')) asked.push(name);
      return read(query);
    }) as Rows[Name];
  };
  const { pages, requests } = own.rows;
  const rows = { ...own.rows, pages: counted('pages', pages), requests: counted('requests', requests) };
  const planned = await world.plan(manyOrders(20), { context: { ...own, rows } });
  planned.release();
  expect(asked).toEqual(['requests']);
  if (planned.kind !== 'planned') throw new TypeError('these orders were not planned before');
  expect(planned.money).toEqual(await moneyAhead(own, planned.batch));
  expect(planned.money?.total).toBeGreaterThan(0);
});

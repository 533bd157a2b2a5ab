/* Two pieces of work of one workspace share rows: the service is counted, and nobody else is asked. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BatchEvent } from '../../src/batch/batch-context.ts';
import { retry } from '../../src/batch/retry.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, resume, work } from '../../src/batch/runs.ts';
import { lockOf } from '../../src/batch/store/batches.ts';
import { planUndo } from '../../src/batch/undo.ts';
import { firstOf, ledgerAccount } from '../../src/ledger/identity.ts';
import { holderOf, setUndone } from '../../src/ledger/store/undone.ts';
import { sqlOf } from '../../src/store/kysely-sql.ts';
import { type BatchWorld, batchWorld } from './batch-world.ts';

const CREATE = 'customers create';

/** Customers with these numbers; `named` gives each an external_id. */
function customers(numbers: readonly number[], named: boolean, note = ''): string {
  const lines = numbers.map(
    (number) => `${named ? `KH-${number}` : ''},Khách ${number},09${40_000_000 + number},${note}`,
  );
  return `external_id,full_name,phone,note\n${lines.join('\n')}\n`;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** How often each phone is there: the referee. */
async function live(world: BatchWorld): Promise<number[]> {
  const { post, shop } = world.service;
  const counts = new Map<string, number>();
  for (let after = '.'; ; ) {
    const { body } = await post('shop.Customer/ListCustomers', { paging: { after } }, shop.apiKey);
    for (const { phone, deleted } of body.customers) if (!deleted) counts.set(phone, (counts.get(phone) ?? 0) + 1);
    if (body.customers.length === 0) break;
    after = body.paging.next;
  }
  return [...counts.values()];
}

async function contextOf(world: BatchWorld, changes: Parameters<BatchWorld['context']>[0] = {}) {
  const context = await world.context(changes);
  onTestFinished(() => context.close());
  return context;
}

/** Runs a file until so many of its creates were sent, then Ctrl-C. */
async function stoppedAfter(world: BatchWorld, count: number, content: string) {
  const stop = new AbortController();
  const context = await contextOf(world, { signal: stop.signal, concurrency: 1 });
  const before = world.between;
  let sent = 0;
  world.between = (transport) => async (request) => {
    if (request.url.endsWith('CreateCustomer')) {
      sent += 1;
      if (sent === count) stop.abort('SIGINT');
    }
    return before(transport)(request);
  };
  const ran = await world.run(content, { do: CREATE, context });
  world.between = before;
  return ran.summary;
}

async function resumed(world: BatchWorld, id: string) {
  const context = await contextOf(world);
  const ran = await resume(context, await batchNamed(context, id), await findWork(CREATE, 'shop'));
  return ran.summary;
}

async function rowsOf(world: BatchWorld, id: string) {
  const context = await contextOf(world);
  const { number } = await batchNamed(context, id);
  return context.rows.next({ batch: number, after: 0, limit: 1_000 });
}

describe.each([
  ['with names of their own', true],
  ['without names', false],
])('rows %s', (_, named) => {
  it('of a stopped batch are made once, if another file makes them before it is resumed', async () => {
    const world = await batchWorld('shop');
    const first = await stoppedAfter(world, 4, customers(upTo(10), named));
    expect(first.counts).toMatchObject({ done: 4, left: 6 });
    const { number } = await batchNamed(await contextOf(world), first.batch);
    const second = await world.run(customers(upTo(11), named), {
      do: CREATE,
      meeting: { again: false, continues: named ? undefined : number },
    });
    expect(second.summary.counts).toMatchObject({ existed: 4, done: 7 });
    expect((await resumed(world, first.batch)).counts).toMatchObject({ done: 4, existed: 6, left: 0 });
    expect(await live(world)).toEqual(upTo(11).map(() => 1));
    const maker = await rowsOf(world, second.summary.batch);
    const existed = (await rowsOf(world, first.batch)).filter(({ state }) => state === 'existed');
    expect(existed.map(({ id }) => id)).toEqual(maker.slice(4, 10).map(({ id }) => id));
  });

  it('of a batch that stands at its question are made once, if another file makes them meanwhile', async () => {
    const world = await batchWorld('shop');
    const context = await contextOf(world);
    const planned = await world.plan(customers(upTo(8), named), { do: CREATE, context });
    await world.run(customers(upTo(9).slice(2), named), { do: CREATE });
    const { summary } = await work(context, planned.batch, await findWork(CREATE, 'shop'));
    planned.release();
    expect(summary.counts).toMatchObject({ done: 2, existed: 6, left: 0 });
    expect(await live(world)).toEqual(upTo(9).map(() => 1));
  });

  it('of two batches that send at the same time are made once', async () => {
    const world = await batchWorld('shop');
    const [one, other] = [await contextOf(world), await contextOf(world)];
    const first = await world.plan(customers(upTo(30), named), { do: CREATE, context: one });
    const second = await world.plan(customers(upTo(40).reverse(), named), { do: CREATE, context: other });
    const rowWork = await findWork(CREATE, 'shop');
    const ends = await Promise.all([work(one, first.batch, rowWork), work(other, second.batch, rowWork)]);
    first.release();
    second.release();
    expect(await live(world)).toEqual(upTo(40).map(() => 1));
    const count = (what: 'done' | 'existed') => ends.reduce((sum, { summary }) => sum + summary.counts[what], 0);
    expect([count('done'), count('existed')]).toEqual([40, 30]);
  });

  it('that failed are made once, if the whole corrected file was run before they are retried', async () => {
    const world = await batchWorld('shop');
    let refused = 0;
    world.between = (transport) => async (request) => {
      if (!request.url.endsWith('CreateCustomer') || refused >= 3) return transport(request);
      refused += 1;
      return { status: 400, headers: {}, body: '{"code":"invalid_argument","msg":"no"}' };
    };
    const context = await contextOf(world, { concurrency: 1 });
    const first = await world.run(customers(upTo(6), named), { do: CREATE, context });
    expect(first.summary.counts).toMatchObject({ failed: 3, done: 3 });
    const { number } = await batchNamed(context, first.summary.batch);
    await world.run(customers(upTo(7), named), {
      do: CREATE,
      meeting: { again: false, continues: named ? undefined : number },
    });
    const again = await retry(context, await batchNamed(context, first.summary.batch), await findWork(CREATE, 'shop'));
    expect(again.summary.counts).toMatchObject({ done: 3, existed: 3, failed: 0 });
    expect(await live(world)).toEqual(upTo(7).map(() => 1));
  });
});

it('is told as different, and not sent, where another file made the name with another content meanwhile', async () => {
  const world = await batchWorld('shop');
  const first = await stoppedAfter(world, 2, customers(upTo(5), true));
  await world.run(customers([4, 5, 6], true, 'changed'), { do: CREATE });
  const { counts } = await resumed(world, first.batch);
  expect(counts).toMatchObject({ done: 3, failed: 2, existed: 0 });
  const rows = await rowsOf(world, first.batch);
  expect(rows.slice(3).map(({ error_code, error_message }) => [error_code, error_message])).toEqual(
    [0, 1].map(() => ['differs', expect.stringContaining('note')]),
  );
  expect(await live(world)).toEqual(upTo(6).map(() => 1));
});

describe('equal rows', () => {
  const twice = (count: number) =>
    customers(
      Array.from({ length: count }, () => 1),
      false,
    );
  /** A batch of two equal rows of which the first was refused and the second was made. */
  async function oneRefused() {
    const world = await batchWorld('shop');
    let refused = 0;
    world.between = (transport) => async (request) => {
      if (!request.url.endsWith('CreateCustomer') || refused > 0) return transport(request);
      refused += 1;
      return { status: 400, headers: {}, body: '{"code":"invalid_argument","msg":"no"}' };
    };
    const { summary } = await world.run(twice(2), { do: CREATE, context: await contextOf(world, { concurrency: 1 }) });
    expect(summary.counts).toMatchObject({ failed: 1, done: 1 });
    return { world, first: summary.batch };
  }

  it('are all made again where that is said, though one of the first was refused', async () => {
    const { world } = await oneRefused();
    const { summary } = await world.run(twice(2), { do: CREATE, meeting: { again: true } });
    expect(summary.counts).toMatchObject({ done: 2, existed: 0 });
    expect(await live(world)).toEqual([3]);
    const once = await world.run(twice(2), { do: CREATE, meeting: { again: true } });
    expect([once.summary.counts.done, await live(world)]).toEqual([2, [5]]);
  });

  it('continue a batch of which one was refused: it is sent, and so is one more', async () => {
    const { world, first } = await oneRefused();
    const { number } = await batchNamed(await contextOf(world), first);
    const { summary } = await world.run(twice(3), { do: CREATE, meeting: { again: false, continues: number } });
    expect(summary.counts).toMatchObject({ done: 2, existed: 1 });
    expect(await live(world)).toEqual([3]);
  });
});

it('makes a row once that two files add, each of which goes on with the first one', async () => {
  const world = await batchWorld('shop');
  const first = await world.run(customers([1, 2], false), { do: CREATE });
  const { number } = await batchNamed(await contextOf(world), first.summary.batch);
  const meeting = { again: false, continues: number };
  const second = await world.run(customers([1, 3], false), { do: CREATE, meeting });
  expect(second.summary.counts).toMatchObject({ done: 1, existed: 1 });
  const third = await world.run(customers([2, 3], false), { do: CREATE, meeting });
  expect(third.summary.counts).toMatchObject({ done: 0, existed: 2 });
  expect(await live(world)).toEqual([1, 1, 1]);
});

/** What has ended is sent again. */
const resent = { resend_ended: { undone: 'send', cancelled: 'send' } } as const;

it('makes an undone row of a batch again that is gone on with, and not the equal one beside it', async () => {
  const world = await batchWorld('shop');
  const content = customers([1, 1, 2], false);
  const { summary } = await world.run(content, { do: CREATE });
  const context = await contextOf(world);
  const { number } = await batchNamed(context, summary.batch);
  const [first] = await rowsOf(world, summary.batch);
  if (first === undefined) throw new TypeError('the batch has no rows');
  const { shop, post } = world.service;
  await post('shop.Customer/DeleteCustomer', { id: first.id }, shop.apiKey);
  const undoing = { account: ledgerAccount(context.account), resource: 'Customer', at: 0 };
  const isServer = context.workspace.serverTime !== undefined;
  await context.workspace.write((database) => setUndone(sqlOf(database, isServer), undoing, [holderOf(first)]));
  const meeting = { again: false, continues: number };
  const left = await world.run(content, { do: CREATE, meeting });
  expect([left.summary.counts, await live(world)]).toMatchObject([{ done: 0, existed: 2, ended: 1 }, [1, 1]]);
  const again = await world.run(content, { do: CREATE, meeting, answers: resent });
  expect([again.summary.counts, await live(world)]).toMatchObject([{ done: 1, existed: 2 }, [2, 1]]);
});

it('makes undone rows again under names that were never used, each once', async () => {
  const world = await batchWorld('shop');
  const first = await world.run(customers(upTo(3), false), { do: CREATE });
  const context = await contextOf(world);
  const planned = await planUndo(context, await batchNamed(context, first.summary.batch), undefined);
  await work(context, planned.batch, planned.work);
  planned.release();
  const second = await world.run(customers(upTo(3), false), { do: CREATE, answers: resent });
  expect(second.summary.counts).toMatchObject({ done: 3, existed: 0 });
  expect(await live(world)).toEqual([1, 1, 1]);
  const names = [first, second].map(({ summary }) => summary.batch).map((id) => rowsOf(world, id));
  const all = (await Promise.all(names)).flat().map(({ name }) => name);
  expect(new Set(all).size).toBe(6);
});

it('retries a batch only when nobody else works on it, by whatever file', async () => {
  const world = await batchWorld('shop');
  const context = await contextOf(world);
  const { summary } = await world.run(customers([1], true), { do: CREATE });
  const batch = await batchNamed(context, summary.batch);
  const release = await context.workspace.hold(lockOf(batch), {});
  const happened: string[] = [];
  const tell = ({ event }: BatchEvent) => {
    happened.push(event);
    if (event === 'waiting') release();
  };
  await retry({ ...(await contextOf(world)), tell }, batch, await findWork(CREATE, 'shop'));
  expect(happened).toEqual(['waiting', 'nothing']);
});

it('reads a row that existed as undone when its maker is undone', async () => {
  const world = await batchWorld('shop');
  const first = await stoppedAfter(world, 1, customers(upTo(3), true));
  const second = await world.run(customers(upTo(4), true), { do: CREATE });
  await resumed(world, first.batch);
  const context = await contextOf(world);
  const planned = await planUndo(context, await batchNamed(context, second.summary.batch), undefined);
  await work(context, planned.batch, planned.work);
  planned.release();
  expect((await rowsOf(world, first.batch)).map(({ state }) => state)).toEqual(['done', 'undone', 'undone']);
  expect(await live(world)).toEqual([1]);
});

it('knows what a forgotten batch has sent, though not its content', async () => {
  const world = await batchWorld('shop');
  const { summary } = await world.run(customers(upTo(3), true), { do: CREATE });
  const context = await contextOf(world);
  expect(await context.batches.forget((await batchNamed(context, summary.batch)).number, firstOf)).toBe('forgotten');
  const changed = customers(upTo(4), true).replace('Khách 3', 'Khách ba');
  const again = await world.run(changed, { do: CREATE });
  expect(again.summary.counts).toMatchObject({ existed: 2, failed: 1, done: 1 });
  expect(await live(world)).toEqual([1, 1, 1, 1]);
});

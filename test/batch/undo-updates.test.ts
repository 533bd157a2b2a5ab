import { expect, it } from 'vitest';
import { retry } from '../../src/batch/retry.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, resumeHeld, work } from '../../src/batch/runs.ts';
import { planUndo } from '../../src/batch/undo.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { batchWorld } from './batch-world.ts';

const UPDATE = 'UpdateCustomer';

/** Customers whose notes a batch has changed from `old N` to `new N`. */
async function updated(count: number) {
  const world = await batchWorld('shop');
  const call = async (operation: string, body: object) =>
    (await world.service.post(`shop.Customer/${operation}`, body, world.service.shop.apiKey)).body;
  const ids: string[] = [];
  for (let at = 1; at <= count; at += 1) {
    const request = { full_name: `Khách ${at}`, phone: `09012345${String(at).padStart(2, '0')}`, note: `old ${at}` };
    ids.push((await call('CreateCustomer', request)).id);
  }
  const sheet = `id,note,email\n${ids.map((id, at) => `${id},new ${at + 1},k${at + 1}@example.com\n`).join('')}`;
  const run = () => world.run(sheet, { do: 'customers update' });
  const { summary } = await run();
  const made = summary.batch;
  const notes = async () => {
    const found = await Promise.all(ids.map((id) => call('GetCustomer', { id })));
    return found.map(({ note, email }) => [note, email].filter(Boolean).join(' '));
  };
  async function using<Result>(use: (context: Awaited<ReturnType<typeof world.context>>) => Promise<Result>) {
    const context = await world.context({ concurrency: 1 });
    try {
      return await use(context);
    } finally {
      await context.close();
    }
  }
  const states = (id: string) =>
    using(async (context) => {
      const { number } = await batchNamed(context, id);
      return (await context.rows.next({ batch: number, after: 0, limit: 100 })).map(({ state }) => state);
    });
  /** Plans the undo, and runs it after `between`. */
  const undo = (between: () => Promise<unknown> = async () => {}) =>
    using(async (context) => {
      const planned = await planUndo(context, await batchNamed(context, made), undefined);
      try {
        await between();
        const ran = await work(context, planned.batch, planned.work);
        return { planned, ...ran };
      } finally {
        planned.release();
      }
    });
  /** The updates that reach the service from here on, each through `answer`. */
  function conflictOf(answer: (apply: () => Promise<unknown>, call: number) => Promise<unknown>) {
    let calls = 0;
    world.between = (transport) => async (request) => {
      if (!request.url.endsWith(UPDATE)) return transport(request);
      calls += 1;
      return (await answer(() => transport(request), calls)) as never;
    };
    return () => calls;
  }
  return { world, call, ids, made, notes, states, undo, using, conflictOf, run };
}

const old = (count: number) => Array.from({ length: count }, (_, at) => `old ${at + 1}`);
const lost = () => new TransportError('closed', 'maybe', 'cut off');

it('restores the values before an update, each record once, and offers the same file again', async () => {
  const { made, notes, states, undo, conflictOf, run } = await updated(3);
  expect(await notes()).toEqual([1, 2, 3].map((at) => `new ${at} k${at}@example.com`));
  const calls = conflictOf((apply) => apply());
  const { summary } = await undo();
  expect(summary).toMatchObject({ do: 'undo customers update', state: 'finished', counts: { rows: 3, done: 3 } });
  expect([calls(), await notes()]).toEqual([3, old(3)]);
  expect(await states(made)).toEqual(['undone', 'undone', 'undone']);
  await expect(undo()).rejects.toMatchObject({ code: 'nothing_made' });
  const { summary: again } = await run();
  expect(again.batch).not.toBe(made);
  expect([again.counts.done, calls()]).toEqual([3, 6]);
});

it('does not overwrite what somebody else has changed since, before the undo is planned and after', async () => {
  const { call, ids, made, notes, states, undo, conflictOf } = await updated(4);
  const change = (at: number, note: string) => call(UPDATE, { id: ids[at], note });
  await change(0, 'by Mai');
  await call(UPDATE, { id: ids[2], note: 'old 3', email: '' });
  const calls = conflictOf((apply) => apply());
  const { planned, summary } = await undo(() => change(1, 'by Cúc'));
  expect(planned.left.map(({ message }) => message)).toEqual(['it was changed since (note): nothing was overwritten']);
  expect(summary.counts).toMatchObject({ done: 1, existed: 1, failed: 2 });
  expect([calls(), await notes()]).toEqual([1, ['by Mai k1@example.com', 'by Cúc k2@example.com', 'old 3', 'old 4']]);
  expect(await states(made)).toEqual(['done', 'done', 'undone', 'undone']);
});

it('looks again before each attempt: what was changed during an outage is not overwritten', async () => {
  const { call, ids, notes, undo, conflictOf } = await updated(1);
  const calls = conflictOf(async (apply, count) => {
    if (count > 1) return apply();
    await call(UPDATE, { id: ids[0], note: 'by Mai' });
    return { status: 429, headers: {}, body: '{"code":"resource_exhausted","msg":"slow down"}' };
  });
  const { summary } = await undo();
  expect([calls(), summary.counts.done, await notes()]).toEqual([1, 0, ['by Mai k1@example.com']]);
});

it.each(['before', 'after'] as const)('settles an answer that is lost %s it happened by reading', async (when) => {
  const { made, notes, states, undo, conflictOf } = await updated(3);
  let reached = 0;
  conflictOf(async (apply, count) => {
    const isLost = count === 1;
    if (isLost && when === 'before') throw lost();
    reached += 1;
    const answer = await apply();
    if (isLost) throw lost();
    return answer;
  });
  const { summary } = await undo();
  expect([reached, summary.counts.done, await notes()]).toEqual([3, 3, old(3)]);
  expect(await states(made)).toEqual(['undone', 'undone', 'undone']);
});

it('is unclear, and overwrites nothing, where an answer is lost and the record is changed meanwhile', async () => {
  const { call, ids, made, notes, states, undo, conflictOf } = await updated(1);
  const calls = conflictOf(async () => {
    await call(UPDATE, { id: ids[0], note: 'by Mai' });
    throw lost();
  });
  const { summary } = await undo();
  expect([calls(), summary.counts.unclear, await notes()]).toEqual([1, 1, ['by Mai k1@example.com']]);
  expect(await states(made)).toEqual(['done']);
});

it.each(['before', 'after'] as const)('goes on where it was killed %s a record was restored', async (when) => {
  const { world, made, notes, states, conflictOf } = await updated(4);
  let [hung, reached] = [false, 0];
  conflictOf(async (apply, count) => {
    const hang = () => {
      hung = true;
      return new Promise<never>(() => {});
    };
    if (count === 2 && when === 'before') return hang();
    reached += 1;
    const answer = await apply();
    return count === 2 ? hang() : answer;
  });
  const killed = await world.context({ concurrency: 1, lease: { leaseMs: 20_000, heartbeatMs: 1_000_000_000 } });
  const planned = await planUndo(killed, await batchNamed(killed, made), undefined);
  void work(killed, planned.batch, planned.work);
  await expect.poll(() => hung).toBe(true);
  const context = await world.context();
  // The process that hangs still holds the batch; a crash would have let go of it.
  const { summary } = await resumeHeld(context, await batchNamed(context, planned.batch.id), planned.work);
  await context.close();
  expect([reached, summary.counts, await notes()]).toEqual([4, expect.objectContaining({ done: 4 }), old(4)]);
  expect(await states(made)).toEqual(['undone', 'undone', 'undone', 'undone']);
});

it('marks the rows as undone that a retry of the undo restores', async () => {
  const { made, notes, states, undo, using, conflictOf } = await updated(2);
  conflictOf(async (apply, count) =>
    count === 1 ? { status: 412, headers: {}, body: '{"code":"failed_precondition","msg":"not now"}' } : apply(),
  );
  const { summary } = await undo();
  expect(summary.counts).toMatchObject({ done: 1, failed: 1 });
  await using(async (context) =>
    retry(context, await batchNamed(context, summary.batch), await findWork(summary.do, 'shop')),
  );
  expect([await notes(), await states(made)]).toEqual([old(2), ['undone', 'undone']]);
});

it('stores the values anew that a retry of an update replaces', async () => {
  const { call, ids, notes, undo, using, conflictOf, world, made } = await updated(1);
  await undo();
  conflictOf(async () => ({ status: 412, headers: {}, body: '{"code":"failed_precondition","msg":"not now"}' }));
  const { summary } = await world.run(`id,note\n${ids[0]},second\n`, { do: 'customers update' });
  expect(summary.counts.failed).toBe(1);
  await call(UPDATE, { id: ids[0], note: 'by Mai' });
  conflictOf((apply) => apply());
  await using(async (context) => {
    const batch = await batchNamed(context, summary.batch);
    await retry(context, batch, await findWork(batch.do, 'shop'));
    const planned = await planUndo(context, await batchNamed(context, summary.batch), undefined);
    await work(context, planned.batch, planned.work);
    planned.release();
  });
  expect([made === summary.batch, await notes()]).toEqual([false, ['by Mai']]);
});

it('leaves what was changed by a version that stored no values, and says so', async () => {
  const { made, notes, undo, using } = await updated(1);
  await using(async (context) => {
    const { number } = await batchNamed(context, made);
    const [row] = await context.rows.next({ batch: number, after: 0, limit: 1 });
    if (row !== undefined) await context.rows.replace([{ ...row, old_values: null }]);
  });
  const { planned, summary } = await undo();
  expect(planned.left).toMatchObject([{ message: 'what it changed was not stored' }]);
  expect([summary.counts.failed, await notes()]).toEqual([1, ['new 1 k1@example.com']]);
});

it('cannot undo an undo: the file does that', async () => {
  const { undo, using } = await updated(1);
  const { summary } = await undo();
  await using(async (context) =>
    expect(planUndo(context, await batchNamed(context, summary.batch), undefined)).rejects.toMatchObject({
      code: 'no_way_back',
    }),
  );
});

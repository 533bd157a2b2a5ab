import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BatchContext } from '../../src/batch/batch-context.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { resume } from '../../src/batch/runs.ts';
import type { Journal } from '../../src/batch/store/journal.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { batchWorld, manyOrders, orderCells, orderSheet, places, plainOptions } from './batch-world.ts';

type World = Awaited<ReturnType<typeof batchWorld>>;

/** Breaks calls of an operation; `nth` counts them from 1. */
function breaking(
  world: World,
  operation: string,
  act: (nth: number) => 'pass' | 'drop-before' | 'drop-after' | object,
) {
  let count = 0;
  world.between = (transport) => async (request) => {
    if (!request.url.endsWith(operation)) return transport(request);
    count += 1;
    const action = act(count);
    if (action === 'pass') return transport(request);
    if (action === 'drop-before') throw new TransportError('closed', 'maybe', 'cut off');
    if (action === 'drop-after') {
      await transport(request);
      throw new TransportError('closed', 'maybe', 'cut off');
    }
    return { status: 503, headers: {}, body: '', ...action };
  };
  return () => count;
}

const names = async (world: World) => (await world.orders()).map(({ external_id }) => external_id).sort();
const phones = async (world: World) =>
  (await world.orders()).map(({ shipping_address }) => shipping_address.phone).sort();
const expectedPhones = (count: number) => Array.from({ length: count }, (_, index) => `09${10_000_001 + index}`).sort();

describe.each([
  ['with names of their own', true],
  ['without names', false],
])('rows %s', (_, named) => {
  it.each(['drop-before', 'drop-after'] as const)(
    'are made once, where every third answer is lost: %s',
    async (action) => {
      const world = await batchWorld();
      breaking(world, 'CreateAndConfirmOrder', (nth) => (nth % 3 === 0 ? action : 'pass'));
      const { summary } = await world.run(manyOrders(12, named));
      expect(summary.counts).toMatchObject({ rows: 12, done: 12, failed: 0, unclear: 0, left: 0 });
      expect(await phones(world)).toEqual(expectedPhones(12));
    },
  );

  it('are the same batch in another order, under another name, sent again', async () => {
    const world = await batchWorld();
    const first = await world.run(manyOrders(6, named));
    const calls = breaking(world, 'CreateAndConfirmOrder', () => 'pass');
    const rows = Array.from({ length: 6 }, (_, index) => orderCells(6 - index, named ? undefined : ''));
    const planned = await world.plan(orderSheet(rows), { name: 'renamed.csv' });
    expect([planned.kind, planned.batch.id, planned.batch.state]).toEqual(['known', first.summary.batch, 'finished']);
    planned.release();
    expect([calls(), (await world.orders()).length]).toEqual([0, 6]);
  });

  it('are each of their own, where rows of one file are equal', async () => {
    const world = await batchWorld();
    const equal = orderCells(1, '');
    const { summary } = await world.run(
      orderSheet(named ? [orderCells(1, 'SO-A'), orderCells(1, 'SO-B')] : [equal, equal]),
    );
    expect([summary.counts.done, (await world.orders()).length]).toEqual([2, 2]);
  });
});

it('shares commits: each claim takes along what became of the rows before it', async () => {
  const world = await batchWorld();
  const context = await world.context({ concurrency: 8 });
  const claims: number[] = [];
  let [reported, flushes] = [0, 0];
  const journal: BatchContext['journal'] = (batch, rule): Journal => {
    const own = context.journal(batch, rule);
    return {
      readUndone: () => own.readUndone(),
      rewrite: (...given) => own.rewrite(...given),
      judge: (rows) => own.judge(rows),
      name: (rows) => own.name(rows),
      tell: (outcome) => {
        reported += 1;
        return own.tell(outcome);
      },
      get waiting() {
        return own.waiting;
      },
      claimLeft: (...given) => own.claimLeft(...given),
      claimPlanned: async (...given) => {
        const found = await own.claimPlanned(...given);
        claims.push(found.rows.length);
        return found;
      },
      flush: async () => {
        if (own.waiting > 0) flushes += 1;
        await own.flush();
      },
    };
  };
  const { summary } = await world.run(manyOrders(300, true), { context: { ...context, journal } });
  await context.close();
  expect(summary.counts).toMatchObject({ rows: 300, done: 300 });
  // The last claim finds nothing more; what is in flight then is told at the end. Workers that share rows claim fewer.
  const [most = 0] = claims;
  expect([128, 32]).toContain(most);
  const full = Array.from({ length: Math.floor(300 / most) }, () => most);
  expect(claims).toEqual([...full, 300 % most, 0]);
  expect(reported).toBe(300);
  expect(flushes).toBeLessThanOrEqual(1);
});

it('gives no row a name that has its place or the name of the file in it', async () => {
  const [one, other] = [await batchWorld(), await batchWorld()];
  await one.run(manyOrders(4, false));
  await other.run(orderSheet([4, 3, 2, 1].map((number) => orderCells(number, ''))), { name: 'other.csv' });
  expect(await names(one)).toEqual(await names(other));
  expect((await names(one)).every((name) => /^shopctl-r1-[0-9a-f]{20}$/.test(name))).toBe(true);
});

it('looks up before it sends what an earlier run may have sent', async () => {
  const world = await batchWorld();
  const stopped = new AbortController();
  // It hangs and says nothing any more: where machines share the workspace, its lease runs out.
  const lease = { leaseMs: 20_000, heartbeatMs: 1_000_000_000 };
  const context = await world.context({ signal: stopped.signal, concurrency: 4, lease });
  let sent = 0;
  world.between = (transport) => async (request) => {
    if (!request.url.endsWith('CreateAndConfirmOrder')) return transport(request);
    sent += 1;
    const place = sent;
    const answer = await transport(request);
    // What is under way stays without an answer for good, as after a crash.
    return place > 3 ? new Promise(() => {}) : answer;
  };
  void world.run(manyOrders(8, false), { context });
  await expect.poll(() => sent).toBeGreaterThanOrEqual(7);
  const seen: string[] = [];
  world.between = (transport) => (request) => {
    seen.push(request.url.split('/').at(-1) ?? '');
    return transport(request);
  };
  const again = await world.context();
  const [batch] = await again.batches.list({ states: ['open'] });
  if (batch === undefined) throw new Error('the batch is open');
  // The process that hangs still holds the batch; a crash would have let go of it.
  const { resumeHeld } = await import('../../src/batch/runs.ts');
  const { summary } = await resumeHeld(again, batch, await findWork('ship', 'partner'));
  expect(summary.counts).toMatchObject({ rows: 8, done: 8, left: 0 });
  expect(seen.indexOf('GetOrder')).toBeLessThan(seen.indexOf('CreateAndConfirmOrder'));
  expect(await phones(world)).toEqual(expectedPhones(8));
  await again.close();
});

describe('another file', () => {
  it('that shares rows without names is a question, with its counts, and leaves no batch', async () => {
    const world = await batchWorld();
    const first = await world.run(manyOrders(5, false));
    const corrected = orderSheet(
      [1, 2, 3, 4, 5].map((number) =>
        orderCells(number, '').map((cell) => (number === 5 && cell === '2' ? '3' : cell)),
      ),
    );
    await expect(world.plan(corrected)).rejects.toMatchObject({
      code: 'rows_shared',
      kind: 'policy',
      meta: { batch: first.summary.batch, same: '4', new: '1', similar: '1' },
    });
    const context = await world.context();
    expect(await context.batches.list({ states: ['planning', 'open'] })).toEqual([]);
    expect((await world.orders()).length).toBe(5);

    const batch = (await context.batches.list({}))[0];
    const continued = await world.run(corrected, { meeting: { again: false, continues: batch?.number } });
    expect(continued.summary.counts).toMatchObject({ existed: 4, done: 1 });
    expect((await world.orders()).length).toBe(6);
    await context.close();
  });

  it('with next week’s equal orders makes them again, once each, where that is said', async () => {
    const world = await batchWorld();
    await world.run(manyOrders(3, false));
    await expect(world.plan(manyOrders(2, false))).rejects.toMatchObject({ code: 'rows_shared' });
    const again = await world.run(manyOrders(3, false), { meeting: { again: true } });
    expect(again.summary.counts).toMatchObject({ done: 3 });
    expect(new Set(await names(world)).size).toBe(6);
  });

  it('takes rows that the user named and this workspace has done for done, without a call', async () => {
    const world = await batchWorld();
    await world.run(manyOrders(3));
    const calls = breaking(world, 'CreateAndConfirmOrder', () => 'pass');
    const { summary } = await world.run(manyOrders(4));
    expect([summary.counts.existed, summary.counts.done, calls()]).toEqual([3, 1, 1]);
  });

  it('with another content under the same name is refused for that row, and the fields are named', async () => {
    const world = await batchWorld();
    await world.run(manyOrders(2));
    const changed = orderCells(1).map((cell) => (cell === '0910000001' ? '0919999999' : cell));
    const context = await world.context();
    const { summary } = await world.run(orderSheet([changed, orderCells(2), orderCells(3)]), { context });
    expect(summary.counts).toMatchObject({ failed: 1, existed: 1, done: 1 });
    const [batch] = await context.batches.list({});
    const row = await context.rows.one(batch?.number ?? 0, 1);
    expect([row?.error_code, row?.error_message]).toEqual([
      'differs',
      expect.stringMatching(
        /^SO-1 was sent before, and differs in (?:.+, )?shipping_address\.phone \(0910000001 → 0919999999\)/,
      ),
    ]);
    expect((await world.orders()).length).toBe(3);
    await context.close();
  });

  it('of another machine finds by the service what is there, compared by phone and address too', async () => {
    const [one] = [await batchWorld()];
    await one.run(manyOrders(2));
    // Another workspace knows nothing of the first.
    const other = await one.context({ workspace: await places.next(join(one.directory, 'other')) });
    const moved = orderCells(2).map((cell) => (cell === '2 ngõ 5' ? '99 ngõ 5' : cell));
    const { summary } = await one.run(orderSheet([orderCells(1), moved]), { context: other });
    expect(summary.counts).toMatchObject({ existed: 1, failed: 1, done: 0 });
    const row = await other.rows.one((await other.batches.list({}))[0]?.number ?? 0, 2);
    expect([row?.error_code, row?.error_message]).toEqual(['differs', expect.stringContaining('address1')]);
    expect((await one.orders()).length).toBe(2);
    await other.close();
  });
});

it('refuses to take for done what a service that was set up anew does not have', async () => {
  const world = await batchWorld();
  await world.run(manyOrders(2));
  breaking(world, 'GetOrder', () => ({ status: 404, body: '{"code":"not_found","msg":"no order"}' }));
  const planned = await world.plan(manyOrders(2));
  const context = await world.context();
  planned.release();
  await expect(resume(context, planned.batch, await findWork('ship', 'partner'))).rejects.toMatchObject({
    code: 'records_gone',
  });
  await expect(world.plan(manyOrders(3))).rejects.toMatchObject({ code: 'records_gone' });
  await context.close();
});

it('looks again where the look at an earlier row is cut off', async () => {
  const world = await batchWorld();
  await world.run(manyOrders(2));
  const lookups = breaking(world, 'GetOrder', (nth) => (nth === 1 ? 'drop-before' : 'pass'));
  const { summary } = await world.run(manyOrders(3));
  expect([lookups(), summary.counts]).toEqual([3, expect.objectContaining({ rows: 3, existed: 2, done: 1 })]);
});

it('does not say of a row that it was refused where its first request may still arrive', async () => {
  const world = await batchWorld();
  breaking(world, 'CreateAndConfirmOrder', (nth) =>
    nth === 1 ? 'drop-before' : { status: 412, body: '{"code":"failed_precondition","msg":"no credit"}' },
  );
  const { summary } = await world.run(manyOrders(1));
  expect(summary.counts).toMatchObject({ unclear: 1, failed: 0, done: 0 });
});

describe('a refusal', () => {
  it('is final for its row and stops no other', async () => {
    const world = await batchWorld();
    breaking(world, 'CreateAndConfirmOrder', (nth) =>
      nth === 2 ? { status: 412, body: '{"code":"failed_precondition","msg":"no"}' } : 'pass',
    );
    const { summary } = await world.run(manyOrders(6));
    expect(summary.counts).toMatchObject({ done: 5, failed: 1, left: 0 });
    expect(summary.state).toBe('finished');
  });

  it('of the key stops the batch, and leaves the rest untouched', async () => {
    const world = await batchWorld();
    breaking(world, 'CreateAndConfirmOrder', (nth) =>
      nth >= 3 ? { status: 401, body: '{"code":"unauthenticated","msg":"no"}' } : 'pass',
    );
    const context = await world.context({ concurrency: 1 });
    const { summary, failure } = await world.run(manyOrders(6), { context });
    expect([summary.counts.done, summary.counts.left, summary.counts.failed]).toEqual([2, 4, 0]);
    expect(failure).toMatchObject({ code: 'unauthenticated' });
    const [batch] = await context.batches.list({});
    expect(await context.rows.any(batch?.number ?? 0, ['sending'])).toBe(false);
    await context.close();
  });

  it('for too many calls slows down, waits as long as it is told, and fails no row', async () => {
    const world = await batchWorld();
    breaking(world, 'CreateAndConfirmOrder', (nth) =>
      nth % 4 === 2
        ? { status: 429, headers: { 'retry-after': '7' }, body: '{"code":"resource_exhausted","msg":"slow"}' }
        : 'pass',
    );
    const { summary } = await world.run(manyOrders(12));
    expect(summary.counts).toMatchObject({ done: 12, failed: 0, unclear: 0 });
    expect(world.events.filter(({ event }) => event === 'throttled').length).toBeGreaterThan(0);
    expect(Math.max(...world.clock.waits)).toBeGreaterThanOrEqual(6_900);
    expect((await world.orders()).length).toBe(12);
  });
});

describe('a service that is away', () => {
  it('for two minutes is waited for, told once, and costs no row', async () => {
    const world = await batchWorld();
    const until = world.clock.now() + 120_000;
    let sent = 0;
    world.between = (transport) => async (request) => {
      if (request.url.endsWith('CreateAndConfirmOrder')) sent += 1;
      if (sent >= 3 && world.clock.now() < until) throw new TransportError('refused', 'no', 'refused');
      return transport(request);
    };
    const { summary } = await world.run(manyOrders(8, false));
    expect(summary.counts).toMatchObject({ done: 8, failed: 0, unclear: 0 });
    expect(world.events.filter(({ event }) => event === 'away')).toHaveLength(1);
    expect(await phones(world)).toEqual(expectedPhones(8));
  });

  it('for longer stops the batch; a resume sends the rest', async () => {
    const world = await batchWorld();
    breaking(world, 'CreateAndConfirmOrder', (nth) => {
      if (nth <= 2) return 'pass';
      throw new TransportError('refused', 'no', 'refused');
    });
    const context = await world.context({ maxOutageMs: 60_000 });
    const { summary, failure } = await world.run(manyOrders(6), { context });
    expect([summary.counts.done, summary.counts.left, summary.state]).toEqual([2, 4, 'unfinished']);
    expect(failure).toMatchObject({ kind: 'network' });
    world.between = (transport) => transport;
    const [batch] = await context.batches.list({});
    if (batch === undefined) throw new Error('it is there');
    const again = await resume(context, batch, await findWork('ship', 'partner'));
    expect(again.summary.counts).toMatchObject({ done: 6, left: 0 });
    expect((await world.orders()).length).toBe(6);
    await context.close();
  });
});

describe('a fee that changed since it was planned', () => {
  /** Quotes cost so much more, or less, from the moment that sending begins; the service takes any fee. */
  function dearer(world: World, more: number) {
    let sending = false;
    world.between = (transport) => async (request) => {
      if (request.url.endsWith('CreateAndConfirmOrder')) {
        sending = true;
        const body = JSON.parse(request.body);
        const real = body.shipping.shipping_service_fee;
        if (body.order_note !== 'agreed' && real < 1_000_000 && !body.shipping.shipping_service_name?.endsWith('+')) {
          return { status: 400, headers: {}, body: '{"code":"invalid_argument","msg":"the fee is another one"}' };
        }
        body.shipping.shipping_service_fee = real - more;
        body.shipping.shipping_service_name = undefined;
        return transport({ ...request, body: JSON.stringify(body) });
      }
      const answer = await transport(request);
      if (!sending || !request.url.endsWith('GetShippingServices')) return answer;
      const body = JSON.parse(answer.body);
      for (const service of body.services) {
        service.fee += more;
        service.name += '+';
      }
      return { ...answer, body: JSON.stringify(body) };
    };
  }

  it('is chosen anew by the same policy where it is lower', async () => {
    const world = await batchWorld();
    dearer(world, -500);
    const { summary } = await world.run(manyOrders(3));
    expect(summary.counts).toMatchObject({ done: 3, failed: 0 });
  });

  it.each([undefined, 1_000_000])('is refused above what was agreed to, though --max-fee is %s', async (maxFee) => {
    const world = await batchWorld();
    dearer(world, 1);
    const context = await world.context();
    const options = maxFee === undefined ? plainOptions : { ...plainOptions, maxFee };
    const { summary } = await world.run(manyOrders(3), { context, options });
    expect(summary.counts).toMatchObject({ done: 0, failed: 3 });
    const row = await context.rows.one((await context.batches.list({}))[0]?.number ?? 0, 1);
    expect(row?.error_code).toBe('price_changed');
    expect(await world.orders()).toEqual([]);
    await context.close();
  });

  it('is refused above --max-fee, by its code', async () => {
    const world = await batchWorld();
    const planned = await world.plan(manyOrders(1));
    const context = await world.context();
    const [share] = await context.batches.shares(planned.batch.number);
    await context.batches.remove(planned.batch.number);
    planned.release();
    dearer(world, 500);
    const options = { ...plainOptions, maxFee: share?.fees ?? 0 };
    const { summary } = await world.run(manyOrders(3), { options, context });
    expect(summary.counts).toMatchObject({ done: 0, failed: 3 });
    const row = await context.rows.one((await context.batches.list({}))[0]?.number ?? 0, 1);
    expect(row?.error_code).toBe('price_changed');
    await context.close();
  });
});

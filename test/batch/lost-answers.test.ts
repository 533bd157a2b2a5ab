/* What a batch says of rows whose answers were lost, whatever ends it, and what a resume makes of them. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BatchContext } from '../../src/batch/batch-context.ts';
import { retry } from '../../src/batch/retry.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, resume } from '../../src/batch/runs.ts';
import { reopenUnclear } from '../../src/batch/store/unclear.ts';
import { planUndo } from '../../src/batch/undo.ts';
import { type Transport, TransportError } from '../../src/platform/http/transport.ts';
import {
  type BatchWorld,
  batchWorld,
  manyOrders,
  orderCells,
  orderHeader,
  orderSheet,
  plainOptions,
} from './batch-world.ts';

const CREATE = 'customers create';
const customers = (count: number) =>
  `full_name,phone\n${Array.from({ length: count }, (_, index) => `Khách ${index},09${50_000_000 + index}\n`).join('')}`;

async function contextOf(world: BatchWorld, changes: Parameters<BatchWorld['context']>[0] = {}) {
  const context = await world.context(changes);
  onTestFinished(() => context.close());
  return context;
}

async function live(world: BatchWorld): Promise<number> {
  const { post, shop } = world.service;
  const { body } = await post('shop.Customer/ListCustomers', {}, shop.apiKey);
  return body.customers.length;
}

const lost = () => new TransportError('closed', 'maybe', 'cut off');

/** The transport with another answer to one operation; the world asks for it anew with each request. */
function at(
  operation: string,
  answer: (send: () => ReturnType<Transport>, nth: number) => ReturnType<Transport>,
): (transport: Transport) => Transport {
  let nth = 0;
  return (transport) => async (request) => {
    if (!request.url.endsWith(operation)) return transport(request);
    nth += 1;
    return answer(() => transport(request), nth);
  };
}

async function rowsOf({ rows, batches }: BatchContext, id: string) {
  const { number } = await batchNamed({ batches }, id);
  return rows.next({ batch: number, after: 0, limit: 100 });
}

/** Customers whose answers are lost, and Ctrl-C while they are looked up. */
async function stoppedWhileSettling(world: BatchWorld, count: number) {
  const stop = new AbortController();
  const context = await contextOf(world, { signal: stop.signal, concurrency: count });
  const losing = at('CreateCustomer', async (send, nth) => {
    await send();
    if (nth === count) stop.abort('SIGINT');
    throw lost();
  });
  const away = at('GetCustomer', async () => {
    throw new TransportError('refused', 'no', 'refused');
  });
  world.between = (transport) => losing(away(transport));
  const { summary } = await world.run(customers(count), { do: CREATE, context });
  world.between = (transport) => transport;
  return { context, summary };
}

describe('rows that were sent when Ctrl-C ends their settling', () => {
  it('are not given back as planned: a resume finds them, and makes none of them again', async () => {
    const world = await batchWorld('shop');
    const { context, summary } = await stoppedWhileSettling(world, 3);
    expect([summary.counts.done, summary.counts.left, await live(world)]).toEqual([0, 3, 3]);
    expect((await rowsOf(context, summary.batch)).map(({ state }) => state)).toEqual(['sending', 'sending', 'sending']);
    const again = await contextOf(world);
    const ran = await resume(again, await batchNamed(again, summary.batch), await findWork(CREATE, 'shop'));
    expect([ran.summary.counts, await live(world)]).toMatchObject([{ done: 3, left: 0 }, 3]);
  });

  it('are not undone before they are settled', async () => {
    const world = await batchWorld('shop');
    const { summary } = await stoppedWhileSettling(world, 3);
    const context = await contextOf(world);
    await expect(planUndo(context, await batchNamed(context, summary.batch), undefined)).rejects.toMatchObject({
      code: 'batch_open',
    });
  });

  it('are not sent by another file: its rows wait, say for whom, and existed once that is known', async () => {
    const world = await batchWorld('shop');
    const first = await stoppedWhileSettling(world, 3);
    const { number } = await batchNamed(first.context, first.summary.batch);
    const context = await contextOf(world);
    const meeting = { again: false, continues: number };
    const second = await world.run(customers(4), { do: CREATE, context, meeting });
    expect([second.summary.counts, await live(world)]).toMatchObject([{ done: 1, existed: 0, left: 3 }, 4]);
    expect(second.held).toEqual([1, 2, 3].map((row) => `batch ${number} ${row} 0`));
    const waiting = (await rowsOf(context, second.summary.batch)).filter(({ state }) => state === 'planned');
    expect(waiting.map(({ error_code }) => error_code)).toEqual(['held_by', 'held_by', 'held_by']);
    const work = await findWork(CREATE, 'shop');
    await resume(context, await batchNamed(context, first.summary.batch), work);
    const ran = await resume(context, await batchNamed(context, second.summary.batch), work);
    expect([ran.summary.counts, ran.held, await live(world)]).toMatchObject([{ done: 1, existed: 3, left: 0 }, [], 4]);
  });
});

it('looks up at a resume what was left unclear, and sends an order again under its unique name', async () => {
  const world = await batchWorld();
  world.between = at('CreateAndConfirmOrder', async (send, nth) => {
    if (nth === 1) await send();
    throw lost();
  });
  const hidden = at('GetOrder', async () => ({ status: 404, headers: {}, body: '{"code":"not_found","msg":"no"}' }));
  const losing = world.between;
  world.between = (transport) => hidden(losing(transport));
  const context = await contextOf(world, { concurrency: 1 });
  const { summary } = await world.run(manyOrders(2), { context });
  expect(summary).toMatchObject({ state: 'finished', counts: { unclear: 2 } });
  world.between = (transport) => transport;
  const ran = await resume(context, await batchNamed(context, summary.batch), await findWork('ship', 'partner'));
  expect(ran.summary).toMatchObject({ state: 'finished', counts: { done: 2, unclear: 0 } });
  expect(await world.orders()).toHaveLength(2);
});

it('sends a throttled create again that was not applied', async () => {
  const world = await batchWorld('shop');
  world.between = at('CreateCustomer', async (send, nth) =>
    nth % 2 === 0
      ? send()
      : { status: 429, headers: { 'retry-after': '1' }, body: '{"code":"resource_exhausted","msg":"slow"}' },
  );
  const { summary } = await world.run(customers(2), {
    do: CREATE,
    context: await contextOf(world, { concurrency: 1 }),
  });
  expect([summary.counts, await live(world)]).toMatchObject([{ done: 2, unclear: 0 }, 2]);
});

it('is not sent by another file while it is unclear, and neither is a row that waits for it', async () => {
  const world = await batchWorld('shop');
  let tries = 0;
  world.between = at('CreateCustomer', async () => {
    tries += 1;
    throw lost();
  });
  const first = await world.run(customers(2), { do: CREATE, context: await contextOf(world, { concurrency: 1 }) });
  // "Not found" proves nothing of a record whose name is not unique: each was sent once.
  expect([first.summary.counts, tries]).toMatchObject([{ unclear: 2 }, 2]);
  let sent = 0;
  world.between = at('CreateCustomer', async (send) => {
    sent += 1;
    return send();
  });
  const context = await contextOf(world);
  const { number } = await batchNamed(context, first.summary.batch);
  const second = await world.run(customers(3), { do: CREATE, context, meeting: { again: false, continues: number } });
  expect([second.summary.counts, sent, await live(world)]).toMatchObject([{ done: 1, left: 2 }, 1, 1]);
});

it('does not take a redirect that proves nothing for a refusal: the row is looked up', async () => {
  const world = await batchWorld('shop');
  world.between = at('CreateCustomer', async (send) => {
    await send();
    return { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' };
  });
  const context = await contextOf(world, { concurrency: 1 });
  const { summary, failure } = await world.run(customers(2), { do: CREATE, context });
  expect([summary.counts, failure, await live(world)]).toMatchObject([{ done: 2, left: 0 }, undefined, 2]);
});

it('sends a throttled create without a unique name again only after a look', async () => {
  const world = await batchWorld('shop');
  const throttling = at('CreateCustomer', async (send, nth) => {
    // Some limiters answer so after the deed.
    if (nth === 1) await send();
    if (nth > 2) return send();
    return { status: 429, headers: { 'retry-after': '1' }, body: '{"code":"resource_exhausted","msg":"slow"}' };
  });
  const calls: string[] = [];
  world.between = (transport) => (request) => {
    if (request.url.includes('Customer/')) calls.push(request.url.split('/').at(-1) ?? '');
    return throttling(transport)(request);
  };
  const { summary } = await world.run(customers(3), {
    do: CREATE,
    context: await contextOf(world, { concurrency: 1 }),
  });
  expect([summary.counts, await live(world)]).toMatchObject([{ done: 3, unclear: 0 }, 3]);
  expect(calls.slice(0, 4)).toEqual(['CreateCustomer', 'GetCustomer', 'CreateCustomer', 'GetCustomer']);
});

it('looks an order up before it is sent again, where a refusal is about the moment', async () => {
  const world = await batchWorld();
  const calls: string[] = [];
  const aborting = at('CreateAndConfirmOrder', async (send) => {
    await send();
    return { status: 409, headers: {}, body: '{"code":"aborted","msg":"try again"}' };
  });
  world.between = (transport) => (request) => {
    if (/CreateAndConfirmOrder|GetOrder/.test(request.url)) calls.push(request.url.split('/').at(-1) ?? '');
    return aborting(transport)(request);
  };
  const { summary } = await world.run(manyOrders(1, false));
  expect([summary.counts, calls]).toMatchObject([{ done: 1 }, ['CreateAndConfirmOrder', 'GetOrder']]);
});

describe('an order that the service gives back with its note cut', () => {
  const header = [...orderHeader, 'order_note'];
  const note = 'a note that is longer than the service keeps';
  const sheet = (name: string) => orderSheet([[...orderCells(1, name), note]], header);

  /** Every answer of the create is lost, and every look shows a cut note. */
  function cutting(world: BatchWorld) {
    const losing = at('CreateAndConfirmOrder', async (send) => {
      await send();
      throw lost();
    });
    const cut = at('GetOrder', async (send) => {
      const answer = await send();
      return { ...answer, body: answer.body.replace(note, note.slice(0, 10)) };
    });
    world.between = (transport) => losing(cut(transport));
  }

  it('is done under a name that nobody else derives, and the difference is told', async () => {
    const world = await batchWorld();
    cutting(world);
    const context = await contextOf(world);
    const { summary } = await world.run(sheet(''), { context });
    expect(summary.counts).toMatchObject({ done: 1, failed: 0, unclear: 0 });
    expect(await rowsOf(context, summary.batch)).toMatchObject([
      { error_code: 'changed', error_message: expect.stringContaining('order_note') },
    ]);
    expect(await world.orders()).toHaveLength(1);
  });

  it('is unclear under a name of the user’s, never failed: a retry does not send it again', async () => {
    const world = await batchWorld();
    cutting(world);
    const context = await contextOf(world);
    const { summary } = await world.run(sheet('SO-1'), { context });
    expect(summary.counts).toMatchObject({ done: 0, failed: 0, unclear: 1 });
    await retry(context, await batchNamed(context, summary.batch), await findWork('ship', 'partner'));
    expect(await world.orders()).toHaveLength(1);
  });
});

it('looks up at every resume what connections left unclear, and sends an order again under its unique name', async () => {
  const world = await batchWorld();
  world.between = at('CreateAndConfirmOrder', async (send, nth) => {
    if (nth % 2 === 1) await send();
    throw lost();
  });
  const looksFail = at('GetOrder', async () => {
    throw lost();
  });
  const losing = world.between;
  world.between = (transport) => looksFail(losing(transport));
  const context = await contextOf(world, { concurrency: 1 });
  const { summary } = await world.run(manyOrders(4), { context });
  expect(summary.counts.done).toBe(0);
  world.between = (transport) => transport;
  const ran = await resume(context, await batchNamed(context, summary.batch), await findWork('ship', 'partner'));
  expect(ran.summary.counts).toMatchObject({ done: 4, unclear: 0, left: 0 });
  const phones = (await world.orders()).map(({ shipping_address }) => shipping_address.phone);
  expect([phones.length, new Set(phones).size]).toEqual([4, 4]);
});

it('names the order that was cancelled before its row was settled, and does not make it again', async () => {
  const world = await batchWorld();
  const losing = at('CreateAndConfirmOrder', async (send) => {
    await send();
    throw lost();
  });
  const looksFail = at('GetOrder', async () => {
    throw lost();
  });
  world.between = (transport) => looksFail(losing(transport));
  const context = await contextOf(world, { concurrency: 1 });
  const { summary } = await world.run(manyOrders(1), { context });
  expect(summary.counts).toMatchObject({ done: 0, failed: 0 });
  world.between = (transport) => transport;
  const [made] = await world.orders();
  const cancel = { id: made?.id, cancel_reason: 'changed' };
  await world.service.post('shop.Order/CancelOrder', cancel, world.service.shop.apiKey);
  await resume(context, await batchNamed(context, summary.batch), await findWork('ship', 'partner'));
  const [row] = await rowsOf(context, summary.batch);
  expect(row).toMatchObject({ state: 'failed', error_code: 'already_over', id: made?.id });
  expect(await world.orders()).toEqual([]);
});

it('is a batch that goes on from the moment its unclear rows are given back, whenever it is killed', async () => {
  const world = await batchWorld();
  world.between = at('CreateAndConfirmOrder', async () => {
    throw lost();
  });
  const context = await contextOf(world, { concurrency: 1 });
  const { summary } = await world.run(manyOrders(2), { context });
  expect(summary).toMatchObject({ state: 'finished', counts: { unclear: 2 } });
  const { number } = await batchNamed(context, summary.batch);
  expect(await reopenUnclear(context.workspace, number)).toBe(2);
  expect(await context.batches.list({ states: ['open'] })).toMatchObject([{ number }]);
  world.between = (transport) => transport;
  const ran = await resume(context, await batchNamed(context, summary.batch), await findWork('ship', 'partner'));
  expect(ran.summary).toMatchObject({ state: 'finished', counts: { done: 2, unclear: 0, left: 0 } });
});

it('keeps the fee of an unclear row within what all rows may cost', async () => {
  const world = await batchWorld();
  const context = await contextOf(world);
  const planned = await world.plan(manyOrders(2), { context });
  const [share] = await context.batches.shares(planned.batch.number);
  await context.batches.remove(planned.batch.number);
  planned.release();
  world.between = at('CreateAndConfirmOrder', async (send, nth) => {
    if (nth === 2) return send();
    throw lost();
  });
  const options = { ...plainOptions, maxTotal: share?.fees ?? 0 };
  const one = await contextOf(world, { concurrency: 1 });
  world.between = at('CreateAndConfirmOrder', async () => {
    throw lost();
  });
  const { summary } = await world.run(manyOrders(2), { options, context: one });
  expect(summary.counts).toMatchObject({ unclear: 2 });
  const [batch] = await one.batches.list({});
  expect(batch?.reserved).toBe(share?.fees);
});

/* A row whose run ended before its answer came, and whose parcel came back before anybody looked: it was shipped, once. */
import { describe, expect, it } from 'vitest';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, resume } from '../../src/batch/runs.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { type BatchWorld, batchWorld, manyOrders } from './batch-world.ts';

const HOUR_MS = 3_600_000;

const lost = () => new TransportError('closed', 'maybe', 'cut off');

/** Ships one row, whose answer and look-ups are lost. */
async function shippedUnseen(world: BatchWorld, named: boolean): Promise<string> {
  world.between = (transport) => async (request) => {
    if (request.url.endsWith('/GetOrder')) throw lost();
    if (!request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
    await transport(request);
    throw lost();
  };
  const { summary } = await world.run(manyOrders(1, named));
  expect(summary.counts).toMatchObject({ done: 0, failed: 0 });
  world.between = (transport) => transport;
  return summary.batch;
}

/** The service says of an order that it was made so many milliseconds earlier. */
function dated(world: BatchWorld, earlyMs: number): void {
  const earlier = (_: string, at: string) => `"created_at":"${new Date(Date.parse(at) - earlyMs).toISOString()}"`;
  world.between = (transport) => async (request) => {
    const answer = await transport(request);
    if (!request.url.endsWith('/GetOrder')) return answer;
    return { ...answer, body: answer.body.replaceAll(/"created_at":"([^"]+)"/g, earlier) };
  };
}

/** What a resume says of the row, and how many orders there are, whatever became of them. */
async function resumed(world: BatchWorld, batch: string) {
  const context = await world.context();
  try {
    const found = await batchNamed(context, batch);
    const { summary } = await resume(context, found, await findWork(found.do, 'shop'));
    const [row] = await context.rows.next({ batch: found.number, after: 0, limit: 1 });
    const { post, shop } = world.service;
    const { orders } = (await post('shop.Order/ListOrders', {}, shop.apiKey)).body;
    return { counts: summary.counts, row, orders: orders.length };
  } finally {
    await context.close();
  }
}

describe.each([
  ['a derived name', false],
  ['a name of its own', true],
])('a row with %s', (_, named) => {
  it.each([0, HOUR_MS])('is done once its parcel has come back, its order dated %i ms early', async (early) => {
    const world = await batchWorld('shop');
    const batch = await shippedUnseen(world, named);
    const [order] = await world.orders();
    await world.service.sandbox.control.advance(order?.id ?? '', { to: 'delivering' });
    await world.service.sandbox.control.advance(order?.id ?? '', { to: 'returned' });
    dated(world, early);
    const { counts, row, orders } = await resumed(world, batch);
    expect([counts, row, orders]).toMatchObject([{ done: 1, failed: 0 }, { state: 'done', id: order?.id }, 1]);
    expect(row?.fee).toBeGreaterThan(0);
  });

  it('is not made again by a resume once somebody has cancelled it, its order dated early', async () => {
    const world = await batchWorld('shop');
    const batch = await shippedUnseen(world, named);
    const [order] = await world.orders();
    const cancel = { id: order?.id, cancel_reason: 'changed' };
    await world.service.post('shop.Order/CancelOrder', cancel, world.service.shop.apiKey);
    // Nobody else can have made what has a derived name, whenever that was.
    dated(world, named ? HOUR_MS : 48 * HOUR_MS);
    const { row, orders } = await resumed(world, batch);
    expect([row, orders]).toMatchObject([{ state: 'failed', error_code: 'already_over' }, 1]);
  });
});

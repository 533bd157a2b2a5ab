import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tables } from '../../../src/sandbox/engine/store/statement.ts';
import { shipmentPart } from '../../../src/sandbox/service/shipments/shipment-part.ts';
import { rows } from '../../support/rows.ts';
import { frozenClock, openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { createShipnow } from '../../support/shipnow.ts';
import { shipShopOrder } from '../../support/shop-order.ts';

/** The states that the order's shipment went through, each with its moment. */
async function history(test: TestSandbox, entity = 'fulfillment') {
  const updates = test.core.read(({ database }) =>
    rows(database, tables.selectFrom('outbox').selectAll().where('change_type', '=', 'update').orderBy('seq')),
  );
  return updates
    .filter((row) => row.entity === entity)
    .map((row) => ({ time: row.time, ...JSON.parse(row.changed) }))
    .map(({ time, shipping_state, platform_payment_status }) => `${shipping_state ?? platform_payment_status} ${time}`);
}

/** Waits until the shipment has taken so many steps; it takes them in the background. */
async function stepsTaken(test: TestSandbox, count: number) {
  for (;;) {
    const committed = new Promise<void>((resolve) => {
      const stop = test.core.onCommit(() => {
        stop();
        resolve();
      });
    });
    if ((await history(test)).length >= count) return;
    await committed;
  }
}

const untilIdle = (test: TestSandbox, by: string) => test.sandbox.control.clock.advance(by, { untilIdle: true });

describe('a shipment that moves by itself', () => {
  it('keeps to the estimates of its quote, up to the delivery', async () => {
    const test = await openTestSandbox();
    await test.sandbox.control.clock.freeze();
    const { body } = await shipShopOrder(test);
    expect(body.fulfillments[0]).toMatchObject({
      estimated_pickup_at: '2026-01-31T14:00:00Z',
      estimated_delivery_at: '2026-02-04T14:00:00Z',
    });
    const planned = await test.sandbox.control.advance(body.order.id, { auto: true });
    expect(planned).toMatchObject({ shipping_state: 'created', steps: [], next_due: '2026-01-31T11:00:00Z' });
    expect(await untilIdle(test, '10d')).toMatchObject({ next_due: null });
    expect(await history(test)).toEqual([
      'picking 2026-01-31T11:00:00Z',
      'holding 2026-01-31T14:00:00Z',
      'delivering 2026-02-03T14:00:00Z',
      'delivered 2026-02-04T14:00:00Z',
    ]);
  });

  it('reports to the schedule when its next step is due, whether planned or postponed by a manual step', async () => {
    const test = await openTestSandbox();
    const { body } = await shipShopOrder(test);
    const woken: (number | undefined)[] = [];
    const schedule = { add: () => {}, wake: (moment?: number) => void woken.push(moment) };
    const { control } = shipmentPart(test.core, schedule);
    await control.advance(body.order.id, { auto: true });
    await control.advance(body.order.id, { to: 'holding' });
    await control.advance(body.order.id, { to: 'delivered' });
    expect(woken).toEqual([Date.parse('2026-01-31T11:00:00Z'), Date.parse('2026-02-03T14:00:00Z')]);
  });

  it('does not move before its time', async () => {
    const test = await openTestSandbox();
    const { body } = await shipShopOrder(test);
    await test.sandbox.control.advance(body.order.id, { auto: true });
    await untilIdle(test, '2h59m59s');
    expect(await history(test)).toEqual([]);
    await untilIdle(test, '1s');
    expect(await history(test)).toEqual(['picking 2026-01-31T11:00:00Z']);
  });

  it('moves to any requested state, including reconciled', async () => {
    const test = await openTestSandbox();
    const { body: one } = await shipShopOrder(test);
    const { body: two } = await shipShopOrder(test);
    await test.sandbox.control.advance(one.order.id, { to: 'reconciled', auto: true });
    await test.sandbox.control.advance(two.order.id, { to: 'returned', auto: true });
    await untilIdle(test, '30d');
    const read = async (id: string) => (await test.post('shop.Order/GetOrder', { id }, test.shop.apiKey)).body.order;
    expect(await read(one.order.id)).toMatchObject({ status: 'P', closed_at: '2026-02-05T14:00:00Z' });
    expect(await read(two.order.id)).toMatchObject({ status: 'NS' });
  });

  it('takes all the steps that are due when the clock jumps, and the rest at its pace', async () => {
    const test = await openTestSandbox();
    const { body } = await shipShopOrder(test);
    await test.sandbox.control.advance(body.order.id, { auto: true });
    await test.sandbox.control.clock.advance('7h');
    await stepsTaken(test, 2);
    const jumped = ['picking 2026-01-31T15:00:00Z', 'holding 2026-01-31T15:00:00Z'];
    expect(await history(test)).toEqual(jumped);
    expect(await test.sandbox.control.clock.status()).toMatchObject({ next_due: '2026-02-03T14:00:00Z' });
  });

  it('continues from the state that it was moved to manually', async () => {
    const test = await openTestSandbox();
    const { body } = await shipShopOrder(test);
    const { advance } = test.sandbox.control;
    await advance(body.order.id, { auto: true });
    expect(await advance(body.order.id, { to: 'holding' })).toMatchObject({ next_due: '2026-02-03T14:00:00Z' });
    await untilIdle(test, '10d');
    expect((await history(test)).at(-1)).toBe('delivered 2026-02-04T14:00:00Z');
  });

  it('stops where it was going, when it was brought there by hand', async () => {
    const test = await openTestSandbox();
    const { body } = await shipShopOrder(test);
    const { advance, clock } = test.sandbox.control;
    await advance(body.order.id, { auto: true });
    expect(await advance(body.order.id, { to: 'delivered' })).toMatchObject({ next_due: null });
    expect(await untilIdle(test, '10d')).toMatchObject({ next_due: null });
    expect(await clock.status()).toMatchObject({ next_due: null });
  });

  it('ends when its order is cancelled', async () => {
    const test = await openTestSandbox();
    const { body } = await shipShopOrder(test);
    await test.sandbox.control.advance(body.order.id, { auto: true });
    await test.post('shop.Order/CancelOrder', { id: body.order.id, cancel_reason: 'x' }, test.shop.apiKey);
    expect(await untilIdle(test, '10d')).toMatchObject({ next_due: null });
    expect(await history(test)).toEqual(['cancelled 2026-01-31T08:00:00Z']);
  });

  it('is refused where no steps lead, and then has no plan', async () => {
    const test = await openTestSandbox();
    const { body } = await shipShopOrder(test);
    const { advance, clock } = test.sandbox.control;
    await advance(body.order.id, { to: 'delivered' });
    await expect(advance(body.order.id, { auto: true })).rejects.toMatchObject({ code: 'failed_precondition' });
    expect(await untilIdle(test, '1m')).toMatchObject({ next_due: null });
    expect(await clock.status()).toMatchObject({ next_due: null });
  });

  it('still does after the sandbox was closed and opened again', async () => {
    const data = await mkdtemp(join(tmpdir(), 'shopctl-shipments-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const clock = frozenClock();
    const before = await openTestSandbox({ data, clock });
    const { body } = await shipShopOrder(before);
    await before.sandbox.control.advance(body.order.id, { auto: true });
    await before.sandbox.close();
    clock.advance(5 * 86_400_000);
    const after = await openTestSandbox({ data, clock });
    await untilIdle(after, '0s');
    const { body: found } = await after.post('shop.Order/GetOrder', { id: body.order.id }, after.shop.apiKey);
    expect(found.fulfillments[0]).toMatchObject({ shipping_state: 'delivered', updated_at: '2026-02-05T08:00:00Z' });
  });

  it('may be an on-demand delivery', async () => {
    const test = await openTestSandbox();
    const { body } = await createShipnow(test);
    await test.sandbox.control.advance(body.id, { auto: true });
    await untilIdle(test, '2h');
    expect(await history(test, 'shipnow_fulfillment')).toEqual([
      'assigning 2026-01-31T08:02:00Z',
      'picking 2026-01-31T08:10:00Z',
      'delivering 2026-01-31T08:25:00Z',
      'delivered 2026-01-31T08:55:00Z',
    ]);
  });
});

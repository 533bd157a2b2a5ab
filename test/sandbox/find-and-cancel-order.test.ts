import { describe, expect, it } from 'vitest';
import { moveShipment } from '../../src/sandbox/service/shipments/moving-parcel.ts';
import { type ShippingState, stepsTo } from '../../src/sandbox/service/shipments/shipping-states.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { type OrderChanges, quotedOrder } from '../support/sandbox-order.ts';

const getOrder = 'partner.Shipping/GetOrder';
const cancelOrder = 'partner.Shipping/CancelOrder';

async function create(test: TestSandbox, changes?: OrderChanges, key = test.shopKey) {
  return (await test.post('partner.Shipping/CreateAndConfirmOrder', await quotedOrder(test, changes, key), key)).body;
}

/** Brings the shipment of an order to a state, as its carrier would. */
async function ship(test: TestSandbox, shipmentId: string, target: ShippingState) {
  await test.core.write((work) => {
    let shipment = work.records('fulfillment', test.shop.id).get(shipmentId);
    const { shipping_state, shipping_substate } = shipment?.record ?? {};
    const from = { state: shipping_state ?? 'unknown', substate: shipping_substate ?? '' } as const;
    for (const step of stepsTo(from, target) ?? []) if (shipment) shipment = moveShipment(work, shipment, step);
  });
}

describe('GetOrder', () => {
  it('finds an order by each of its names, and by all of them together', async () => {
    const test = await openTestSandbox();
    const { order } = await create(test, { external_id: 'WEB-1' });
    const { id, code, external_id } = order;
    for (const lookup of [{ id }, { code }, { external_id }, { id, code, external_id }, { id, code: '' }]) {
      expect((await test.post(getOrder, lookup, test.shopKey)).body.order.id).toBe(id);
    }
    const asNumber = await test.post(getOrder, `{"id":${id}}`, test.shopKey);
    expect(asNumber.body.order.id).toBe(id);
  });

  it('finds nothing where one of the names does not fit', async () => {
    const test = await openTestSandbox();
    const { order } = await create(test, { external_id: 'WEB-1' });
    const { body, status } = await test.post(getOrder, { id: order.id, external_id: 'WEB-2' }, test.shopKey);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it('needs a name', async () => {
    const { post, shopKey } = await openTestSandbox();
    for (const lookup of [{}, { id: null }, { id: '0', code: '' }, { external_id: '' }]) {
      expect((await post(getOrder, lookup, shopKey)).status).toBe(400);
    }
  });

  it("does not find another shop's order", async () => {
    const test = await openTestSandbox();
    const { order } = await create(test, { external_id: 'WEB-1' });
    const otherKey = await test.signIn(test.otherShop.id);
    for (const lookup of [{ id: order.id }, { external_id: 'WEB-1' }]) {
      expect((await test.post(getOrder, lookup, otherKey)).status).toBe(404);
    }
    expect((await test.post(cancelOrder, { id: order.id, cancel_reason: 'x' }, otherKey)).status).toBe(404);
  });

  it('finds the live order where a cancelled one has the same external id, else the newest', async () => {
    const test = await openTestSandbox();
    const cancel = () => test.post(cancelOrder, { external_id: 'WEB-1', cancel_reason: 'x' }, test.shopKey);
    await create(test, { external_id: 'WEB-1' });
    await cancel();
    const { order: live } = await create(test, { external_id: 'WEB-1' });
    const found = async () => (await test.post(getOrder, { external_id: 'WEB-1' }, test.shopKey)).body.order.id;
    expect(await found()).toBe(live.id);
    await cancel();
    expect(await found()).toBe(live.id);
  });

  it('changes nothing', async () => {
    const test = await openTestSandbox();
    const { order } = await create(test);
    const before = await test.changes();
    await test.post(getOrder, { id: order.id }, test.shopKey);
    expect(await test.changes()).toEqual(before);
  });
});

describe('CancelOrder', () => {
  it('cancels the order at once and its shipment at the carrier', async () => {
    const test = await openTestSandbox();
    const { order } = await create(test);
    test.clock.advance(60_000);
    const { status, body } = await test.post(
      cancelOrder,
      { code: order.code, cancel_reason: ' changed ' },
      test.shopKey,
    );
    expect(status).toBe(200);
    const cancelled = { cancel_reason: 'changed', cancelled_at: '2026-01-31T08:01:00Z', status: 'N' };
    expect(body.order).toMatchObject({ ...cancelled, fulfillment_shipping_status: 'N', confirm_status: 'N' });
    expect(body.fulfillments[0]).toMatchObject({ ...cancelled, shipping_state: 'cancelled', shipping_status: 'N' });
    expect(body.fulfillment_errors).toEqual([{ code: 'ok', msg: '' }]);
    expect((await test.changes()).slice(5).map(({ name }) => name)).toEqual(['order update', 'fulfillment update']);
  });

  it('needs exactly one name and a reason', async () => {
    const test = await openTestSandbox();
    const { order } = await create(test, { external_id: 'WEB-1' });
    const { id, code, external_id } = order;
    const cancel_reason = 'x';
    for (const input of [
      { cancel_reason },
      { id, code, cancel_reason },
      { code, external_id, cancel_reason },
      { id },
      { id, cancel_reason: '' },
      { id, cancel_reason: ' ' },
    ]) {
      const { status, body } = await test.post(cancelOrder, input, test.shopKey);
      expect([status, body.code]).toEqual([400, 'invalid_argument']);
    }
    expect((await test.post(cancelOrder, { id: '12', cancel_reason }, test.shopKey)).status).toBe(404);
  });

  it('is refused with 412 for an order that is cancelled or returned', async () => {
    const test = await openTestSandbox();
    const cancel = (id: string) => test.post(cancelOrder, { id, cancel_reason: 'x' }, test.shopKey);
    const { order } = await create(test);
    expect((await cancel(order.id)).status).toBe(200);
    expect(await cancel(order.id)).toMatchObject({ status: 412, body: { code: 'failed_precondition' } });
    const { order: returned, fulfillments } = await create(test);
    await ship(test, fulfillments[0].id, 'returned');
    expect(await cancel(returned.id)).toMatchObject({ status: 412, body: { meta: { status: 'NS' } } });
  });

  it('lets a parcel that was picked up go on, and says so with status 200', async () => {
    const test = await openTestSandbox();
    const { order, fulfillments } = await create(test);
    await ship(test, fulfillments[0].id, 'holding');
    const { status, body } = await test.post(cancelOrder, { id: order.id, cancel_reason: 'x' }, test.shopKey);
    expect(status).toBe(200);
    expect(body.order).toMatchObject({ status: 'N', fulfillment_shipping_status: 'S' });
    expect(body.fulfillments[0]).toMatchObject({ shipping_state: 'holding', status: 'S', cancel_reason: null });
    expect(body.fulfillment_errors).toEqual([
      {
        code: 'failed_precondition',
        msg: expect.stringContaining('picked up'),
        meta: { fulfillment_id: fulfillments[0].id, shipping_state: 'holding' },
      },
    ]);
    await ship(test, fulfillments[0].id, 'delivered');
    const { body: later } = await test.post(getOrder, { id: order.id }, test.shopKey);
    expect(later.order).toMatchObject({ status: 'N', fulfillment_shipping_status: 'P' });
  });

  it('still cancels a parcel that the carrier is on its way to', async () => {
    const test = await openTestSandbox();
    const { order, fulfillments } = await create(test);
    await ship(test, fulfillments[0].id, 'picking');
    const { body } = await test.post(cancelOrder, { id: order.id, cancel_reason: 'x' }, test.shopKey);
    expect(body.fulfillments[0].shipping_state).toBe('cancelled');
  });

  it('reports a delivered parcel, and does not change it', async () => {
    const test = await openTestSandbox();
    const { order, fulfillments } = await create(test);
    await ship(test, fulfillments[0].id, 'delivered');
    const before = (await test.post(getOrder, { id: order.id }, test.shopKey)).body.fulfillments;
    const { status, body } = await test.post(cancelOrder, { id: order.id, cancel_reason: 'x' }, test.shopKey);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      order: { status: 'N', fulfillment_shipping_status: 'P' },
      fulfillments: [{ shipping_state: 'delivered', status: 'S' }],
      fulfillment_errors: [
        {
          code: 'failed_precondition',
          msg: 'the parcel is delivered already',
          meta: { fulfillment_id: fulfillments[0].id, shipping_state: 'delivered' },
        },
      ],
    });
    expect(body.fulfillments).toEqual(before);
  });

  it.each(['returning', 'undeliverable'] as const)('is refused for an order whose parcel is %s', async (state) => {
    const test = await openTestSandbox();
    const { order, fulfillments } = await create(test);
    await ship(test, fulfillments[0].id, state);
    const { status, body } = await test.post(cancelOrder, { id: order.id, cancel_reason: 'x' }, test.shopKey);
    expect([status, body.meta]).toEqual([412, { status: 'NS' }]);
  });

  it('reports each parcel of an order that has several, but the one that was cancelled before', async () => {
    const test = await openTestSandbox();
    const { order, fulfillments } = await create(test);
    const states = ['holding', 'returning', 'returned', 'undeliverable', 'delivered', 'cancelled', 'created'] as const;
    const ids = await test.core.write((work) => {
      const parcels = work.records('fulfillment', test.shop.id);
      return states.map((shipping_state) => parcels.insert({ order_id: order.id, shipping_state }).id);
    });
    const { status, body } = await test.post(cancelOrder, { id: order.id, cancel_reason: 'x' }, test.shopKey);
    expect(status).toBe(200);
    const reported = body.fulfillment_errors.map(({ code, meta }: { code: string; meta?: object }) => [code, meta]);
    const refused = (state: string) => [
      'failed_precondition',
      { fulfillment_id: ids[(states as readonly string[]).indexOf(state)], shipping_state: state },
    ];
    const ok = ['ok', undefined];
    expect(reported).toEqual([
      ok,
      ...['holding', 'returning', 'returned', 'undeliverable', 'delivered'].map(refused),
      ok,
    ]);
    const after = body.fulfillments.map(({ id, shipping_state }: { id: string; shipping_state: string }) => [
      id,
      shipping_state,
    ]);
    const stays = (state: string, index: number) => [ids[index], state === 'created' ? 'cancelled' : state];
    expect(after).toEqual([[fulfillments[0].id, 'cancelled'], ...states.map(stays)]);
  });
});

describe("a shipment's progress", () => {
  it('moves its order along, one shipment change and one order change a step', async () => {
    const test = await openTestSandbox();
    const { order, fulfillments } = await create(test);
    await ship(test, fulfillments[0].id, 'delivered');
    const { body } = await test.post(getOrder, { id: order.id }, test.shopKey);
    expect(body.order).toMatchObject({ status: 'S', fulfillment_shipping_status: 'P', closed_at: null });
    expect(body.fulfillments[0]).toMatchObject({
      shipping_state: 'delivered',
      shipping_status: 'P',
      status: 'S',
      actual_cod_amount: 1280000,
      actual_shipping_service_fee: 53900,
    });
    const changes = (await test.changes()).slice(5).map(({ name }) => name);
    expect(changes).toEqual(Array.from({ length: 4 }, () => ['fulfillment update', 'order update']).flat());
  });
});

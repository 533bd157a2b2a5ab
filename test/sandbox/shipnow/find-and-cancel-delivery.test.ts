import { describe, expect, it } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { createShipnow } from '../../support/shipnow.ts';
import { changesOf } from '../../support/shop-order.ts';

const by =
  (operation: string) =>
  (test: TestSandbox, input: object, key = test.shop.apiKey) =>
    test.post(`shop.Shipnow/${operation}ShipnowFulfillment`, input, key);
const get = by('Get');
const cancel = by('Cancel');
const orders = async (test: TestSandbox, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await test.post('shop.Order/GetOrder', { id }, test.shop.apiKey)).body.order));

describe('shop.Shipnow/GetShipnowFulfillment', () => {
  it('finds a delivery that all the given names fit', async () => {
    const test = await openTestSandbox();
    const { body } = await createShipnow(test, { external_id: 'RIDE-1' });
    const { id, shipping_code, external_id } = body;
    for (const lookup of [
      { id },
      { shipping_code },
      { external_id },
      { id, shipping_code, external_id },
      { id, shipping_code: '' },
    ]) {
      expect(await get(test, lookup)).toEqual({ status: 200, body });
    }
    expect((await get(test, { id, external_id: 'RIDE-2' })).status).toBe(404);
    expect((await get(test, { id }, test.otherShop.apiKey)).status).toBe(404);
    expect((await get(test, { id }, test.shopKey)).status).toBe(401);
    for (const lookup of [{}, { id: '0' }, { external_id: '' }]) expect((await get(test, lookup)).status).toBe(400);
  });

  it('finds the live one of those with the same external id, else the newest', async () => {
    const test = await openTestSandbox();
    const { body: first } = await createShipnow(test, { external_id: 'RIDE-1' });
    const { body: second } = await createShipnow(test, { external_id: 'RIDE-1' });
    expect((await get(test, { external_id: 'RIDE-1' })).body.id).toBe(second.id);
    await cancel(test, { id: second.id });
    expect((await get(test, { external_id: 'RIDE-1' })).body.id).toBe(first.id);
  });
});

describe('shop.Shipnow/CancelShipnowFulfillment', () => {
  it('cancels the delivery, its stops and the orders that were made for it', async () => {
    const test = await openTestSandbox();
    const { body } = await createShipnow(test, { external_id: 'RIDE-1' });
    let answer: unknown;
    const changes = await changesOf(test, async () => {
      answer = await cancel(test, { id: body.id, external_id: 'RIDE-1', cancel_reason: ' rain ' });
    });
    expect(answer).toEqual({ status: 200, body: { updated: 1 } });
    expect(changes).toEqual(['order update', 'order update', 'shipnow_fulfillment update']);
    expect((await get(test, { id: body.id })).body).toMatchObject({
      cancel_reason: 'rain',
      confirm_status: 'N',
      shipping_state: 'cancelled',
      shipping_status: 'N',
      status: 'N',
      delivery_points: [{ shipping_state: 'cancelled' }, { shipping_state: 'cancelled' }],
    });
    for (const order of await orders(test, body.order_ids)) {
      expect(order).toMatchObject({ status: 'N', fulfillment_shipping_status: 'N', cancel_reason: 'rain' });
    }
  });

  it('does not change an order that was cancelled before', async () => {
    const test = await openTestSandbox();
    const { body } = await createShipnow(test);
    const cancellation = { id: body.order_ids[0], cancel_reason: 'not at home' };
    await test.post('shop.Order/CancelOrder', cancellation, test.shop.apiKey);
    test.clock.advance(60_000);
    await cancel(test, { id: body.id, cancel_reason: 'rain' });
    const [before, other] = await orders(test, body.order_ids);
    expect(before).toMatchObject({ cancel_reason: 'not at home', cancelled_at: '2026-01-31T08:00:00Z' });
    expect(before.fulfillment_shipping_status).toBe('N');
    expect(other).toMatchObject({ cancel_reason: 'rain', cancelled_at: '2026-01-31T08:01:00Z' });
  });

  it.each(['created', 'assigning', 'picking'])('needs no reason, and is possible while it is %s', async (state) => {
    const test = await openTestSandbox();
    const { body } = await createShipnow(test);
    if (state !== 'created') await test.sandbox.control.advance(body.id, { to: state });
    expect(await cancel(test, { shipping_code: body.shipping_code })).toMatchObject({ status: 200 });
    expect((await get(test, { id: body.id })).body.cancel_reason).toBeNull();
  });

  it.each(['delivering', 'delivered', 'returning', 'returned', 'undeliverable', 'cancelled'])(
    'is refused with 412 when it is %s',
    async (state) => {
      const test = await openTestSandbox();
      const { body } = await createShipnow(test);
      await test.sandbox.control.advance(body.id, { to: state });
      let answer: unknown;
      const changes = await changesOf(test, async () => {
        answer = await cancel(test, { id: body.id });
      });
      const meta = { shipping_state: state };
      expect(answer).toMatchObject({ status: 412, body: { code: 'failed_precondition', meta } });
      expect(changes).toEqual([]);
    },
  );

  it('needs a name of a delivery of the shop', async () => {
    const test = await openTestSandbox();
    const { body } = await createShipnow(test);
    expect((await cancel(test, { cancel_reason: 'x' })).status).toBe(400);
    expect((await cancel(test, { id: '12' })).status).toBe(404);
    expect((await cancel(test, { id: body.id, shipping_code: 'SN999999' })).status).toBe(404);
    expect((await cancel(test, { id: body.id }, test.otherShop.apiKey)).status).toBe(404);
  });
});

describe('an on-demand delivery that moves', () => {
  it('has a driver once one comes, and its orders follow it', async () => {
    const test = await openTestSandbox();
    const { body } = await createShipnow(test);
    const { advance } = test.sandbox.control;
    const changes = await changesOf(test, () => advance(body.id, { to: 'assigning' }));
    expect(changes).toEqual(['shipnow_fulfillment update', 'order update', 'order update']);
    expect((await get(test, { id: body.id })).body).toMatchObject({ driver_name: null, shipping_status: 'S' });
    await advance(body.order_ids[1], { to: 'picking' });
    const { body: found } = await get(test, { id: body.id });
    expect(found).toMatchObject({ driver_name: expect.any(String), driver_phone: expect.stringMatching(/^0\d{9}$/) });
    await advance(body.id, { to: 'delivered' });
    const done = { shipping_status: 'P', status: 'S', actual_shipping_service_fee: 46000 };
    expect((await get(test, { id: body.id })).body).toMatchObject(done);
    await advance(body.id, { to: 'reconciled' });
    expect((await get(test, { id: body.id })).body).toMatchObject({ shipping_state: 'delivered', status: 'P' });
    for (const order of await orders(test, body.order_ids)) {
      expect(order).toMatchObject({ status: 'P', platform_payment_status: 'P', closed_at: '2026-01-31T08:00:00Z' });
    }
  });

  it.each([
    [{ to: 'holding' }, 'invalid_argument'],
    [{ to: 'picking', substate: 'pick_fail' }, 'failed_precondition'],
    [{ to: 'created' }, 'failed_precondition'],
  ])('cannot be told %j', async (how, code) => {
    const test = await openTestSandbox();
    const { body } = await createShipnow(test);
    await expect(test.sandbox.control.advance(body.id, how)).rejects.toMatchObject({ code });
  });

  it('continues when one of its orders is cancelled, and the answer says so', async () => {
    const test = await openTestSandbox();
    const { body } = await createShipnow(test);
    await test.sandbox.control.advance(body.id, { to: 'assigning' });
    const cancellation = { id: body.order_ids[0], cancel_reason: 'x' };
    const { body: answer } = await test.post('shop.Order/CancelOrder', cancellation, test.shop.apiKey);
    expect(answer.order).toMatchObject({ status: 'N', fulfillment_shipping_status: 'S' });
    const meta = { shipnow_fulfillment_id: body.id, shipping_state: 'assigning' };
    expect(answer.fulfillment_errors).toMatchObject([{ code: 'failed_precondition', meta }]);
    await test.sandbox.control.advance(body.id, { to: 'delivered' });
    const [cancelled, other] = await orders(test, body.order_ids);
    expect(cancelled).toMatchObject({ status: 'N', fulfillment_shipping_status: 'P' });
    expect(other).toMatchObject({ status: 'S', fulfillment_shipping_status: 'P' });
    const later = await test.post(
      'shop.Order/CancelOrder',
      { ...cancellation, id: body.order_ids[1] },
      test.shop.apiKey,
    );
    const msg = 'the on-demand delivery is delivered already';
    expect(later.body.fulfillment_errors).toMatchObject([{ code: 'failed_precondition', msg }]);
  });
});

import { describe, expect, it } from 'vitest';
import { carriers } from '../../../src/sandbox/service/shipments/carriers.ts';
import { openTestSandbox } from '../../support/sandbox.ts';
import { quoteFields } from '../../support/sandbox-order.ts';
import { changesOf, shipPartnerOrder, shipShopOrder } from '../../support/shop-order.ts';

const services = 'shop.Shipping/GetShippingServices';

describe('shop.Shipping/GetShippingServices', () => {
  it('answers what a partner is answered for the shop', async () => {
    const test = await openTestSandbox();
    const own = await test.post(services, quoteFields, test.shop.apiKey);
    expect(own.status).toBe(200);
    expect(own).toEqual(await test.post('partner.Shipping/GetShippingServices', quoteFields, test.shopKey));
  });

  it('asks the named connections alone, all of them where none is named', async () => {
    const test = await openTestSandbox();
    const ask = async (connection_ids: unknown) =>
      (await test.post(services, { ...quoteFields, connection_ids }, test.shop.apiKey)).body.services.map(
        ({ carrier }: { carrier: string }) => carrier,
      );
    const [platform, redkite] = carriers;
    expect(new Set(await ask([platform?.connectionId]))).toEqual(new Set(['platform']));
    expect(new Set(await ask([platform?.connectionId, redkite?.connectionId]))).toEqual(
      new Set(['platform', 'redkite']),
    );
    expect(await ask(['12'])).toEqual([]);
    expect(await ask([])).toEqual(await ask(undefined));
    const wrong = await test.post(services, { ...quoteFields, connection_ids: ['x'] }, test.shop.apiKey);
    expect([wrong.status, wrong.body.meta.field]).toEqual([400, 'connection_ids[0]']);
  });

  it('refuses a partner, an unknown place and a missing one', async () => {
    const test = await openTestSandbox();
    expect((await test.post(services, quoteFields, test.shopKey)).status).toBe(401);
    const shipping_address = { province: 'Atlantis', district: '1' };
    const unknown = await test.post(services, { ...quoteFields, shipping_address }, test.shop.apiKey);
    expect([unknown.status, unknown.body.meta.field]).toEqual([400, 'shipping_address.province']);
    const missing = await test.post(services, { ...quoteFields, pickup_address: undefined }, test.shop.apiKey);
    expect([missing.status, missing.body.meta.field]).toEqual([400, 'pickup_address']);
  });
});

describe('shop.Shipping/CreateAndConfirmOrder', () => {
  it('answers the confirmed order with its shipment', async () => {
    const test = await openTestSandbox();
    const { status, body } = await shipShopOrder(test, { external_id: 'POS-1' });
    expect(status).toBe(200);
    expect(body.order).toMatchObject({ external_id: 'POS-1', status: 'S', confirm_status: 'P' });
    expect(body.fulfillments).toMatchObject([{ order_id: body.order.id, shipping_state: 'created' }]);
    expect(body.fulfillment_errors).toEqual([]);
  });

  it('changes what CreateOrder changes, the shipment and the order', async () => {
    const test = await openTestSandbox();
    expect(await changesOf(test, () => shipShopOrder(test))).toEqual([
      'customer create',
      'customer_address create',
      'order create',
      'fulfillment create',
      'order update',
    ]);
  });

  it('says which order has a name that is taken, and frees it when the parcel has returned', async () => {
    const test = await openTestSandbox();
    const names = { external_id: 'POS-1', external_code: 'A-1' };
    const { body: first } = await shipShopOrder(test, names);
    expect(await shipShopOrder(test, names)).toMatchObject({
      status: 409,
      body: { code: 'already_exists', meta: { duplicated: 'external_id', order_id: first.order.id } },
    });
    await test.sandbox.control.advance(first.order.id, { to: 'returned' });
    const { status, body: second } = await shipShopOrder(test, names);
    expect(status).toBe(200);
    const { body } = await test.post('shop.Order/GetOrder', { external_id: 'POS-1' }, test.shop.apiKey);
    expect(body.order.id).toBe(second.order.id);
  });

  it("keeps the external id of a partner's order that has returned", async () => {
    const test = await openTestSandbox();
    const { body } = await shipPartnerOrder(test, { external_id: 'WEB-1', external_code: 'A-1' });
    await test.sandbox.control.advance(body.order.id, { to: 'returned' });
    expect((await shipPartnerOrder(test, { external_id: 'WEB-1' })).status).toBe(409);
    expect((await shipPartnerOrder(test, { external_code: 'A-1' })).status).toBe(200);
  });

  it('cancels the order and frees its names when the quote does not hold', async () => {
    const test = await openTestSandbox();
    const names = { external_id: 'POS-1' };
    const { status, body } = await shipShopOrder(test, { ...names, shipping: { shipping_service_fee: 1 } });
    expect([status, body.meta.field]).toEqual([400, 'shipping.shipping_service_fee']);
    const { body: left } = await test.post('shop.Order/GetOrder', { id: body.meta.order_id }, test.shop.apiKey);
    expect(left.order).toMatchObject({ status: 'N', cancel_reason: body.msg });
    expect((await shipShopOrder(test, names)).status).toBe(200);
  });

  it.each([
    [{ shipping: { try_on: undefined } }, 'shipping.try_on'],
    [{ shipping: { try_on: 'unknown' } }, 'shipping.try_on'],
    [{ shipping_address: undefined }, 'shipping_address'],
    [{ total_fee: 1 }, 'total_fee'],
    [{ shipping: { carrier: 'redkite' } }, 'shipping.carrier'],
  ])('refuses %j', async (changes, field) => {
    const { status, body } = await shipShopOrder(await openTestSandbox(), changes);
    expect([status, body.code, body.meta.field]).toEqual([400, 'invalid_argument', field]);
  });
});

describe('cancelling', () => {
  it.each(['shop.Order/CancelOrder', 'shop.Shipping/CancelOrder'])(
    '%s cancels order and shipment',
    async (operation) => {
      const test = await openTestSandbox();
      const { body: made } = await shipShopOrder(test, { external_id: 'POS-1' });
      const cancel = (input: object) => test.post(operation, input, test.shop.apiKey);
      let answer: unknown;
      const changes = await changesOf(test, async () => {
        answer = await cancel({ external_id: 'POS-1', cancel_reason: 'sold out' });
      });
      const cancelled = { status: 'N', cancel_reason: 'sold out' };
      expect(answer).toMatchObject({
        status: 200,
        body: {
          order: { id: made.order.id, ...cancelled, fulfillment_shipping_status: 'N' },
          fulfillments: [{ ...cancelled, shipping_state: 'cancelled' }],
          fulfillment_errors: [{ code: 'ok', msg: '' }],
        },
      });
      expect(changes).toEqual(['order update', 'fulfillment update']);
      const { id, code } = made.order;
      expect((await cancel({ id, cancel_reason: 'x' })).status).toBe(412);
      expect((await cancel({ id, code, cancel_reason: 'x' })).status).toBe(400);
      expect((await cancel({ id })).status).toBe(400);
      expect((await cancel({ cancel_reason: 'x' })).status).toBe(400);
      expect((await cancel({ id: '12', cancel_reason: 'x' })).status).toBe(404);
    },
  );

  it('lets a parcel that was picked up go on, and says so', async () => {
    const test = await openTestSandbox();
    const { body: made } = await shipShopOrder(test);
    await test.sandbox.control.advance(made.order.id, { to: 'delivering' });
    const cancellation = { id: made.order.id, cancel_reason: 'x' };
    const { status, body } = await test.post('shop.Order/CancelOrder', cancellation, test.shop.apiKey);
    expect(status).toBe(200);
    expect(body.order).toMatchObject({ status: 'N', fulfillment_shipping_status: 'S' });
    expect(body.fulfillment_errors).toMatchObject([
      { code: 'failed_precondition', meta: { shipping_state: 'delivering' } },
    ]);
  });

  it('takes an order that was never shipped', async () => {
    const test = await openTestSandbox();
    const { body: made } = await test.post(
      'shop.Order/CreateOrder',
      { lines: [{ product_name: 'Tea', quantity: 1, retail_price: 0, payment_price: 0 }], total_items: 1 },
      test.shop.apiKey,
    );
    const cancellation = { code: made.code, cancel_reason: 'x' };
    const { body } = await test.post('shop.Order/CancelOrder', cancellation, test.shop.apiKey);
    expect(body).toMatchObject({ order: { status: 'N', fulfillment_shipping_status: 'Z' }, fulfillments: [] });
  });

  it('takes an order that is delivered and paid', async () => {
    const test = await openTestSandbox();
    const { body: made } = await shipShopOrder(test);
    await test.sandbox.control.advance(made.order.id, { to: 'reconciled' });
    const cancellation = { id: made.order.id, cancel_reason: 'x' };
    const { status, body } = await test.post('shop.Order/CancelOrder', cancellation, test.shop.apiKey);
    expect(status).toBe(200);
    const fulfillment_errors = [{ code: 'failed_precondition', meta: { shipping_state: 'delivered' } }];
    expect(body).toMatchObject({ order: { status: 'N' }, fulfillments: [{ status: 'P' }], fulfillment_errors });
  });
});

import { describe, expect, it } from 'vitest';
import { openTestSandbox } from '../../support/sandbox.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { changesOf, createShopOrder, shipPartnerOrder, stock } from '../../support/shop-order.ts';

describe('shop.Order/CreateOrder', () => {
  it('answers an order that waits for its confirmation', async () => {
    const test = await openTestSandbox();
    const names = {
      external_id: 'POS-1',
      external_code: 'A-1',
      external_url: 'https://pos.example/1',
      external_meta: { till: '3', '': 'x', until: '17:00' },
    };
    const { status, body } = await createShopOrder(test, { ...names, payment_method: 'bank', order_note: 'Gift' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...names,
      id: expect.stringMatching(/^\d{19}$/),
      shop_id: test.shop.id,
      code: 'DH000001',
      order_note: 'Gift',
      status: 'Z',
      confirm_status: 'Z',
      platform_payment_status: 'Z',
      fulfillment_shipping_status: 'Z',
      total_amount: 1280000,
      shipping: null,
      created_at: '2026-01-31T08:00:00Z',
      confirmed_at: null,
      processed_at: null,
      cancelled_at: null,
    });
    expect(body.shipping_address.province).toBe('Thành phố Hà Nội');
    expect(body.self_url).toBe(`https://sandbox.example/orders/${body.id}`);
  });

  it('shows its free data wherever it is shown', async () => {
    const test = await openTestSandbox();
    const external_meta = { till: '3' };
    const { body: made } = await createShopOrder(test, { external_meta });
    const { body: found } = await test.post('shop.Order/GetOrder', { id: made.id }, test.shop.apiKey);
    const { body: listed } = await test.post('shop.Order/ListOrders', {}, test.shop.apiKey);
    const { body: cancelled } = await test.post(
      'shop.Order/CancelOrder',
      { id: made.id, cancel_reason: 'x' },
      test.shop.apiKey,
    );
    for (const order of [made, found.order, listed.orders[0], cancelled.order]) {
      expect(order.external_meta).toEqual(external_meta);
    }
    const { latest, changed } = (await test.changes()).find(({ name }) => name === 'order create') ?? {};
    expect([latest, changed]).toMatchObject([{ external_meta }, { external_meta }]);
    expect((await createShopOrder(test)).body.external_meta).toBeNull();
    const { body: shipped } = await shipPartnerOrder(test, { external_meta });
    expect(shipped.order.external_meta).toEqual(external_meta);
    expect(shipped.fulfillments[0].self_url).toBe(`https://sandbox.example/fulfillments/${shipped.fulfillments[0].id}`);
  });

  it('knows the variants of the shop alone', async () => {
    const test = await openTestSandbox();
    const variant = '1000000000000000001';
    await stock(test, variant, 5);
    const [first = {}, second = {}] = orderFields.lines;
    const withVariants = (...ids: (string | undefined)[]) => ({
      lines: [
        { ...first, variant_id: ids[0] },
        { ...second, variant_id: ids[1] },
      ],
    });
    const fieldOf = async (...ids: (string | undefined)[]) => {
      const { status, body } = await createShopOrder(test, withVariants(...ids));
      return [status, body.meta?.field];
    };
    expect(await fieldOf(variant, '0')).toEqual([200, undefined]);
    expect(await fieldOf(variant, variant)).toEqual([200, undefined]);
    expect(await fieldOf(variant, '1000000000000000002')).toEqual([400, 'lines[1].variant_id']);
    const { status, body } = await shipPartnerOrder(test, withVariants('12'));
    expect([status, body.meta.field]).toEqual([400, 'lines[0].variant_id']);
    await stock(test, '1000000000000000003', 5, test.otherShop.id);
    expect(await fieldOf('1000000000000000003')).toEqual([400, 'lines[0].variant_id']);
    await test.post('shop.Variant/DeleteVariant', { id: variant }, test.shop.apiKey);
    expect(await fieldOf(variant)).toEqual([400, 'lines[0].variant_id']);
  });

  it('keeps how the order is to be shipped, and ships nothing', async () => {
    const test = await openTestSandbox();
    const { status, body } = await createShopOrder(test, { shipping: { ...shippingFields, try_on: undefined } });
    expect(status).toBe(200);
    expect(body.shipping).toMatchObject({ chargeable_weight: 3000, include_insurance: true, try_on: null });
    expect(body.shipping.return_address).toEqual(body.shipping.pickup_address);
    const { body: found } = await test.post('shop.Order/GetOrder', { id: body.id }, test.shop.apiKey);
    expect(found).toEqual({ order: body, fulfillments: [], fulfillment_errors: [] });
  });

  it('needs no address, but a given one must be whole', async () => {
    const test = await openTestSandbox();
    const without = { customer_address: undefined, shipping_address: {} };
    expect((await createShopOrder(test, without)).body).toMatchObject({
      customer_address: null,
      shipping_address: null,
    });
    const shipping_address = { ...orderFields.shipping_address, ward: '' };
    const { status, body } = await createShopOrder(test, { shipping_address });
    expect([status, body.meta.field]).toEqual([400, 'shipping_address.ward']);
  });

  it.each([
    [{ total_items: 9 }, { field: 'total_items', expected: '3', given: '9' }],
    [{ lines: [] }, { field: 'lines' }],
    [{ external_id: 'x' }, { field: 'external_id' }],
    [{ external_id: 'a b' }, { field: 'external_id' }],
    [{ payment_method: 'barter' }, { field: 'payment_method' }],
    [
      { shipping: { ...shippingFields, chargeable_weight: 1 } },
      { field: 'shipping.chargeable_weight', expected: '3000' },
    ],
    [{ shipping: { ...shippingFields, cod_amount: -1 } }, { field: 'shipping.cod_amount' }],
    [{ shipping: { ...shippingFields, shipping_service_fee: -1 } }, { field: 'shipping.shipping_service_fee' }],
    [{ fee_lines: [{ amount: 40000 }, { amount: -10000 }] }, { field: 'fee_lines[1].amount' }],
    [{ order_discount: -1, total_discount: 99999, total_amount: 1280001 }, { field: 'order_discount' }],
    [{ order_discount: 1400000, total_discount: 1500000, total_amount: -120000 }, { field: 'total_amount' }],
    [{ total_amount: -1 }, { field: 'total_amount', expected: '1280000', given: '-1' }],
    [{ external_meta: { a: 1 } }, { field: 'external_meta.a' }],
    [{ shipping: { ...shippingFields, try_on: 'maybe' } }, { field: 'shipping.try_on' }],
  ])('refuses %j', async (changes, meta) => {
    const test = await openTestSandbox();
    const { status, body } = await createShopOrder(test, changes);
    expect([status, body.code]).toEqual([400, 'invalid_argument']);
    expect(body.meta).toMatchObject(meta);
    expect(await test.changes()).toEqual([]);
  });

  it('changes the customer with its address, and the order', async () => {
    const test = await openTestSandbox();
    const create = () => createShopOrder(test);
    expect(await changesOf(test, create)).toEqual(['customer create', 'customer_address create', 'order create']);
    expect(await changesOf(test, create)).toEqual(['order create']);
  });

  it('is not for a partner', async () => {
    const test = await openTestSandbox();
    for (const key of [test.shopKey, test.partner.apiKey, 'nobody']) {
      expect((await createShopOrder(test, {}, { key })).status).toBe(401);
    }
  });
});

describe("the names of a shop's orders", () => {
  const names = { external_id: 'POS-1', external_code: 'A-1' };

  it('are taken once in the shop; the refusal says by which order', async () => {
    const test = await openTestSandbox();
    const { body: order } = await createShopOrder(test, names);
    for (const [again, duplicated] of [
      [names, 'external_id'],
      [{ external_id: 'POS-1' }, 'external_id'],
      [{ external_code: 'A-1' }, 'external_code'],
    ] as const) {
      const { status, body } = await createShopOrder(test, again);
      expect([status, body.code]).toEqual([409, 'already_exists']);
      expect(body.meta).toEqual({ duplicated, order_id: order.id });
    }
    expect((await createShopOrder(test, names, { key: test.otherShop.apiKey })).status).toBe(200);
  });

  it("collide with a partner's in their external code alone", async () => {
    const test = await openTestSandbox();
    const { body: partners } = await shipPartnerOrder(test, names);
    const { status, body } = await createShopOrder(test, names);
    expect([status, body.meta]).toEqual([409, { duplicated: 'external_code', order_id: partners.order.id }]);
    expect((await createShopOrder(test, { external_id: names.external_id })).status).toBe(200);
  });

  it('are free again when the order is cancelled, and the live order is found by them', async () => {
    const test = await openTestSandbox();
    const { body: first } = await createShopOrder(test, names);
    await test.post('shop.Order/CancelOrder', { id: first.id, cancel_reason: 'x' }, test.shop.apiKey);
    const { body: second, status } = await createShopOrder(test, names);
    expect(status).toBe(200);
    const { body } = await test.post('shop.Order/GetOrder', { external_id: 'POS-1' }, test.shop.apiKey);
    expect(body.order.id).toBe(second.id);
  });
});

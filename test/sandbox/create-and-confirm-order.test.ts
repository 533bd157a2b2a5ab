import { describe, expect, it } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { type OrderChanges, orderFields, quotedOrder } from '../support/sandbox-order.ts';

const operation = 'partner.Shipping/CreateAndConfirmOrder';
const getOrder = 'partner.Shipping/GetOrder';
const MOST = Number.MAX_SAFE_INTEGER;

async function create(test: TestSandbox, changes?: OrderChanges, key = test.shopKey) {
  return test.post(operation, await quotedOrder(test, changes, key), key);
}

describe('CreateAndConfirmOrder', () => {
  it('answers the confirmed order with its shipment', async () => {
    const test = await openTestSandbox();
    const { status, body } = await create(test, { external_id: 'WEB-1', external_code: 'A-1' });
    expect(status).toBe(200);
    expect(body.order).toMatchObject({
      id: expect.stringMatching(/^\d{19}$/),
      shop_id: test.shop.id,
      code: 'DH000001',
      external_id: 'WEB-1',
      external_code: 'A-1',
      status: 'S',
      confirm_status: 'P',
      platform_payment_status: 'Z',
      fulfillment_shipping_status: 'Z',
      basket_value: 1350000,
      total_fee: 30000,
      created_at: '2026-01-31T08:00:00Z',
      confirmed_at: '2026-01-31T08:00:00Z',
      cancelled_at: null,
    });
    expect(body.fulfillments).toHaveLength(1);
    expect(body.fulfillments[0]).toMatchObject({
      order_id: body.order.id,
      shop_id: test.shop.id,
      carrier: 'platform',
      shipping_code: 'PL000001',
      shipping_service_fee: 53900,
      cod_amount: 1280000,
      basket_value: 1350000,
      chargeable_weight: 3000,
      total_items: 3,
      include_insurance: true,
      try_on: 'open',
      shipping_state: 'created',
      shipping_substate: '',
      shipping_status: 'Z',
      status: 'S',
      estimated_delivery_at: '2026-02-04T14:00:00Z',
    });
    expect(body.fulfillment_errors).toEqual([]);
    expect(await test.post(getOrder, { id: body.order.id }, test.shopKey)).toMatchObject({ body });
  });

  it('gives places their official names, and the return address the pickup address', async () => {
    const { body } = await create(await openTestSandbox());
    const official = { province: 'Thành phố Hà Nội', district: 'Quận Cầu Giấy', ward: 'Phường Dịch Vọng' };
    expect(body.order.customer_address).toMatchObject(official);
    expect(body.order.shipping_address).toMatchObject(official);
    expect(body.order.shipping.pickup_address.province).toBe('Thành phố Đà Nẵng');
    expect(body.order.shipping.return_address).toEqual(body.order.shipping.pickup_address);
    expect(body.fulfillments[0].shipping_address).toMatchObject(official);
  });

  it('takes an own return address', async () => {
    const test = await openTestSandbox();
    const return_address = { ...orderFields.customer_address, full_name: 'Returns' };
    const { body } = await create(test, { shipping: { return_address } });
    expect(body.fulfillments[0].return_address).toMatchObject({ full_name: 'Returns', province: 'Thành phố Hà Nội' });
    const bad = await create(test, { shipping: { return_address: { province: 'Atlantis' } } });
    expect(bad.body.meta.field).toBe('shipping.return_address.province');
    const part = await create(test, { shipping: { return_address: { full_name: 'Returns' } } });
    expect(part.body.msg).toBe('shipping.return_address.province is missing');
  });

  it('fills in what may be absent: total_fee beside fee lines, chargeable weight, insurance', async () => {
    const test = await openTestSandbox();
    const changes = { total_fee: 0, shipping: { include_insurance: null, chargeable_weight: 0 } };
    const { body } = await create(test, changes);
    expect(body.order).toMatchObject({
      total_fee: 30000,
      shipping: { include_insurance: true, chargeable_weight: 3000 },
    });
    const { body: light } = await create(test, { total_fee: undefined });
    expect(light.order.total_fee).toBe(30000);
  });

  it('accepts a larger chargeable weight, at its own fee', async () => {
    const test = await openTestSandbox();
    const { body } = await create(test, { shipping: { chargeable_weight: 3400, shipping_service_fee: 57400 } });
    expect(body.order.shipping.chargeable_weight).toBe(3400);
  });
});

describe('the sums of an order', () => {
  it.each([
    [{ total_fee: 1 }, 'total_fee', '30000'],
    [{ fee_lines: [], total_fee: 30000 }, 'total_fee', '0'],
    [{ total_discount: 1 }, 'total_discount', '100000'],
    [{ total_discount: undefined }, 'total_discount', '100000'],
    [{ order_discount: 5000 }, 'total_discount', '105000'],
    [{ basket_value: 1 }, 'basket_value', '1350000'],
    [{ total_amount: 1 }, 'total_amount', '1280000'],
    [{ total_items: 4 }, 'total_items', '3'],
  ])('are checked: %j', async (changes, field, expected) => {
    const { status, body } = await create(await openTestSandbox(), changes);
    expect([status, body.code]).toEqual([400, 'invalid_argument']);
    expect(body.meta).toMatchObject({ field, expected });
  });

  it('are checked in the stated order, payment prices last', async () => {
    const test = await openTestSandbox();
    const dear = [{ product_name: 'Tea', quantity: 1, retail_price: 5, payment_price: 6 }];
    const wrong: Record<string, unknown> = {
      lines: dear,
      total_fee: 1,
      total_discount: 1,
      basket_value: 1,
      total_amount: 1,
      total_items: 9,
    };
    const right = { total_fee: 30000, total_discount: -1, basket_value: 5, total_amount: 30006, total_items: 1 };
    for (const [field, value] of Object.entries(right)) {
      const { body } = await create(test, wrong);
      expect(body.meta).toMatchObject({ field, expected: String(value) });
      wrong[field] = value;
    }
    const { body } = await create(test, wrong);
    expect(body.meta).toEqual({ field: 'lines[0].payment_price', expected: '5', given: '6' });
  });
});

describe('the limits of an order', () => {
  const line = { product_name: 'Tea', quantity: 1, retail_price: 0, payment_price: 0 };
  const linesOf = (count: number, changes: object = {}) => ({
    lines: Array.from({ length: count }, () => ({ ...line, ...changes })),
    total_items: count,
    basket_value: 0,
    total_discount: 0,
    total_amount: 30000,
  });

  it('are 40 lines', async () => {
    const test = await openTestSandbox();
    // The fee was quoted for the usual basket, so the order is refused for it, and no longer for its lines.
    expect((await create(test, linesOf(40))).body.meta.field).toBe('shipping.shipping_service_fee');
    expect((await create(test, linesOf(41))).body.meta.field).toBe('lines');
    expect((await create(test, linesOf(0))).body.meta.field).toBe('lines');
  });

  it.each([
    [{ product_name: 'x' }, 'lines[0].product_name'],
    [{ product_name: ' x ' }, 'lines[0].product_name'],
    [{ quantity: 0 }, 'lines[0].quantity'],
    [{ quantity: -1 }, 'lines[0].quantity'],
    [{ quantity: 1000000 }, 'lines[0].quantity'],
    [{ quantity: 1.5 }, 'lines[0].quantity'],
    [{ retail_price: -1 }, 'lines[0].retail_price'],
    [{ payment_price: -1 }, 'lines[0].payment_price'],
    [{ list_price: -1 }, 'lines[0].list_price'],
    [{ retail_price: undefined }, 'lines[0].retail_price'],
    [{ quantity: 999999, retail_price: MOST, payment_price: MOST }, 'basket_value'],
  ])('refuse a line with %j', async (changes, field) => {
    const { status, body } = await create(await openTestSandbox(), linesOf(1, changes));
    expect([status, body.code, body.meta.field]).toEqual([400, 'invalid_argument', field]);
  });

  it('are the characters and the length of an external id', async () => {
    const test = await openTestSandbox();
    for (const external_id of ['a', 'a b', 'đơn', 'x'.repeat(101), 'a/b']) {
      expect((await create(test, { external_id })).body.meta.field).toBe('external_id');
    }
    for (const external_id of ['-._$#:aZ9', 'ab', 'x'.repeat(100), '']) {
      expect((await create(test, { external_id })).status).toBe(200);
    }
  });
});

describe('an address', () => {
  it.each(['customer_address', 'shipping_address', 'shipping.pickup_address'])('in %s must be whole', async (path) => {
    const test = await openTestSandbox();
    for (const field of ['full_name', 'phone', 'province', 'district', 'ward', 'address1']) {
      for (const value of [undefined, ' ']) {
        const address = { ...orderFields.customer_address, [field]: value };
        const changes = path.startsWith('shipping.') ? { shipping: { pickup_address: address } } : { [path]: address };
        const { status, body } = await create(test, changes);
        expect([status, body.meta.field]).toEqual([400, `${path}.${field}`]);
      }
    }
  });

  it('must name a place that there is', async () => {
    const test = await openTestSandbox();
    const shipping_address = { ...orderFields.shipping_address, ward: 'Phường 99' };
    const { body } = await create(test, { shipping_address });
    expect(body.meta.field).toBe('shipping_address.ward');
  });
});

describe('try_on', () => {
  it.each([undefined, 'unknown', 'maybe'])('must be given: not %s', async (try_on) => {
    const { status, body } = await create(await openTestSandbox(), { shipping: { try_on } });
    expect([status, body.meta.field]).toEqual([400, 'shipping.try_on']);
  });
});

describe('the quote of an order', () => {
  const wrong: [string, object, string][] = [
    ['fee', { shipping_service_fee: 53901 }, 'shipping.shipping_service_fee'],
    ['code', { shipping_service_code: 'XXXX' }, 'shipping.shipping_service_code'],
    ['carrier', { carrier: 'redkite' }, 'shipping.carrier'],
    ['connection', { connection_id: '1900000000000000203' }, 'shipping.connection_id'],
    ['fee for the insurance', { include_insurance: false }, 'shipping.shipping_service_fee'],
    ['fee for the cash', { cod_amount: -5 }, 'shipping.cod_amount'],
  ];

  it.each(wrong)('must match: a wrong %s is refused', async (_, shipping, field) => {
    const { status, body } = await create(await openTestSandbox(), { shipping });
    expect([status, body.code, body.meta.field]).toEqual([400, 'invalid_argument', field]);
  });

  it('may name carrier and connection, when they fit the service', async () => {
    const test = await openTestSandbox();
    const shipping = { carrier: 'platform', connection_id: '1900000000000000101' };
    expect((await create(test, { shipping })).status).toBe(200);
    expect((await create(test, { shipping: { carrier: '', connection_id: '0' } })).status).toBe(200);
  });

  it('of another shop does not fit', async () => {
    const test = await openTestSandbox();
    const order = await quotedOrder(test);
    const { body } = await test.post(operation, order, await test.signIn(test.otherShop.id));
    expect(body.meta.field).toBe('shipping.shipping_service_code');
  });

  it('cancels the order just made when it does not match, keeps the reason and frees its names', async () => {
    const test = await openTestSandbox();
    const names = { external_id: 'WEB-1', external_code: 'A-1' };
    const { body: refused } = await create(test, { ...names, shipping: { shipping_service_fee: 1 } });
    expect(refused.meta).toMatchObject({ field: 'shipping.shipping_service_fee', expected: '53900', given: '1' });
    const { body: left } = await test.post(getOrder, { external_id: 'WEB-1' }, test.shopKey);
    expect(left.order).toMatchObject({
      id: refused.meta.order_id,
      status: 'N',
      cancel_reason: refused.msg,
      cancelled_at: '2026-01-31T08:00:00Z',
    });
    expect(left.fulfillments).toEqual([]);
    const { status, body } = await create(test, names);
    expect(status).toBe(200);
    expect((await test.post(getOrder, { external_id: 'WEB-1' }, test.shopKey)).body.order.id).toBe(body.order.id);
  });

  it('is not looked at, and nothing is kept, when anything else is wrong', async () => {
    const test = await openTestSandbox();
    await create(test, { external_id: 'WEB-1', total_items: 1, shipping: { shipping_service_fee: 1 } });
    expect((await test.post(getOrder, { external_id: 'WEB-1' }, test.shopKey)).status).toBe(404);
    expect(await test.changes()).toEqual([]);
  });
});

describe('the changes of CreateAndConfirmOrder', () => {
  const names = async (test: TestSandbox) => (await test.changes()).map(({ name }) => name);

  it('are the customer with its address, the order, its shipment and its confirmation', async () => {
    const test = await openTestSandbox();
    const { body } = await create(test);
    expect(await names(test)).toEqual([
      'customer create',
      'customer_address create',
      'order create',
      'fulfillment create',
      'order update',
    ]);
    const [, , created, shipment, confirmed] = await test.changes();
    expect(created?.latest).toMatchObject({ id: body.order.id, status: 'Z', confirm_status: 'Z' });
    expect(created?.changed).toEqual(created?.latest);
    expect(shipment?.latest).toEqual(body.fulfillments[0]);
    expect(confirmed?.latest).toEqual(body.order);
    expect(confirmed?.changed).toEqual({
      id: body.order.id,
      shop_id: test.shop.id,
      shipping: body.order.shipping,
      status: 'S',
      confirm_status: 'P',
      confirmed_at: body.order.confirmed_at,
      processed_at: body.order.processed_at,
      updated_at: body.order.updated_at,
    });
  });

  it('have no customer when one with that phone and address is there already', async () => {
    const test = await openTestSandbox();
    await create(test);
    await create(test);
    expect((await names(test)).slice(5)).toEqual(['order create', 'fulfillment create', 'order update']);
  });

  it('have an address that is new to the customer, or refreshed', async () => {
    const test = await openTestSandbox();
    await create(test);
    const refreshed = { ...orderFields.shipping_address, company: 'Tea House' };
    await create(test, { shipping_address: refreshed });
    expect((await names(test))[5]).toBe('customer_address update');
    await create(test, { shipping_address: { ...refreshed, address1: '13 ngõ 5' } });
    expect((await names(test))[9]).toBe('customer_address create');
    await create(test, { shipping_address: { ...refreshed, phone: '0909999999' } });
    expect((await names(test)).slice(13, 15)).toEqual(['customer create', 'customer_address create']);
    const customers = (await test.changes()).filter(({ name }) => name === 'customer create');
    expect(customers.map(({ latest }) => latest.code)).toEqual(['KH000001', 'KH000002']);
  });

  it('are a create and a cancellation when the quote does not match', async () => {
    const test = await openTestSandbox();
    await create(test, { shipping: { shipping_service_fee: 1 } });
    expect((await names(test)).slice(2)).toEqual(['order create', 'order update']);
  });

  it('are none when the order is refused', async () => {
    const test = await openTestSandbox();
    await create(test, { external_id: 'WEB-1' });
    const before = (await names(test)).length;
    expect((await create(test, { external_id: 'WEB-1' })).status).toBe(409);
    expect(await names(test)).toHaveLength(before);
  });
});

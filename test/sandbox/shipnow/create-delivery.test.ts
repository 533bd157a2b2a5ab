import { describe, expect, it } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { createShipnow, places, priceOf, twoStops } from '../../support/shipnow.ts';
import { changesOf } from '../../support/shop-order.ts';

const { shop, lake } = places;
const operation = 'shop.Shipnow/CreateShipnowFulfillment';

/** One stop with changed fields, without the second. */
const oneStop = (changes: object = {}, address: object = {}) => ({
  delivery_points: [{ shipping_address: { ...lake, ...address }, ...changes }],
});

async function orderOf(test: TestSandbox, id: string) {
  return (await test.post('shop.Order/GetOrder', { id }, test.shop.apiKey)).body;
}

describe(operation, () => {
  it('answers the delivery with its stops', async () => {
    const test = await openTestSandbox();
    const { status, body } = await createShipnow(test, {
      external_id: 'RIDE-1',
      coupon: 'TET',
      shipping_note: 'Quick',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^\d{19}$/),
      shop_id: test.shop.id,
      external_id: 'RIDE-1',
      coupon: 'TET',
      shipping_note: 'Quick',
      shipping_code: 'SN000001',
      shipping_service_name: 'Instant',
      shipping_service_fee: 46000,
      actual_shipping_service_fee: null,
      basket_value: 270000,
      cod_amount: 150000,
      gross_weight: 2000,
      chargeable_weight: 2300,
      driver_name: null,
      confirm_status: 'P',
      shipping_state: 'created',
      shipping_status: 'Z',
      status: 'S',
      carrier_info: { name: 'Platform Delivery', image_url: 'https://sandbox.example/carriers/platform.svg' },
      created_at: '2026-01-31T08:00:00Z',
    });
    expect(body.order_ids).toHaveLength(2);
    expect(body.pickup_address).toMatchObject({
      province: 'Thành phố Hà Nội',
      district: 'Quận Cầu Giấy',
      ward: 'Phường Dịch Vọng',
      coordinates: shop.coordinates,
    });
    expect(body.delivery_points).toMatchObject([
      {
        gross_weight: 800,
        chargeable_weight: 800,
        cod_amount: 150000,
        basket_value: 150000,
        shipping_state: 'created',
      },
      { gross_weight: 1200, chargeable_weight: 1500, basket_value: 120000, shipping_note: 'Ring twice', lines: [{}] },
    ]);
    const found = await test.post('shop.Shipnow/GetShipnowFulfillment', { id: body.id }, test.shop.apiKey);
    expect(found).toEqual({ status: 200, body });
  });

  it('makes one confirmed order for each stop', async () => {
    const test = await openTestSandbox();
    const { body } = await createShipnow(test);
    const [first, second] = await Promise.all(body.order_ids.map((id: string) => orderOf(test, id)));
    expect(first).toMatchObject({
      order: {
        shop_id: test.shop.id,
        code: 'DH000001',
        status: 'S',
        confirm_status: 'P',
        platform_payment_status: 'Z',
        fulfillment_shipping_status: 'Z',
        basket_value: 150000,
        total_items: 0,
        shipping_address: { full_name: 'Lê Văn Tùng', address1: '1 Kim Mã', district: 'Quận Ba Đình' },
        shipping: { cod_amount: 150000, gross_weight: 800, pickup_address: { address1: '12 ngõ 5' } },
      },
      fulfillments: [],
    });
    expect(second.order).toMatchObject({
      code: 'DH000002',
      lines: [{ product_name: 'Trà sen', quantity: 2 }],
      total_items: 2,
      basket_value: 120000,
      total_discount: 20000,
      total_amount: 100000,
      confirmed_at: '2026-01-31T08:00:00Z',
    });
  });

  it('changes customers, orders, the delivery, and the orders again', async () => {
    const test = await openTestSandbox();
    expect(await changesOf(test, () => createShipnow(test))).toEqual([
      'customer create',
      'customer_address create',
      'order create',
      'customer create',
      'customer_address create',
      'order create',
      'shipnow_fulfillment create',
      'order update',
      'order update',
    ]);
    expect(await changesOf(test, () => createShipnow(test))).toEqual([
      'order create',
      'order create',
      'shipnow_fulfillment create',
      'order update',
      'order update',
    ]);
  });

  it('prices the delivery again, and keeps nothing when code or fee do not match', async () => {
    const test = await openTestSandbox();
    const { body } = await priceOf(test);
    const { code } = body.services[0];
    const { body: other } = await priceOf(test, twoStops, test.otherShop.apiKey);
    const service = (shipping_service_code: string, shipping_service_fee: number) =>
      createShipnow(test, { shipping_service_code, shipping_service_fee });
    const wrongFee = await service(code, 45999);
    expect(wrongFee).toMatchObject({
      status: 400,
      body: { meta: { field: 'shipping_service_fee', expected: '46000', given: '45999' } },
    });
    for (const wrong of ['XXXX', other.services[0].code]) {
      expect((await service(wrong, 46000)).body.meta.field).toBe('shipping_service_code');
    }
    expect(await test.changes()).toEqual([]);
    expect((await service(code, 46000)).status).toBe(200);
  });

  it('fits no quote that was guessed from names alone', async () => {
    const test = await openTestSandbox();
    const { coordinates: _, ...named } = shop;
    const { body } = await priceOf(test, { ...twoStops, pickup_address: named });
    const [{ code, fee }] = body.services;
    const answer = await createShipnow(test, { shipping_service_code: code, shipping_service_fee: fee });
    expect(answer.body.meta).toMatchObject({ field: 'shipping_service_fee', expected: '46000' });
  });

  it('takes ten stops', async () => {
    const test = await openTestSandbox();
    const delivery_points = Array.from({ length: 10 }, () => ({ shipping_address: lake }));
    const { status, body } = await createShipnow(test, { delivery_points });
    expect(status).toBe(200);
    expect(new Set(body.order_ids).size).toBe(10);
    const eleven = await createShipnow(test, { delivery_points: [...delivery_points, { shipping_address: lake }] });
    expect([eleven.status, eleven.body.meta.field]).toEqual([400, 'delivery_points']);
  });

  it.each([
    ['full_name', ' '],
    ['phone', undefined],
    ['province', ''],
    ['district', undefined],
    ['address', ''],
    ['coordinates', undefined],
  ])('needs in each address its %s', async (field, value) => {
    const test = await openTestSandbox();
    const stop = await createShipnow(test, oneStop({}, { [field]: value }));
    expect([stop.status, stop.body.meta.field]).toEqual([400, `delivery_points[0].shipping_address.${field}`]);
    const pickup = await createShipnow(test, { pickup_address: { ...shop, [field]: value } });
    expect([pickup.status, pickup.body.meta.field]).toEqual([400, `pickup_address.${field}`]);
  });

  it('needs no ward, but a given one must be known', async () => {
    const test = await openTestSandbox();
    expect((await createShipnow(test, oneStop())).status).toBe(200);
    const { body } = await createShipnow(test, oneStop({}, { ward: 'Phường 99' }));
    expect(body.meta.field).toBe('delivery_points[0].shipping_address.ward');
  });

  const line = { product_name: 'Tea', quantity: 1, retail_price: 10, payment_price: 10 };
  it.each([
    [oneStop({}, { coordinates: { latitude: 21 } }), 'delivery_points[0].shipping_address.coordinates.longitude'],
    [
      oneStop({}, { coordinates: { latitude: 99, longitude: 0 } }),
      'delivery_points[0].shipping_address.coordinates.latitude',
    ],
    [oneStop({ cod_amount: -1 }), 'delivery_points[0].cod_amount'],
    [oneStop({ basket_value: -1 }), 'delivery_points[0].basket_value'],
    [oneStop({ gross_weight: -1 }), 'delivery_points[0].gross_weight'],
    [oneStop({ gross_weight: 500, chargeable_weight: 499 }), 'delivery_points[0].chargeable_weight'],
    [oneStop({ lines: [{ ...line, quantity: 0 }] }), 'delivery_points[0].lines[0].quantity'],
    [oneStop({ lines: [{ ...line, payment_price: 11 }] }), 'delivery_points[0].lines[0].payment_price'],
    [oneStop({ lines: [line], basket_value: 11 }), 'delivery_points[0].basket_value'],
    [oneStop({ lines: [{ ...line, variant_id: '12' }] }), 'delivery_points[0].lines[0].variant_id'],
    [oneStop({ lines: Array.from({ length: 41 }, () => line) }), 'delivery_points[0].lines'],
    [{ external_id: 'a b' }, 'external_id'],
    [{ shipping_service_fee: undefined }, 'shipping_service_fee'],
    [{ pickup_address: { ...shop, province: 'Atlantis' } }, 'pickup_address.province'],
  ])('refuses %j', async (changes, field) => {
    const test = await openTestSandbox();
    const { status, body } = await createShipnow(test, changes);
    expect([status, body.code, body.meta.field]).toEqual([400, 'invalid_argument', field]);
    expect(await test.changes()).toEqual([]);
  });

  it('refuses amounts that together are no exact integer', async () => {
    const test = await openTestSandbox();
    const stop = { shipping_address: lake, basket_value: Number.MAX_SAFE_INTEGER };
    const { status, body } = await createShipnow(test, { delivery_points: [stop, stop] });
    expect([status, body.meta.field]).toEqual([400, 'basket_value']);
  });

  it('is not for a partner', async () => {
    const test = await openTestSandbox();
    const { body } = await priceOf(test);
    const [{ code, fee }] = body.services;
    const delivery = { ...twoStops, shipping_service_code: code, shipping_service_fee: fee };
    expect((await test.post(operation, delivery, test.shopKey)).status).toBe(401);
  });
});

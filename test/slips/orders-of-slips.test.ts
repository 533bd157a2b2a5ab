import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { slipOf } from '../../src/slips/slip.ts';
import { shopWorld } from '../support/shop-world.ts';

const recipient = {
  full_name: 'Lan',
  phone: '0901234567',
  address1: '12 ngõ 5',
  ward: 'P',
  district: 'Q',
  province: 'T',
};
const pickup = { full_name: 'Kho', phone: '0905123456', address1: 'Lô 7', district: 'Q2', province: 'T2' };
const order = {
  code: 'DH000001',
  external_id: '9123456789012345678',
  external_code: null,
  order_note: 'Gọi trước',
  shipping_address: recipient,
  lines: [
    {
      product_name: 'Áo',
      quantity: 2,
      attributes: [
        { name: 'Màu', value: 'xanh' },
        { name: 'Cỡ', value: 'M' },
      ],
    },
  ],
  shipping: {
    carrier: 'swift',
    cod_amount: 5,
    chargeable_weight: 500,
    try_on: 'open',
    shipping_note: 'Dễ vỡ',
    pickup_address: pickup,
  },
};
const shipment = (shipping_code: string, status: string) => ({
  shipping_code,
  status,
  carrier: 'swift',
  shipping_service_name: 'Nhanh',
  cod_amount: 1_280_000,
  chargeable_weight: 3000,
  try_on: 'none',
  shipping_note: 'Gọi trước',
  pickup_address: pickup,
  shipping_address: recipient,
});

describe('the slip of an order', () => {
  const zone = 'Asia/Ho_Chi_Minh';

  it('tells of its shipment: code, day, cash, weight, whole addresses, each note once', () => {
    const created_at = '2026-11-25T18:00:00Z';
    expect(slipOf({ order, fulfillments: [{ ...shipment('GX1', 'S'), created_at }] }, zone)).toEqual({
      code: 'DH000001',
      externalId: '9123456789012345678',
      externalCode: '',
      day: '26/11/2026',
      carrier: 'swift',
      service: 'Nhanh',
      shippingCode: 'GX1',
      sender: { name: 'Kho', phone: '0905123456', address: 'Lô 7, Q2, T2' },
      recipient: { name: 'Lan', phone: '0901234567', address: '12 ngõ 5, P, Q, T' },
      lines: [{ name: 'Áo', variant: 'Màu: xanh, Cỡ: M', quantity: 2 }],
      codAmount: 1_280_000,
      weightGrams: 3000,
      tryOn: 'none',
      note: 'Gọi trước',
    });
  });

  it('names no order by what shopctl has made, which nobody says', () => {
    const slip = (external_id: string) => slipOf({ order: { ...order, external_id } }, zone)?.externalId;
    expect(['WEB-1', 'shopctl-s1-1efe1bc50efb2a3e30e5', 'shopctl-shop'].map(slip)).toEqual([
      'WEB-1',
      '',
      'shopctl-shop',
    ]);
  });

  it('names a variant once, where the name of the goods has a part of it already', () => {
    const attributes = [
      { name: 'Màu', value: 'Xanh' },
      { name: 'Cỡ', value: 'M' },
    ];
    const named = (product_name: string) =>
      slipOf({ order: { ...order, lines: [{ product_name, quantity: 1, attributes }] } }, zone)?.lines[0]?.variant;
    expect(['Ô gấp, Xanh', 'Ô gấp, Xanh, M', 'Ô gấp'].map(named)).toEqual(['Cỡ: M', '', 'Màu: Xanh, Cỡ: M']);
  });

  it('is of the shipment that goes out, where an earlier one was cancelled', () => {
    expect(slipOf({ order, fulfillments: [shipment('GX1', 'N'), shipment('GX2', 'S')] }, zone)?.shippingCode).toBe(
      'GX2',
    );
    expect(slipOf({ order, fulfillments: [shipment('GX1', 'N')] }, zone)).toBeUndefined();
  });

  it('is made from the order alone before it has a shipment', () => {
    expect(slipOf({ order: { ...order, created_at: '2026-11-25T16:00:00Z' }, fulfillments: null }, zone)).toMatchObject(
      {
        shippingCode: '',
        day: '25/11/2026',
        carrier: 'swift',
        codAmount: 5,
        note: 'Dễ vỡ · Gọi trước',
        sender: { name: 'Kho' },
      },
    );
    expect(slipOf({}, zone)).toBeUndefined();
    // Nobody knows yet what is collected of one that is not shipped.
    expect(slipOf({ order: { ...order, shipping: null }, fulfillments: null }, zone)?.codAmount).toBeUndefined();
  });
});

it('are read no further once one of them could not be', async () => {
  const asked = new Set<string>();
  let go = () => {};
  const isOver = new Promise<void>((resolve) => {
    go = resolve;
  });
  const json = (status: number, body: object) => ({
    ...{ status, headers: { 'content-type': 'application/json' } },
    body: JSON.stringify(body),
  });
  const world = await shopWorld(() => async ({ body }) => {
    const [name = ''] = /N-\d+/.exec(String(body)) ?? [];
    asked.add(name);
    if (name === 'N-0') return json(403, { code: 'permission_denied', msg: 'no', meta: {} });
    await isOver;
    return json(200, { order: { ...order, id: '7', external_id: name }, fulfillments: [] });
  });
  const names = Array.from({ length: 9 }, (_, number) => `N-${number}`);
  expect((await world.run(['slips', ...names, '--to', 'slips.pdf', '--profile', 'shop'])).exit).not.toBe(0);
  const before = [...asked];
  go();
  // Everything that goes on at once is over by then.
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  expect([before.includes('N-0'), before.length < names.length, [...asked]]).toEqual([true, true, before]);
});

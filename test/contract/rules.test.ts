import { describe, expect, it } from 'vitest';
import { type OrderSums, orderRules } from '../../src/contract/schema/order-rules.ts';
import { atLeastOneOf, exactlyOneOf, notBlank, notNegative } from '../../src/contract/schema/rules.ts';
import { webhookRules } from '../../src/contract/schema/webhook-rules.ts';

describe('the rules of an order', () => {
  const lines = [
    { quantity: 2, retail_price: 450000, payment_price: 400000 },
    { quantity: 1, retail_price: 450000, payment_price: 450000 },
  ];
  const sums = {
    total_items: 3,
    basket_value: 1350000,
    order_discount: 0,
    total_discount: 100000,
    total_fee: 30000,
    total_amount: 1280000,
  };
  const right = { lines, fee_lines: [{ amount: 30000 }], ...sums };
  const wrong = (change: OrderSums) => orderRules({ ...right, ...change });

  it('have nothing to say about right sums', () => {
    expect(orderRules(right)).toEqual([]);
    expect(wrong({ shipping: null })).toEqual([]);
  });

  it('say what a sum is, what it should be, and why', () => {
    expect(wrong({ basket_value: 100 })).toEqual([
      { path: 'basket_value', message: 'is 100, should be 1350000 (2 * 450000 + 1 * 450000)' },
    ]);
    expect(wrong({ total_items: undefined })).toEqual([
      { path: 'total_items', message: 'is missing, should be 3 (2 + 1)' },
    ]);
  });

  it('refuse a price above the one before discount', () => {
    const [first, second] = lines;
    const dear = wrong({ lines: [{ ...first, payment_price: 450001 }, second ?? {}] });
    expect(dear).toContainEqual({
      path: 'lines[0].payment_price',
      message: 'is 450001, more than the retail_price of 450000',
    });
  });

  it('refuse a weight below the computed one, and no other', () => {
    const parcel = { gross_weight: 1200, length: 30, width: 25, height: 20 };
    expect(wrong({ shipping: { ...parcel, chargeable_weight: 2999 } })).toEqual([
      {
        path: 'shipping.chargeable_weight',
        message: 'is 2999, should be at least 3000 (MAX(1200, 30 * 25 * 20 / 5))',
      },
    ]);
    for (const weight of [undefined, null, 0, 3000, 5000]) {
      expect(wrong({ shipping: { ...parcel, chargeable_weight: weight } })).toEqual([]);
    }
  });

  it('refuse amounts below zero, wherever they stand', () => {
    const negative = (path: string) => ({ path, message: 'must not be negative' });
    expect(wrong({ fee_lines: [{ amount: 40000 }, { amount: -10000 }] })).toEqual([negative('fee_lines[1].amount')]);
    const tooMuch = { order_discount: 1400000, total_discount: 1500000, total_amount: -120000 };
    expect(wrong(tooMuch)).toEqual([negative('total_amount')]);
    expect(wrong({ order_discount: -1, total_discount: 99999, total_amount: 1280001 })).toEqual([
      negative('order_discount'),
    ]);
    expect(wrong({ shipping: { cod_amount: -1, shipping_service_fee: -1 } })).toEqual([
      negative('shipping.cod_amount'),
      negative('shipping.shipping_service_fee'),
    ]);
    const priced = lines.map((line) => ({ ...line, list_price: -1 }));
    expect(wrong({ lines: priced })).toEqual([negative('lines[0].list_price'), negative('lines[1].list_price')]);
  });

  it('name numbers that cannot be summed', () => {
    expect(wrong({ lines: [{ quantity: 2, retail_price: Number.MAX_SAFE_INTEGER }] })[0]?.message).toMatch(
      /adds up to more than/,
    );
    expect(wrong({ shipping: { gross_weight: -1 } })).toEqual([
      { path: 'shipping.gross_weight', message: 'must not be negative' },
    ]);
  });
});

describe('a choice of fields', () => {
  it('wants exactly one', () => {
    const rule = exactlyOneOf('id', 'code', 'external_id');
    const wanted = 'give exactly one of id, code, external_id';
    expect(rule({ code: 'A' })).toEqual([]);
    expect(rule({ id: '', code: null, external_id: 'x' })).toEqual([]);
    expect(rule({})).toEqual([{ path: 'id', message: `is missing: ${wanted}` }]);
    expect(rule({ code: 'A', external_id: 'x' })).toEqual([
      { path: 'external_id', message: `cannot go together with code: ${wanted}` },
    ]);
  });

  it('looks into the filter of a list', () => {
    const rule = exactlyOneOf('filter.group_id', 'filter.customer_id');
    expect(rule({ filter: { group_id: '1' } })).toEqual([]);
    expect(rule({ filter: { group_id: '1', customer_id: '2' } })[0]?.path).toBe('filter.customer_id');
    for (const request of [{}, { filter: null }, { filter: { group_id: '' } }]) expect(rule(request)).toHaveLength(1);
  });

  it('wants at least one', () => {
    const rule = atLeastOneOf('id', 'code');
    expect(rule({ id: '1', code: 'A' })).toEqual([]);
    expect(rule({ other: '1' })).toEqual([{ path: 'id', message: 'is missing: give at least one of id, code' }]);
  });
});

it('a name that is given says something', () => {
  const rule = notBlank('name');
  expect(rule({ name: 'VIP' })).toEqual([]);
  expect(rule({})).toEqual([]);
  for (const name of ['', ' ', '\t\n'])
    expect(rule({ name })).toEqual([{ path: 'name', message: 'must not be empty' }]);
});

it('an amount is found below zero in every item of a list, by its path', () => {
  const rule = notNegative('fee', 'stops.cash', 'stops.lines.price');
  const stops = [{ cash: 0 }, { cash: -1, lines: [{ price: 1 }, { price: -2 }] }, { lines: null }];
  const message = 'must not be negative';
  expect(rule({ fee: -3, stops })).toEqual([
    { path: 'fee', message },
    { path: 'stops[1].cash', message },
    { path: 'stops[1].lines[1].price', message },
  ]);
  expect(rule({ fee: null })).toEqual([]);
});

describe('the rules of a webhook', () => {
  it('want an http url and every entity once', () => {
    expect(webhookRules({ url: 'https://shop.example/hook?secret=1', entities: ['order', 'fulfillment'] })).toEqual([]);
    for (const url of ['', 'shop.example', 'ftp://shop.example', 'javascript:1']) {
      expect(webhookRules({ url, entities: ['order'] })).toEqual([
        { path: 'url', message: 'must be an http or https URL' },
      ]);
    }
    for (const url of ['https://me:hush@shop.example/hook', 'http://me@shop.example', 'http://:hush@shop.example']) {
      expect(webhookRules({ url, entities: ['order'] })).toEqual([
        { path: 'url', message: 'must not carry a user name or password' },
      ]);
    }
    expect(webhookRules({ url: 'https://shop.example/hook?mail=a@b', entities: ['order'] })).toEqual([]);
    expect(webhookRules({ url: 'http://a', entities: ['order', 'product', 'order'] })).toEqual([
      { path: 'entities[2]', message: 'names order a second time' },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { callback } from '../../src/contract/records/change.ts';
import { serviceError } from '../../src/contract/records/error.ts';
import { orderWithFulfillments } from '../../src/contract/records/fulfillment.ts';
import { order } from '../../src/contract/records/order.ts';
import { complete } from '../../src/sandbox/engine/complete-answer.ts';

describe('complete', () => {
  it('puts null for scalars, times and records, [] for lists and "0" for ids that are not set', () => {
    expect(complete(order, {})).toMatchObject({ id: '0', code: null, created_at: null, shipping: null, lines: [] });
  });

  it('keeps the order in which the contract declares the fields, and drops what it does not know', () => {
    const whole = complete(order, { code: 'DH1', id: '3', secret: 1 }) as object;
    expect(Object.keys(whole)).toEqual(Object.keys(order.shape));
  });

  it('goes into lists and records, and leaves 0, false and "" as they are', () => {
    const answer = complete(orderWithFulfillments, {
      order: { lines: [{ quantity: 0, product_name: '' }], pre_order: false },
      fulfillment_errors: [{ code: 'ok', msg: '', meta: {} }],
    });
    expect(answer).toMatchObject({
      order: { lines: [{ quantity: 0, product_name: '', attributes: [], product_id: '0' }], pre_order: false },
      fulfillments: [],
    });
    expect(answer).toHaveProperty('fulfillment_errors', [{ code: 'ok', msg: '' }]);
  });

  it('leaves out the meta of an error and the one-of keys of a change when they are empty', () => {
    expect(complete(serviceError, { code: 'x', msg: 'y', meta: {} })).toEqual({ code: 'x', msg: 'y' });
    const { changes } = complete(callback, { changes: [{ latest: { customer_group: { id: '7' } } }] }) as {
      changes: { latest: object }[];
    };
    expect(changes[0]?.latest).toEqual({ customer_group: { id: '7', shop_id: '0', name: null, deleted: null } });
  });
});

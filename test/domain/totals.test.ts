import { describe, expect, it } from 'vitest';
import {
  checkTotals,
  expectedTotals,
  fillTotals,
  type OrderAmounts,
  totalNames,
} from '../../src/domain/amounts/totals.ts';
import { AmountError } from '../../src/domain/amounts/weight.ts';
import { fc } from '../support/fast-check.ts';

const lines = [
  { product_name: 'Áo khoác', quantity: 2, list_price: 500000, retail_price: 450000, payment_price: 400000 },
  { product_name: 'Áo khoác', quantity: 1, list_price: 500000, retail_price: 450000, payment_price: 450000 },
];
const order = { external_id: 'A-1', lines, fee_lines: [{ type: 'shipping', amount: 30000 }], order_discount: 5000 };
const right = {
  total_fee: 30000,
  total_discount: 105000,
  basket_value: 1350000,
  total_amount: 1275000,
  total_items: 3,
};

function errorOf(run: () => unknown): AmountError {
  try {
    run();
  } catch (error) {
    if (error instanceof AmountError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const money = fc.nat({ max: 10_000_000 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const orders: fc.Arbitrary<OrderAmounts> = fc.record(
  {
    lines: fc.array(
      fc.record(
        { quantity: fc.nat({ max: 999 }), retail_price: money, payment_price: fc.option(money) },
        { requiredKeys: ['quantity', 'retail_price'] },
      ),
      { maxLength: 6 },
    ),
    fee_lines: fc.array(fc.record({ amount: money }), { maxLength: 3 }),
    order_discount: maybe(money),
    total_amount: fc.option(money),
    total_fee: fc.option(fc.nat({ max: 1 })),
  },
  { requiredKeys: [] },
);

describe('expectedTotals', () => {
  it('follows the formulas of the contract', () => {
    expect(expectedTotals(order)).toEqual(right);
  });

  it('takes an empty order as five zeros', () => {
    const zeros = { total_fee: 0, total_discount: 0, basket_value: 0, total_amount: 0, total_items: 0 };
    expect(expectedTotals({})).toEqual(zeros);
    expect(expectedTotals({ lines: null, fee_lines: null, order_discount: null })).toEqual(zeros);
  });

  it('reads a line without payment_price as the wire does: the buyer pays nothing for it', () => {
    expect(expectedTotals({ lines: [{ quantity: 2, retail_price: 100 }] })).toMatchObject({
      total_discount: 200,
      total_amount: 0,
    });
  });

  it('sums exactly where floating point would round on the way', () => {
    const big = Number.MAX_SAFE_INTEGER;
    const fees = [{ amount: big }, { amount: big }, { amount: -big }];
    expect(expectedTotals({ fee_lines: fees }).total_fee).toBe(big);
  });

  it.each([
    [{ lines: [{}, {}, { quantity: 1.5 }] }, 'lines[2].quantity', 'not_an_integer'],
    [{ lines: [{ retail_price: Number.NaN }] }, 'lines[0].retail_price', 'not_an_integer'],
    [{ lines: [{ payment_price: Number.POSITIVE_INFINITY }] }, 'lines[0].payment_price', 'not_an_integer'],
    [{ lines: [{ payment_price: 2 ** 53 }] }, 'lines[0].payment_price', 'not_safe'],
    [{ fee_lines: [{ amount: '30000' }] }, 'fee_lines[0].amount', 'not_an_integer'],
    [{ order_discount: 0.1 }, 'order_discount', 'not_an_integer'],
    [{ lines: [{ quantity: 2 ** 30, retail_price: 2 ** 30 }] }, 'total_discount', 'overflow'],
    [{ fee_lines: [{ amount: 2 ** 53 - 1 }, { amount: 1 }] }, 'total_fee', 'overflow'],
    [{ lines: {} }, 'lines', 'not_a_list'],
    [{ lines: [null] }, 'lines[0]', 'not_an_object'],
  ])('refuses %j and names the field', (input, field, kind) => {
    const error = errorOf(() => expectedTotals(input as unknown as OrderAmounts));
    expect(error).toMatchObject({ field, kind });
    expect(error.message.startsWith(`${field} `)).toBe(true);
  });

  it('gives an amount that is basket less discount plus fee, for any order', () => {
    fc.assert(
      fc.property(orders, (any) => {
        const totals = expectedTotals(any);
        expect(totals.total_amount).toBe(totals.basket_value - totals.total_discount + totals.total_fee);
      }),
    );
  });
});

describe('checkTotals', () => {
  it('finds nothing in an order whose sums are right', () => {
    expect(checkTotals({ ...order, ...right })).toEqual([]);
  });

  it('names every wrong sum in the order the service checks, with the arithmetic written out', () => {
    expect(checkTotals({ ...order, ...{ ...right, total_discount: 1, basket_value: 900000, total_items: 2 } })).toEqual(
      [
        {
          kind: 'total',
          field: 'total_discount',
          given: 1,
          expected: 105000,
          formula: '2 * (450000 - 400000) + 1 * (450000 - 450000) + 5000',
        },
        {
          kind: 'total',
          field: 'basket_value',
          given: 900000,
          expected: 1350000,
          formula: '2 * 450000 + 1 * 450000',
        },
        { kind: 'total', field: 'total_items', given: 2, expected: 3, formula: '2 + 1' },
      ],
    );
  });

  it('takes an absent or null sum as 0 and reports it as null', () => {
    const found = checkTotals({ ...order, total_amount: null });
    expect(found.map(({ field, given }) => [field, given])).toEqual([
      ['total_discount', null],
      ['basket_value', null],
      ['total_amount', null],
      ['total_items', null],
    ]);
  });

  it('accepts fee lines without total_fee, but not with 0, and still counts them in total_amount', () => {
    const { total_fee: _, ...rest } = right;
    expect(checkTotals({ ...order, ...rest })).toEqual([]);
    expect(checkTotals({ ...order, ...right, total_fee: 0 })).toMatchObject([{ field: 'total_fee', expected: 30000 }]);
    expect(checkTotals({ ...order, ...rest, total_amount: 1245000 })).toMatchObject([
      { field: 'total_amount', given: 1245000, expected: 1275000, formula: '1350000 - 105000 + 30000' },
    ]);
  });

  it('refuses a total_fee that no fee line explains', () => {
    expect(checkTotals({ total_fee: 30000 })).toEqual([
      { kind: 'total', field: 'total_fee', given: 30000, expected: 0, formula: '0' },
    ]);
  });

  it('reports a payment price above the retail price as a kind of its own', () => {
    const dear = fillTotals({ lines: [{ quantity: 1, retail_price: 100, payment_price: 120 }] });
    expect(checkTotals(dear)).toEqual([
      {
        kind: 'payment_above_retail',
        field: 'lines[0].payment_price',
        given: 120,
        expected: 100,
        formula: 'payment_price 120 > retail_price 100',
      },
    ]);
  });

  it('writes negative terms in parentheses', () => {
    expect(checkTotals({ fee_lines: [{ amount: -5 }, { amount: 3 }], total_amount: -2, total_fee: 1 })).toMatchObject([
      { field: 'total_fee', formula: '(-5) + 3', expected: -2 },
    ]);
  });

  it('refuses a given sum that is not an integer', () => {
    expect(errorOf(() => checkTotals({ total_items: 0.5 })).field).toBe('total_items');
  });
});

describe('fillTotals', () => {
  it('adds the missing sums behind the fields they come from and leaves the order alone', () => {
    const input = { ...order, order_note: 'x' };
    const filled = fillTotals(input);
    expect(filled).toMatchObject(right);
    expect(Object.keys(filled)).toEqual([
      'external_id',
      'lines',
      'fee_lines',
      'order_discount',
      'total_items',
      'basket_value',
      'total_discount',
      'total_fee',
      'total_amount',
      'order_note',
    ]);
    expect(Object.keys(input)).not.toContain('total_items');
    expect(filled.lines).toEqual(lines);
  });

  it('gives a line without a price the same payment, in an order with nothing else too', () => {
    const gift = { quantity: 1, retail_price: 0 };
    expect(fillTotals({ lines: [gift] }).lines).toEqual([{ ...gift, payment_price: 0 }]);
    expect(fillTotals({ lines: [gift, ...lines] }).lines?.[0]).toEqual({ ...gift, payment_price: 0 });
  });

  it('fills null where it stands', () => {
    expect(Object.entries(fillTotals({ total_items: null, lines })).at(0)).toEqual(['total_items', 3]);
  });

  it('gives sums to an order of which nothing is summed, too', () => {
    expect(fillTotals({})).toEqual({
      total_items: 0,
      basket_value: 0,
      total_discount: 0,
      total_fee: 0,
      total_amount: 0,
    });
  });

  it('leaves a wrong sum to be reported, unless it may overwrite', () => {
    const wrong = { ...order, total_items: 7 };
    expect(fillTotals(wrong).total_items).toBe(7);
    expect(fillTotals(wrong, { overwrite: true })).toMatchObject(right);
    expect(fillTotals({ ...order, total_fee: 0 }).total_fee).toBe(0);
  });

  it('takes a missing payment price for the retail price', () => {
    const filled = fillTotals({ lines: [{ quantity: 2, retail_price: 100, name: 'x' }] });
    expect(filled).toMatchObject({ total_discount: 0, total_amount: 200 });
    expect(Object.entries(filled.lines?.[0] ?? {})).toEqual([
      ['quantity', 2],
      ['retail_price', 100],
      ['payment_price', 100],
      ['name', 'x'],
    ]);
    expect(fillTotals({ lines: [{ quantity: 2, retail_price: 100, payment_price: null }] }).total_amount).toBe(200);
  });

  it('leaves a line free of charge where the given total_discount says that it is', () => {
    const gift = { lines: [{ quantity: 1, retail_price: 100 }], total_discount: 100 };
    expect(fillTotals(gift)).toMatchObject({ lines: gift.lines, total_discount: 100, total_amount: 0 });
  });

  it('keeps a hostile __proto__ key as data', () => {
    const filled = fillTotals(JSON.parse('{"__proto__":{"total_items":9},"lines":[]}') as OrderAmounts);
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
    expect(filled.total_items).toBe(0);
  });

  it('is right after overwriting, whatever was given', () => {
    fc.assert(
      fc.property(orders, (any) => {
        const filled = fillTotals(any, { overwrite: true });
        expect(checkTotals(filled).filter(({ kind }) => kind === 'total')).toEqual([]);
        for (const name of totalNames) expect(Number.isSafeInteger(filled[name])).toBe(true);
      }),
    );
  });

  it('changes nothing when run again, and never spoils a right order', () => {
    fc.assert(
      fc.property(orders, (any) => {
        const once = fillTotals(any);
        expect(fillTotals(once)).toEqual(once);
        if (checkTotals(any).length === 0) expect(checkTotals(once)).toEqual([]);
      }),
    );
  });
});

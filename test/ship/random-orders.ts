import { fc } from '../support/fast-check.ts';

const MOST_LINES = 40;

const everyday = fc.oneof(fc.nat(10), fc.nat(5_000_000));
const huge = fc.integer({ min: 2 ** 40, max: Number.MAX_SAFE_INTEGER });

const quantity = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 999_999 }) },
);

const lineOf = (price: fc.Arbitrary<number>) =>
  fc.record({ quantity, retail_price: price, off: fc.integer({ min: -2, max: 100 }) }).map((drawn) => {
    const { quantity, retail_price, off } = drawn;
    // Mostly a discount, sometimes none, rarely dearer than before it.
    const payment_price = Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, retail_price - off));
    return { product_name: 'Trà', quantity, retail_price, payment_price };
  });

const ordersOf = (price: fc.Arbitrary<number>) =>
  fc.record({
    lines: fc.oneof(
      { weight: 5, arbitrary: fc.array(lineOf(price), { minLength: 1, maxLength: 4 }) },
      { weight: 1, arbitrary: fc.array(lineOf(price), { minLength: 5, maxLength: MOST_LINES }) },
    ),
    fee_lines: fc.array(fc.record({ type: fc.constant('shipping'), amount: price }), { maxLength: 3 }),
    order_discount: fc.oneof(fc.constant(0), fc.nat(50_000)),
  });

/** Orders without their sums, of up to 40 lines; some reach the largest integer that a JSON number carries exactly. */
export const randomOrders = fc.oneof(
  { weight: 6, arbitrary: ordersOf(everyday) },
  { weight: 2, arbitrary: ordersOf(fc.oneof(everyday, huge)) },
);

import { expect, it } from 'vitest';
import { negativeAmounts } from '../../src/domain/amounts/negative-amounts.ts';
import { checkTotals, fillTotals, totalNames } from '../../src/domain/amounts/totals.ts';
import { AmountError, checkChargeable, fillChargeable } from '../../src/domain/amounts/weight.ts';
import { completeOrder } from '../../src/ledger/order-draft.ts';
import { fc } from '../support/fast-check.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { randomOrders } from './random-orders.ts';

const isDear = ({ kind }: { kind: string }) => kind === 'payment_above_retail';

/** Undefined where the numbers cannot be summed at all. */
function summed<Value>(sum: () => Value): Value | undefined {
  try {
    return sum();
  } catch (error) {
    if (error instanceof AmountError) return undefined;
    throw error;
  }
}

it('what is filled is found right, sums and weights, and filling again changes nothing', () => {
  let right = 0;
  const side = fc.oneof(fc.nat(300), fc.nat(200_000));
  const parcels = fc.record(
    { gross_weight: fc.nat(), length: side, width: side, height: side },
    { requiredKeys: ['gross_weight'] },
  );
  fc.assert(
    fc.property(randomOrders, parcels, (order, shipping) => {
      const complete = summed(() => completeOrder({ ...order, shipping }));
      if (complete === undefined) return;
      right += 1;
      expect(checkTotals(complete).filter((wrong) => !isDear(wrong))).toEqual([]);
      expect(checkChargeable(complete.shipping ?? {}).ok).toBe(true);
      expect(fillTotals(complete)).toEqual(complete);
      expect(fillChargeable(complete.shipping ?? {})).toEqual(complete.shipping);
    }),
    { numRuns: 300 },
  );
  expect(right).toBeGreaterThan(50);
});

it('the sandbox agrees with the formulas on each verdict, and on the first thing that is wrong', async () => {
  const { post, shop } = await openTestSandbox();
  const seen = { accepted: 0, refused: 0, unsummed: 0, negative: 0 };
  const changes = fc.oneof(
    fc.constant(undefined),
    fc.tuple(fc.constantFrom(...totalNames), fc.constantFrom(-1, 1, 1000)),
  );
  await fc.assert(
    fc.asyncProperty(randomOrders, changes, async (order, change) => {
      const complete = summed(() => fillTotals(order));
      const [field, by] = change ?? [];
      const request = {
        ...(complete ?? order),
        ...(complete && field ? { [field]: complete[field] + (by ?? 0) } : {}),
      } as typeof order;
      const wrong = summed(() => checkTotals(request));
      const { status, body } = await post('shop.Order/CreateOrder', request, shop.apiKey);
      if (wrong === undefined) {
        seen.unsummed += 1;
        expect([status, body.code]).toEqual([400, 'invalid_argument']);
        return;
      }
      const [first] = wrong;
      const [negative] = negativeAmounts(request);
      if (first === undefined && negative !== undefined) {
        seen.negative += 1;
        expect([status, body.meta]).toEqual([400, { field: negative }]);
        return;
      }
      seen[first === undefined ? 'accepted' : 'refused'] += 1;
      if (first === undefined) {
        expect([status, body.total_amount]).toEqual([200, complete?.total_amount]);
        return;
      }
      expect([status, body.code, body.meta.expected]).toEqual([400, 'invalid_argument', String(first.expected)]);
      expect(body.msg).toContain(first.field);
    }),
    { numRuns: 150 },
  );
  expect(seen.accepted).toBeGreaterThan(20);
  expect(seen.refused).toBeGreaterThan(20);
  expect(seen.unsummed).toBeGreaterThan(0);
  expect(seen.negative).toBeGreaterThan(0);
});

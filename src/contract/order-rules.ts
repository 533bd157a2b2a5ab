import { AmountError } from '../domain/amount-error.ts';
import { negativeAmounts, type SignedAmounts } from '../domain/negative-amounts.ts';
import { checkTotals } from '../domain/totals.ts';
import { checkChargeable, type Parcel } from '../domain/weight.ts';
import type { FieldError } from './operation.ts';

/** What the rules of an order read of it; a shipping part is there where the order has one. */
export type OrderSums = SignedAmounts & { readonly shipping?: Parcel | null | undefined };

/** Sums that are no exact integers are themselves what is wrong. */
function judged(prefix: string, check: () => FieldError[]): FieldError[] {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    return [{ path: prefix + error.field, message: error.message.slice(error.field.length).trimStart() }];
  }
}

function sumErrors(order: OrderSums): FieldError[] {
  return checkTotals(order).map((wrong) => {
    if (wrong.kind === 'payment_above_retail') {
      return { path: wrong.field, message: `is ${wrong.given}, more than the retail_price of ${wrong.expected}` };
    }
    const is = wrong.given === null ? 'is missing' : `is ${wrong.given}`;
    return { path: wrong.field, message: `${is}, should be ${wrong.expected} (${wrong.formula})` };
  });
}

function weightErrors(parcel: Parcel): FieldError[] {
  const check = checkChargeable(parcel);
  if (check.ok) return [];
  const message = `is ${check.given}, should be at least ${check.minimum} (${check.formula})`;
  return [{ path: 'shipping.chargeable_weight', message }];
}

/** Where an order differs from its formulas, the sums, the prices and the weight, or has amounts below zero (contract, "Order" and "OrderShipping"). */
export function orderRules(order: OrderSums): FieldError[] {
  const { shipping } = order;
  return [
    ...judged('', () => sumErrors(order)),
    ...negativeAmounts(order).map((path) => ({ path, message: 'must not be negative' })),
    ...(shipping ? judged('shipping.', () => weightErrors(shipping)) : []),
  ];
}

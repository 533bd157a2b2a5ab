import { AmountError } from '../../domain/amounts/amount-error.ts';
import { negativeAmounts, type SignedAmounts } from '../../domain/amounts/negative-amounts.ts';
import { checkTotals } from '../../domain/amounts/totals.ts';
import { checkChargeable, type Parcel } from '../../domain/amounts/weight.ts';
import type { FieldError } from '../operation.ts';

/** The fields of an order that its rules use; `shipping` is there if the order has a shipping part. */
export type OrderSums = SignedAmounts & { readonly shipping?: Parcel | null | undefined };

/** Turns an AmountError into a field error: sums that cannot be computed are errors themselves. */
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

/** A line of no items, or of fewer, is a mistake whatever it costs. */
function quantityErrors({ lines }: OrderSums): FieldError[] {
  return (lines ?? []).flatMap(({ quantity }, index) =>
    typeof quantity === 'number' && quantity < 1
      ? [{ path: `lines[${index}].quantity`, message: 'must be at least 1' }]
      : [],
  );
}

/** Amounts and quantities of an order that are wrong whatever else it says. */
export function ownErrors(order: OrderSums): FieldError[] {
  const negative = negativeAmounts(order).map((path) => ({ path, message: 'must not be negative' }));
  return [...quantityErrors(order), ...negative];
}

/**
 * Where an order violates its formulas (sums, prices and weight), or has negative amounts or lines of no items (contract,
 * "Order" and "OrderShipping").
 */
export function orderRules(order: OrderSums): FieldError[] {
  const { shipping } = order;
  return [
    ...ownErrors(order),
    ...judged('', () => sumErrors(order)),
    ...(shipping ? judged('shipping.', () => weightErrors(shipping)) : []),
  ];
}

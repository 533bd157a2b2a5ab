import { formatMoney } from '../../domain/amounts/money.ts';
import { negativeAmounts, type SignedAmounts } from '../../domain/amounts/negative-amounts.ts';
import { checkTotals } from '../../domain/amounts/totals.ts';
import { AmountError, checkChargeable, type Parcel } from '../../domain/amounts/weight.ts';
import { fieldsIn, recordsIn } from '../../domain/json/values.ts';
import type { FieldError } from '../operation.ts';
import { saying } from './rules.ts';

/**
 * The warning before cancelling an order whose cash was collected on delivery: cancelling returns neither the goods nor
 * the money. Undefined for any other order.
 */
export function deliveredWithCash(answer: unknown): string | undefined {
  const { order, fulfillments } = fieldsIn(answer);
  const paid = recordsIn(fulfillments).flatMap(({ shipping_state: state, cod_amount: cash }) =>
    state === 'delivered' && typeof cash === 'number' && cash > 0 ? [cash] : [],
  );
  if (paid.length === 0) return undefined;
  const cash = formatMoney(paid.reduce((sum, each) => sum + each, 0));
  const { code } = fieldsIn(order);
  const which = typeof code === 'string' ? `order ${code}` : 'this order';
  return `${which} is delivered, and ${cash} in cash was collected for it; cancelling brings back neither goods nor money`;
}

/** What a cancellation did to an order some of whose shipments could not be cancelled; undefined for any other. */
export function cancelledWithShipments(answer: unknown): string | undefined {
  const { order, fulfillment_errors: errors } = fieldsIn(answer);
  const failed = recordsIn(errors).filter(({ code }) => typeof code === 'string' && code !== '' && code !== 'ok');
  if (failed.length === 0) return undefined;
  const { code, status } = fieldsIn(order);
  const which = typeof code === 'string' ? `order ${code}` : 'the order';
  const rest = 'shipments that were not cancelled continue, with their fees and their cash on delivery';
  return status === 'N' ? `${which} is now cancelled; ${rest}` : `${which} is not cancelled; ${rest}`;
}

/** The warning that an order with a shipping part is not shipped just because it is confirmed. */
export function notShipped(answer: unknown): string | undefined {
  const { shipping } = fieldsIn(answer);
  return shipping
    ? 'its shipping part is stored with it, and nothing is shipped, not even when it is confirmed'
    : undefined;
}

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

saying(
  orderRules,
  {
    required: ['total_items'],
    properties: {
      total_items: { minimum: 1 },
      lines: { items: { properties: { quantity: { minimum: 1 } } } },
    },
  },
  {
    description:
      'No amount is negative. total_items, basket_value and total_amount are the sums of the lines, discounts and fees, and chargeable_weight is at least what the carrier charges; `totals fill` fills them in, and `totals check` compares them.',
  },
);

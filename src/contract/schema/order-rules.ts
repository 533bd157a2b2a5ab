import { negativeAmounts, type SignedAmounts } from '../../domain/amounts/negative-amounts.ts';
import { checkTotals } from '../../domain/amounts/totals.ts';
import { AmountError, checkChargeable, type Parcel } from '../../domain/amounts/weight.ts';
import { type Fields, fieldsIn, recordsIn } from '../../domain/json/values.ts';
import { labels } from '../labels.ts';
import type { BeforeEnd, FieldError } from '../operation.ts';
import { type SaidParcel, say } from '../texts.ts';
import { saying } from './rules.ts';

/** States of a parcel that no carrier has yet, or no longer (contract, ShippingState, ShipnowState). */
const atHome: ReadonlySet<string> = new Set([
  ...['', 'unknown', 'default', 'created', 'confirmed', 'processing', 'assigning', 'picking', 'cancelled'],
]);

/** Whether a parcel was picked up, so that nothing stops it any more; one in a state that is not known counts as such. */
export const isPickedUp = (parcel: Fields): boolean =>
  typeof parcel.shipping_state === 'string' && !atHome.has(parcel.shipping_state);

/** The word for a status; undefined for any other value. */
export const wordOfStatus = (status: unknown): string | undefined =>
  Object.entries(labels().status).find(([letter]) => letter === status)?.[1];

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const cashOf = ({ cod_amount: cash }: Fields) => (typeof cash === 'number' ? cash : 0);

/** A parcel as sentences have it. */
const saidOf = (parcel: Fields): SaidParcel => ({
  code: textOf(parcel.shipping_code),
  state: textOf(parcel.shipping_state),
  cash: cashOf(parcel),
});

/** Status letters of what no carrier has: new, and cancelled. */
const NOT_AWAY: readonly unknown[] = ['Z', 'N'];

/** Whether it is known of a parcel if it was picked up: by its state, or where that is not set, by its status. */
const isKnown = ({ shipping_state: state, shipping_status: status }: Fields) =>
  (textOf(state) !== undefined && state !== 'unknown') || NOT_AWAY.includes(status);

/** The parcels of an order that are not cancelled; undefined if the answer does not say what they are, or where. */
function liveParcels(order: Fields, fulfillments: unknown) {
  // A list that is not set has nothing in it, if the order does not say otherwise.
  if (!Array.isArray(fulfillments)) return NOT_AWAY.includes(order.fulfillment_shipping_status) ? [] : undefined;
  const parcels = recordsIn(fulfillments);
  const live = parcels.filter(({ shipping_state: state }) => state !== 'cancelled');
  return parcels.length === fulfillments.length && live.every(isKnown) ? live : undefined;
}

/**
 * What an order is before it is cancelled: its name, state and money, its parcels, and those that nothing stops. Undefined
 * for an answer without the order, its parcels or their states: it does not say that nothing was picked up.
 */
export function beforeCancelling(answer: unknown): BeforeEnd | undefined {
  const { order: given, fulfillments } = fieldsIn(answer);
  const order = fieldsIn(given);
  // What is cancelled already is for the service to refuse.
  const live = order.status === 'N' ? [] : liveParcels(order, fulfillments);
  if (textOf(order.id) === undefined || live === undefined) return undefined;
  const away = live.filter(isPickedUp);
  const { full_name: name } = fieldsIn(order.shipping_address ?? order.customer_address);
  const said = {
    code: textOf(order.code),
    name: textOf(name),
    status: textOf(order.status),
    total: typeof order.total_amount === 'number' ? order.total_amount : undefined,
  };
  const subject = say().cancel.subject({ order: said, parcels: live.map(saidOf) });
  // An on-demand delivery is no parcel of the order, and shows in its status alone.
  const { fulfillment_shipping_status: status } = order;
  const isDelivered = live.length === 0 && typeof status === 'string' && ['S', 'P', 'NS'].includes(status);
  const delivery = isDelivered && order.status !== 'N' ? { status, isOnItsWay: status === 'S' } : undefined;
  const ending = live.filter((parcel) => !isPickedUp(parcel)).map(saidOf);
  const ends = { order: said, ending, away: away.map(saidOf), delivery };
  const effect = say().cancel.effect(ends);
  if (away.length > 0 || delivery !== undefined) return { subject, effect, goesOn: say().cancel.goesOn(ends) };
  return ending.length === 0 ? { subject, effect } : { subject, effect, endsToo: say().cancel.endsToo(ends) };
}

/** What a cancellation did to an order some of whose shipments could not be cancelled; undefined for any other. */
export function cancelledWithShipments(answer: unknown): string | undefined {
  const { order, fulfillments, fulfillment_errors: errors } = fieldsIn(answer);
  const failed = recordsIn(errors).filter(({ code }) => typeof code === 'string' && code !== '' && code !== 'ok');
  if (failed.length === 0) return undefined;
  return say().cancel.done({
    order: { code: textOf(fieldsIn(order).code) },
    isCancelled: fieldsIn(order).status === 'N',
    parcels: recordsIn(fulfillments).filter(isPickedUp).map(saidOf),
    failed: failed.map(({ code, msg }) => textOf(msg) ?? String(code)),
  });
}

/** The warning that an order with a shipping part is not shipped just because it is confirmed. */
export function notShipped(answer: unknown): string | undefined {
  const { shipping } = fieldsIn(answer);
  return shipping ? say().notShipped : undefined;
}

/** The fields of an order that its rules use; `shipping` is there if the order has a shipping part. */
export type OrderSums = SignedAmounts & { readonly shipping?: Parcel | null | undefined };

/** Turns an AmountError into a field error: sums that cannot be computed are errors themselves. */
function judged(prefix: string, check: () => FieldError[]): FieldError[] {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    return [{ path: prefix + error.field, message: error.fault }];
  }
}

function sumErrors(order: OrderSums): FieldError[] {
  return checkTotals(order).map((wrong) => {
    if (wrong.kind === 'payment_above_retail') {
      return { path: wrong.field, message: say().rules.aboveRetail(wrong) };
    }
    const { field: path, given, expected, formula } = wrong;
    const message =
      given === null ? say().rules.missingSum({ expected, formula }) : say().rules.sum({ given, expected, formula });
    return { path, message };
  });
}

function weightErrors(parcel: Parcel): FieldError[] {
  const check = checkChargeable(parcel);
  if (check.ok) return [];
  return [{ path: 'shipping.chargeable_weight', message: say().rules.leastWeight(check) }];
}

/** A line of no items, or of fewer, is a mistake whatever it costs. */
function quantityErrors({ lines }: OrderSums): FieldError[] {
  return (lines ?? []).flatMap(({ quantity }, index) =>
    typeof quantity === 'number' && quantity < 1
      ? [{ path: `lines[${index}].quantity`, message: say().rules.atLeast({ least: 1 }) }]
      : [],
  );
}

/** Amounts and quantities of an order that are wrong whatever else it says. */
export function ownErrors(order: OrderSums): FieldError[] {
  const negative = negativeAmounts(order).map((path) => ({ path, message: say().rules.negative }));
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

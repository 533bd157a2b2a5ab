import { formatMoney } from '../../domain/amounts/money.ts';
import { negativeAmounts, type SignedAmounts } from '../../domain/amounts/negative-amounts.ts';
import { checkTotals } from '../../domain/amounts/totals.ts';
import { AmountError, checkChargeable, type Parcel } from '../../domain/amounts/weight.ts';
import { type Fields, fieldsIn, recordsIn } from '../../domain/json/values.ts';
import { statusWords } from '../enums.ts';
import type { BeforeEnd, FieldError } from '../operation.ts';
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
  Object.entries(statusWords).find(([letter]) => letter === status)?.[1];

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const called = (order: unknown) => {
  const code = textOf(fieldsIn(order).code);
  return code === undefined ? 'this order' : `order ${code}`;
};

const parcelCalled = ({ shipping_code: code }: Fields) => (textOf(code) === undefined ? 'parcel' : `parcel ${code}`);

const cashOf = ({ cod_amount: cash }: Fields) => (typeof cash === 'number' ? cash : 0);

/** What a cancellation finds where a parcel was picked up, by its state. */
const found: Readonly<Record<string, string>> = {
  returning: 'is returning: it comes back to the shop by itself',
  returned: 'is returned: the shop has it back, and there is nothing to stop',
  undeliverable: 'is undeliverable: the carrier has given it up, and knows where it is',
};

/** How a parcel stands that was picked up, for somebody who wants its order cancelled. */
const standing = (parcel: Fields): string => {
  const state = String(parcel.shipping_state);
  if (state === 'delivered') {
    const cash = cashOf(parcel) > 0 ? `, ${formatMoney(cashOf(parcel))} in cash was collected` : '';
    return `its ${parcelCalled(parcel)} is delivered: the buyer has it${cash}, and the service takes no request for a return`;
  }
  return `its ${parcelCalled(parcel)} ${found[state] ?? `is ${state}: the carrier has it, and nothing stops it any more`}`;
};

/** What goes on of a parcel that was picked up, with its cash. */
function goingOn(parcel: Fields): string {
  const cash = formatMoney(cashOf(parcel));
  const which = `its ${parcelCalled(parcel)}`;
  const { shipping_state: state } = parcel;
  // Nothing of it goes on any more, and no cash is collected.
  if (state === 'returned' || state === 'undeliverable') return `${which} is ${state}, and stays so`;
  if (state === 'returning') return `${which} is returning, and comes back by itself`;
  if (state !== 'delivered')
    return `${which} is ${parcel.shipping_state} and goes on${cashOf(parcel) > 0 ? `, with ${cash} in cash to collect` : ''}`;
  return cashOf(parcel) > 0
    ? `${which} is delivered, and ${cash} in cash was collected: that brings back neither goods nor money`
    : `${which} is delivered: that does not bring it back`;
}

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
  const facts = [
    ...[wordOfStatus(order.status) ?? []].flat(),
    ...(typeof order.total_amount === 'number' ? [formatMoney(order.total_amount)] : []),
    ...live.map(
      (parcel) =>
        `${parcelCalled(parcel)} ${textOf(parcel.shipping_state) ?? 'new'}${cashOf(parcel) > 0 ? ` with ${formatMoney(cashOf(parcel))} in cash` : ''}`,
    ),
  ];
  const subject = `${called(order)}${textOf(name) === undefined ? '' : ` for ${name}`}: ${facts.join(', ')}`;
  // An on-demand delivery is no parcel of the order, and shows in its status alone.
  const { fulfillment_shipping_status: status } = order;
  const isDelivered = live.length === 0 && ['S', 'P', 'NS'].some((letter) => letter === status) && order.status !== 'N';
  const ending = live.filter((parcel) => !isPickedUp(parcel)).map((parcel) => `its ${parcelCalled(parcel)}`);
  const areOrIs = ending.length > 1 ? 'are' : 'is';
  if (away.length === 0 && !isDelivered) {
    if (ending.length === 0) return { subject, effect: 'the order is cancelled' };
    const endsToo = `${called(order)} is not cancelled alone: ${ending.join(' and ')} ${areOrIs} not picked up, and would be cancelled with it`;
    return { subject, effect: `the order is cancelled, and so ${areOrIs} ${ending.join(' and ')}`, endsToo };
  }
  const isOnItsWay = status === 'S';
  const which = isDelivered ? `its delivery is ${wordOfStatus(status)}` : away.map(standing).join('; ');
  return {
    subject,
    effect: `the order is cancelled${ending.length > 0 ? `, and so ${areOrIs} ${ending.join(' and ')}` : ''}; ${isDelivered ? `${which}, and ${isOnItsWay ? 'goes on' : 'stays so'}` : away.map(goingOn).join('; ')}`,
    goesOn: `${called(order)} is not cancelled: ${which}${isDelivered && isOnItsWay ? ', and nothing stops it any more' : ''}`,
  };
}

/** What a cancellation did to an order some of whose shipments could not be cancelled; undefined for any other. */
export function cancelledWithShipments(answer: unknown): string | undefined {
  const { order, fulfillments, fulfillment_errors: errors } = fieldsIn(answer);
  const failed = recordsIn(errors).filter(({ code }) => typeof code === 'string' && code !== '' && code !== 'ok');
  if (failed.length === 0) return undefined;
  const parcels = recordsIn(fulfillments).filter(isPickedUp);
  const rest = parcels.length > 0 ? parcels.map(goingOn) : failed.map(({ code, msg }) => textOf(msg) ?? String(code));
  const state = fieldsIn(order).status === 'N' ? 'is cancelled, but' : 'is not cancelled:';
  return `${called(order)} ${state} ${rest.join('; ')}`;
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

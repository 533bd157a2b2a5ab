import * as enums from '../enums.ts';
import { flag, grams, id, int, list, money, nested, oneOf, record, text, time } from '../schema/scalars.ts';
import { orderAddress } from './address.ts';
import { carrierName } from './carrier-name.ts';
import { serviceError } from './error.ts';
import { order } from './order.ts';

/** A shipment of an order (contract, "Fulfillment"). */
export const fulfillment = record({
  id: id('Id of the shipment'),
  order_id: id('Id of its order'),
  shop_id: id('Id of the shop'),
  self_url: text('URL of the shipment'),
  carrier: carrierName('Carrier'),
  shipping_code: text("The carrier's code of the parcel"),
  shipping_note: text('Note for the carrier'),
  shipping_service_code: text('Code of the service'),
  shipping_service_name: text('Name of the service'),
  shipping_service_fee: money('What the shop was quoted'),
  actual_shipping_service_fee: money('What the carrier charged'),
  cod_amount: money('Cash to collect from the buyer'),
  actual_cod_amount: money('Cash that was collected'),
  basket_value: money('Value of the goods; the basis of the insurance'),
  chargeable_weight: grams('Weight that is charged for'),
  total_items: int('Number of items', 'items'),
  include_insurance: flag('Whether the parcel is insured'),
  try_on: oneOf(enums.tryOn, 'What the buyer may do before paying'),
  confirm_status: oneOf(enums.status3, 'Whether the shipment is confirmed'),
  platform_payment_status: oneOf(enums.status4, 'Whether the platform has settled the money'),
  shipping_status: oneOf(enums.status5, 'Status of the shipping'),
  status: oneOf(enums.status5, 'Status of the shipment'),
  shipping_state: oneOf(enums.shippingState, 'Where the parcel is on its way'),
  shipping_substate: oneOf(enums.substate, 'What went wrong on the way'),
  pickup_address: nested(orderAddress, 'Where it is picked up'),
  return_address: nested(orderAddress, 'Where it returns to'),
  shipping_address: nested(orderAddress, 'Where it goes'),
  estimated_pickup_at: time('When it is likely to be picked up'),
  estimated_delivery_at: time('When it is likely to be delivered'),
  cancel_reason: text('Why it was cancelled'),
  created_at: time('When it was created'),
  updated_at: time('When it last changed'),
  closed_at: time('When it was closed'),
  cancelled_at: time('When it was cancelled'),
});

/** An order with its shipments, as returned by the order operations with shipping (decisions, section 6). */
export const orderWithFulfillments = record({
  order: nested(order, 'The order'),
  fulfillments: list(fulfillment, 'Its shipments'),
  fulfillment_errors: list(serviceError, 'Problems of single shipments; an entry with code ok is none'),
});

export type Status5 = (typeof enums.status5)[number];
export type ShippingState = (typeof enums.shippingState)[number];
export type Substate = (typeof enums.substate)[number];

/** One step of a parcel; `substate` is the shipment's substate in the state it reaches, empty if nothing went wrong. */
export interface ShippingStep {
  readonly state: ShippingState;
  readonly substate: Substate;
}

/** The facts about a state (decisions, section 7). */
interface StateFacts {
  /** The shipping status in this state. */
  readonly shipping: Status5;
  /** Whether the carrier still accepts a cancellation: until it has picked the parcel up. */
  readonly cancellable: boolean;
  /** Whether the state is final. */
  readonly final: boolean;
  /** The states that can follow. */
  readonly next: readonly ShippingStep[];
  /** Substates that can be reported while the parcel stays in this state; empty if none can. */
  readonly reports?: readonly Substate[];
}

/** A step to a state. */
export const stepTo = (state: ShippingState, substate: Substate = ''): ShippingStep => ({ state, substate });

const waiting = { shipping: 'Z', cancellable: true, final: false } as const;
const onItsWay = { shipping: 'S', cancellable: false, final: false } as const;
/** The buyer will not get the parcel any more. */
const failed = { shipping: 'NS', cancellable: false } as const;

/** Every state of a shipment. `confirmed` and `processing` are accepted, but never produced. */
export const shippingStates: Readonly<Record<ShippingState, StateFacts>> = {
  unknown: { ...waiting, next: [] },
  default: { ...waiting, next: [stepTo('created'), stepTo('cancelled')] },
  created: { ...waiting, next: [stepTo('picking'), stepTo('cancelled')], reports: ['', 'cancelling'] },
  confirmed: { ...waiting, next: [] },
  processing: { ...waiting, next: [] },
  picking: {
    ...waiting,
    shipping: 'S',
    next: [stepTo('holding'), stepTo('cancelled')],
    reports: ['', 'pick_fail', 'cancelling'],
  },
  holding: {
    ...onItsWay,
    next: [stepTo('delivering'), stepTo('returning', 'delivery_fail'), stepTo('undeliverable')],
    reports: ['devivery_giveup'],
  },
  delivering: { ...onItsWay, next: [stepTo('delivered'), stepTo('holding', 'delivery_fail'), stepTo('undeliverable')] },
  delivered: { shipping: 'P', cancellable: false, final: true, next: [] },
  returning: { ...failed, final: false, next: [stepTo('returned'), stepTo('undeliverable')], reports: ['return_fail'] },
  returned: { ...failed, final: true, next: [] },
  cancelled: { shipping: 'N', cancellable: false, final: true, next: [] },
  undeliverable: { ...failed, final: true, next: [] },
};

const produced: ReadonlySet<string> = new Set(
  Object.values(shippingStates).flatMap(({ next }) => next.map(({ state }) => state)),
);

/**
 * Whether a parcel in a state may still come to another one. What is not known of a state, or who may come to it, is
 * taken for possible, except after a final one.
 */
export function mayBecome(state: string, target: string): boolean {
  const open = [state];
  for (const here of open) {
    const facts = Object.entries(shippingStates).find(([name]) => name === here)?.[1];
    if (facts?.final === true) continue;
    if (facts === undefined || facts.next.length === 0 || !produced.has(target)) return true;
    const next = facts.next.map((step) => step.state);
    if (next.some((name) => name === target)) return true;
    open.push(...next.filter((name) => !open.includes(name)));
  }
  return false;
}

import type { shippingState, status4, status5, substate } from '../../contract/enums.ts';
import { fewestSteps } from './fewest-steps.ts';

export type Status4 = (typeof status4)[number];
export type Status5 = (typeof status5)[number];
export type ShippingState = (typeof shippingState)[number];
export type Substate = (typeof substate)[number];

/** One move of a parcel; `substate` is what the shipment shows in the state it comes to, empty where nothing went wrong. */
export interface Step {
  readonly state: ShippingState;
  readonly substate: Substate;
}

/** What is known of a state (decisions, section 7). */
interface StateFacts {
  /** The status of the shipping in this state. */
  readonly shipping: Status5;
  /** Whether the carrier still lets the shipment be cancelled: until it has picked the parcel up. */
  readonly cancellable: boolean;
  /** Whether nothing more happens to the parcel. */
  readonly final: boolean;
  /** Where the parcel may go from here. */
  readonly next: readonly Step[];
  /** What may be told of the parcel while it stays in this state; empty where that is over. */
  readonly reports?: readonly Substate[];
}

const to = (state: ShippingState, substate: Substate = ''): Step => ({ state, substate });

const waiting = { shipping: 'Z', cancellable: true, final: false } as const;
const onItsWay = { shipping: 'S', cancellable: false, final: false } as const;
/** The buyer will not get it any more. */
const failed = { shipping: 'NS', cancellable: false } as const;

/** Every state of a shipment. `confirmed` and `processing` are read, but never produced. */
export const shippingStates: Readonly<Record<ShippingState, StateFacts>> = {
  unknown: { ...waiting, next: [] },
  default: { ...waiting, next: [to('created'), to('cancelled')] },
  created: { ...waiting, next: [to('picking'), to('cancelled')], reports: ['', 'cancelling'] },
  confirmed: { ...waiting, next: [] },
  processing: { ...waiting, next: [] },
  picking: {
    ...waiting,
    shipping: 'S',
    next: [to('holding'), to('cancelled')],
    reports: ['', 'pick_fail', 'cancelling'],
  },
  holding: {
    ...onItsWay,
    next: [to('delivering'), to('returning', 'delivery_fail'), to('undeliverable')],
    reports: ['devivery_giveup'],
  },
  delivering: { ...onItsWay, next: [to('delivered'), to('holding', 'delivery_fail'), to('undeliverable')] },
  delivered: { shipping: 'P', cancellable: false, final: true, next: [] },
  returning: { ...failed, final: false, next: [to('returned'), to('undeliverable')], reports: ['return_fail'] },
  returned: { ...failed, final: true, next: [] },
  cancelled: { shipping: 'N', cancellable: false, final: true, next: [] },
  undeliverable: { ...failed, final: true, next: [] },
};

/** The moves from where a shipment is, and what may be told of it there; a parcel returns only after a delivery has failed. */
export function nextSteps({ state, substate }: Step): readonly Step[] {
  const hasFailed = substate === 'delivery_fail' || substate === 'devivery_giveup';
  const { next, reports = [] } = shippingStates[state];
  const moves = next.filter((step) => step.state !== 'returning' || hasFailed);
  const told = reports.filter((report) => report !== substate && (report !== 'devivery_giveup' || hasFailed));
  return [...moves, ...told.map((report) => to(state, report))];
}

/**
 * The moves that bring a shipment to a state, and there to a substate where one is asked for; the fewest there are.
 * Undefined where it can never get there, or is there already.
 */
export function stepsTo(from: Step, target: ShippingState, substate?: Substate): readonly Step[] | undefined {
  if (from.state === target && (substate ?? from.substate) === from.substate) return undefined;
  return fewestSteps(from, nextSteps, (step) => step.state === target && (substate ?? step.substate) === step.substate);
}

/** The status of a shipment: delivered is done only when the money is settled, too. */
export function shipmentStatus(state: ShippingState, payment: Status4): Status5 {
  return statusByShipping(shippingStates[state].shipping, payment);
}

/** The status of whatever is shipped, from its shipping status and its payment. */
export function statusByShipping(shipping: Status5, payment: Status4): Status5 {
  if (shipping === 'N' || shipping === 'NS') return shipping;
  return shipping === 'P' && payment === 'P' ? 'P' : 'S';
}

/** What is over where something was delivered; a parcel that got lost keeps its order in progress. */
const over: ReadonlySet<ShippingState> = new Set(['cancelled', 'returning', 'returned', 'delivered']);

/** The shipping status of an order, from where its shipments are (decisions, section 7). */
export function orderShippingStatus(shipments: readonly ShippingState[]): Status5 {
  const all = (...among: Status5[]) => shipments.every((state) => among.includes(shippingStates[state].shipping));
  if (all('Z')) return 'Z';
  if (all('N')) return 'N';
  if (all('N', 'NS')) return 'NS';
  return shipments.every((state) => over.has(state)) ? 'P' : 'S';
}

/** What the status of an order follows from. */
export interface OrderFacts {
  readonly cancelled: boolean;
  readonly confirmed: boolean;
  readonly shipping: Status5;
  readonly payment: Status4;
}

/** The status of an order (decisions, section 7). */
export function orderStatus({ cancelled, confirmed, shipping, payment }: OrderFacts): Status5 {
  if (cancelled) return 'N';
  if (shipping === 'NS') return 'NS';
  if (shipping === 'P' && payment === 'P') return 'P';
  return confirmed ? 'S' : 'Z';
}

import type { status4 } from '../../../contract/enums.ts';
import {
  type ShippingState,
  type Status5,
  type ShippingStep as Step,
  type Substate,
  shippingStates,
  stepTo as to,
} from '../../../contract/records/fulfillment.ts';
import type { Entity, RecordOf } from '../../engine/store/record-kinds.ts';

export { type ShippingState, type Status5, type Step, shippingStates };

/** The target after delivery, when the payment is settled; not a state of the parcel. */
export const RECONCILED = 'reconciled';

/** One step: the state it leads to, or `reconciled`, and the substate there. */
export interface MoveStep {
  readonly state: string;
  readonly substate: string;
}

/** The target of a move; without a substate any will do. */
export interface Target {
  readonly state: string;
  readonly substate?: string | undefined;
}

/**
 * A shipment of an order or an on-demand delivery, in one unit of work, as `advance` needs it. Each step writes its
 * changes and returns the shipment in its new state.
 */
export interface Moving {
  readonly entity: Extract<Entity, 'fulfillment' | 'shipnow_fulfillment'>;
  readonly id: string;
  readonly shopId: string;
  readonly orderIds: readonly string[];
  readonly record: RecordOf<'fulfillment'> | RecordOf<'shipnow_fulfillment'>;
  /** The possible targets, including `reconciled`. */
  readonly states: readonly string[];
  /** The current state; `reconciled` once the payment is settled. */
  readonly here: MoveStep;
  /** The steps that are allowed from here. */
  next(): readonly MoveStep[];
  /** The shortest sequence of steps to the target; undefined if there is none, or it is there already. */
  stepsTo(target: Target): readonly MoveStep[] | undefined;
  take(step: MoveStep): Moving;
  /** When it takes a step by itself, after a given time; milliseconds by the business clock. */
  dueOf(step: MoveStep, after: number): number;
}

/** What differs between the two kinds; their steps do not include the payment. */
interface Course extends Pick<Moving, 'entity' | 'id' | 'shopId' | 'orderIds' | 'record' | 'states' | 'dueOf'> {
  readonly at: MoveStep;
  readonly settled: boolean;
  next(): readonly MoveStep[];
  stepsTo(target: Target): readonly MoveStep[] | undefined;
  take(step: MoveStep): Moving;
  settle(): Moving;
}

/** The step that settles the payment: allowed once delivered and not settled yet. */
const settling: MoveStep = { state: RECONCILED, substate: '' };

/** How long after the delivery the payment is settled. */
const SETTLING_MS = 24 * 3_600_000;

/**
 * Adds the settling of the payment to the end of a course (decisions, section 7: a delivery is complete when it is
 * paid).
 */
export function moving(course: Course): Moving {
  const canSettle = course.at.state === 'delivered' && !course.settled;
  return {
    ...course,
    states: [...course.states, RECONCILED],
    here: course.settled ? settling : course.at,
    next: () => [...course.next(), ...(canSettle ? [settling] : [])],
    stepsTo(target) {
      if (target.state !== RECONCILED) return course.stepsTo(target);
      if (target.substate) return undefined;
      if (canSettle) return [settling];
      const way = course.stepsTo({ state: 'delivered' });
      return way && [...way, settling];
    },
    take: (step) => (step.state === RECONCILED ? course.settle() : course.take(step)),
    dueOf: (step, after) => (step.state === RECONCILED ? after + SETTLING_MS : course.dueOf(step, after)),
  };
}

/** The position of a shipment or delivery: a state and its substate. */
interface Place {
  readonly state: string;
  readonly substate?: string;
}

/**
 * The shortest sequence of steps, at least one, from a place to one where `arrived` holds; undefined if there is none.
 */
export function fewestSteps<Step extends Place>(
  from: Step,
  next: (here: Step) => readonly Step[],
  arrived: (step: Step) => boolean,
): readonly Step[] | undefined {
  const seen = new Set<string>();
  const paths: (readonly Step[])[] = [[]];
  for (const path of paths) {
    const here = path.at(-1) ?? from;
    if (path.length > 0 && arrived(here)) return path;
    for (const step of next(here)) {
      const name = `${step.state} ${step.substate ?? ''}`;
      if (!seen.has(name)) paths.push([...path, step]);
      seen.add(name);
    }
  }
  return undefined;
}

export type Status4 = (typeof status4)[number];

/**
 * The possible steps from a shipment's state, including substates reported there; a parcel returns only after a failed
 * delivery.
 */
export function nextSteps({ state, substate }: Step): readonly Step[] {
  const hasFailed = substate === 'delivery_fail' || substate === 'devivery_giveup';
  const { next, reports = [] } = shippingStates[state];
  const moves = next.filter((step) => step.state !== 'returning' || hasFailed);
  const reported = reports.filter((report) => report !== substate && (report !== 'devivery_giveup' || hasFailed));
  return [...moves, ...reported.map((report) => to(state, report))];
}

/**
 * The shortest sequence of steps that brings a shipment to a state, with a given substate if any. Undefined if it
 * cannot get there, or is there already.
 */
export function stepsTo(from: Step, target: ShippingState, substate?: Substate): readonly Step[] | undefined {
  if (from.state === target && (substate ?? from.substate) === from.substate) return undefined;
  const name = [from.state, from.substate, target, substate].join(' ');
  const known = knownWays.get(name);
  if (known !== undefined) return known;
  const isThere = (step: Step) => step.state === target && (substate ?? step.substate) === step.substate;
  const way = fewestSteps(from, nextSteps, isThere);
  if (way !== undefined) knownWays.set(name, way);
  return way;
}

/** The ways that were looked for: there are few, and every parcel of a seed takes one of them. */
const knownWays = new Map<string, readonly Step[]>();

/** The status of a shipment: a delivered one is complete only when the payment is settled, too. */
export function shipmentStatus(state: ShippingState, payment: Status4): Status5 {
  return statusByShipping(shippingStates[state].shipping, payment);
}

/** The status of a shipment or delivery, from its shipping status and its payment. */
export function statusByShipping(shipping: Status5, payment: Status4): Status5 {
  if (shipping === 'N' || shipping === 'NS') return shipping;
  return shipping === 'P' && payment === 'P' ? 'P' : 'S';
}

/** States that count as over if another shipment was delivered; a lost parcel keeps its order in progress. */
const over: ReadonlySet<ShippingState> = new Set(['cancelled', 'returning', 'returned', 'delivered']);

/** The shipping status of an order, from the states of its shipments (decisions, section 7). */
export function orderShippingStatus(shipments: readonly ShippingState[]): Status5 {
  const all = (...among: Status5[]) => shipments.every((state) => among.includes(shippingStates[state].shipping));
  if (all('Z')) return 'Z';
  if (all('N')) return 'N';
  if (all('N', 'NS')) return 'NS';
  return shipments.every((state) => over.has(state)) ? 'P' : 'S';
}

/** The facts that determine the status of an order. */
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

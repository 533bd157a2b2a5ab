import type { Entity, RecordOf } from '../../engine/store/records/kinds.ts';

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
export interface Course extends Pick<Moving, 'entity' | 'id' | 'shopId' | 'orderIds' | 'record' | 'states' | 'dueOf'> {
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

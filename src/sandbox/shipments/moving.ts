import type { Entity, RecordOf } from '../store/kinds.ts';

/** What a shipment is told to become once it is delivered and its money has come; no state of the parcel. */
export const RECONCILED = 'reconciled';

/** One step of anything that moves: the state it comes to, or `reconciled`, and what is said of it there. */
export interface MoveStep {
  readonly state: string;
  readonly substate: string;
}

/** Where something goes; without a substate any will do. */
export interface Target {
  readonly state: string;
  readonly substate?: string | undefined;
}

/**
 * A shipment of an order or an on-demand delivery, in one unit of work: what `advance` needs of either. Each step makes
 * its changes and answers the shipment as it is then.
 */
export interface Moving {
  readonly entity: Extract<Entity, 'fulfillment' | 'shipnow_fulfillment'>;
  readonly id: string;
  readonly shopId: string;
  readonly orderIds: readonly string[];
  readonly record: RecordOf<'fulfillment'> | RecordOf<'shipnow_fulfillment'>;
  /** The states that it can be told to go to; `reconciled` is one. */
  readonly states: readonly string[];
  /** Where it is; `reconciled` once its money is settled. */
  readonly here: MoveStep;
  /** The steps that are allowed from here. */
  next(): readonly MoveStep[];
  /** The fewest steps to the target; undefined where none lead there, or it is there already. */
  stepsTo(target: Target): readonly MoveStep[] | undefined;
  take(step: MoveStep): Moving;
  /** When it takes a step by itself, later than a moment; milliseconds by the business clock. */
  dueOf(step: MoveStep, after: number): number;
}

/** What differs between the two kinds that move; its steps know nothing of the money. */
export interface Course extends Pick<Moving, 'entity' | 'id' | 'shopId' | 'orderIds' | 'record' | 'states' | 'dueOf'> {
  readonly at: MoveStep;
  readonly settled: boolean;
  next(): readonly MoveStep[];
  stepsTo(target: Target): readonly MoveStep[] | undefined;
  take(step: MoveStep): Moving;
  settle(): Moving;
}

/** The step that settles the money: it is open to what is delivered and not settled yet. */
const settling: MoveStep = { state: RECONCILED, substate: '' };

/** How long the money takes after the delivery. */
const SETTLING_MS = 24 * 3_600_000;

/** A course with the settling of the money at its end (decisions, section 7: what is delivered is done when it is paid). */
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

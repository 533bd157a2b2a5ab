import type { shipnowState } from '../../../contract/enums.ts';
import { fewestSteps } from '../shipments/fewest-steps.ts';
import { type Status4, type Status5, statusByShipping } from '../shipments/shipping-states.ts';

export type ShipnowState = (typeof shipnowState)[number];

/** One step of an on-demand delivery. */
export interface DeliveryStep {
  readonly state: ShipnowState;
}

/** The facts about a state of an on-demand delivery. */
interface DeliveryFacts {
  /** The shipping status in this state. */
  readonly shipping: Status5;
  /** Whether it can still be cancelled: until the driver is on the way to the buyers. */
  readonly cancellable: boolean;
  /** The states that can follow. */
  readonly next: readonly ShipnowState[];
}

const waiting = { shipping: 'Z', cancellable: true } as const;
const beforePickup = { shipping: 'S', cancellable: true } as const;
const onItsWay = { shipping: 'S', cancellable: false } as const;
const failed = { shipping: 'NS', cancellable: false } as const;

/**
 * Every state of an on-demand delivery, with the status that a parcel has in the same state (decisions, section 7).
 * `unknown` is accepted, but never produced.
 */
export const deliveryStates: Readonly<Record<ShipnowState, DeliveryFacts>> = {
  unknown: { ...waiting, next: [] },
  default: { ...waiting, next: ['created', 'cancelled'] },
  created: { ...waiting, next: ['assigning', 'cancelled'] },
  assigning: { ...beforePickup, next: ['picking', 'cancelled'] },
  picking: { ...beforePickup, next: ['delivering', 'cancelled'] },
  delivering: { ...onItsWay, next: ['delivered', 'returning', 'undeliverable'] },
  delivered: { shipping: 'P', cancellable: false, next: [] },
  returning: { ...failed, next: ['returned', 'undeliverable'] },
  returned: { ...failed, next: [] },
  cancelled: { shipping: 'N', cancellable: false, next: [] },
  undeliverable: { ...failed, next: [] },
};

/** The possible steps from a delivery's state. */
export function nextDeliverySteps({ state }: DeliveryStep): readonly DeliveryStep[] {
  return deliveryStates[state].next.map((next) => ({ state: next }));
}

/** The shortest sequence of steps that brings a delivery to a state; undefined if it cannot get there. */
export function deliveryStepsTo(from: DeliveryStep, target: ShipnowState): readonly DeliveryStep[] | undefined {
  return fewestSteps(from, nextDeliverySteps, ({ state }) => state === target);
}

/** The status of a delivery, by the same rule as a shipment's. */
export function deliveryStatus(state: ShipnowState, payment: Status4): Status5 {
  return statusByShipping(deliveryStates[state].shipping, payment);
}

import { shippingState, substate as substates } from '../../../contract/enums.ts';
import type { Work } from '../../engine/call.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { moveShipment, settleShipment } from '../orders/move-shipment.ts';
import type { Fulfillment } from '../orders/order-record.ts';
import {
  type MoveStep,
  type Moving,
  moving,
  nextSteps,
  type ShippingState,
  type Step,
  stepsTo,
} from './shipping-states.ts';

/** A shipment of an order as a `Moving` (decisions, section 7). */
export function movingParcel(work: Work, shipment: Stored<'fulfillment'>): Moving {
  const { record, id, shopId } = shipment;
  const at: Step = { state: record.shipping_state ?? 'unknown', substate: record.shipping_substate ?? '' };
  return moving({
    entity: 'fulfillment',
    id,
    shopId,
    orderIds: record.order_id ? [record.order_id] : [],
    record,
    states: shippingState,
    at,
    settled: record.platform_payment_status === 'P',
    next: () => nextSteps(at),
    stepsTo(target) {
      const state = stateNamed(target.state);
      const substate = substates.find((name) => name === target.substate);
      if (state === undefined || substate !== target.substate) return undefined;
      return stepsTo(at, state, substate);
    },
    take: (step) => movingParcel(work, moveShipment(work, shipment, asStep(step))),
    settle: () => movingParcel(work, settleShipment(work, shipment)),
    dueOf: ({ state }, after) => dueOf(record, state, after),
  });
}

function stateNamed(name: string): ShippingState | undefined {
  return shippingState.find((state) => state === name);
}

/** A parcel's steps come from `nextSteps` alone. */
function asStep(step: MoveStep): Step {
  const state = stateNamed(step.state);
  const substate = substates.find((name) => name === step.substate);
  if (state === undefined || substate === undefined) throw new RangeError(`a parcel has no step ${step.state}`);
  return { state, substate };
}

const HOUR = 3_600_000;
/** The duration of a step without an estimate, or whose estimate has passed. */
const STEP_MS = 6 * HOUR;

/**
 * A parcel follows its estimates: the carrier sets out halfway to the pickup, the courier at three quarters to the
 * delivery.
 */
function dueOf({ estimated_pickup_at, estimated_delivery_at }: Fulfillment, state: string, after: number): number {
  const pickup = Date.parse(estimated_pickup_at ?? '');
  const delivery = Date.parse(estimated_delivery_at ?? '');
  const estimates: Readonly<Record<string, number>> = {
    picking: (after + pickup) / 2,
    holding: pickup,
    delivering: pickup + ((delivery - pickup) * 3) / 4,
    delivered: delivery,
  };
  const estimate = Math.floor((estimates[state] ?? 0) / 1000) * 1000;
  return estimate > after ? estimate : after + STEP_MS;
}

import { shippingState, substate as substates } from '../../../contract/enums.ts';
import type { Work } from '../../engine/call.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { type Fulfillment, shipmentsOf, updateOrder } from '../orders/order-record.ts';
import {
  type MoveStep,
  type Moving,
  moving,
  nextSteps,
  orderShippingStatus,
  orderStatus,
  type ShippingState,
  type Status4,
  type Step,
  shipmentStatus,
  shippingStates,
  stepsTo,
} from './shipping-states.ts';

/**
 * Moves a shipment one step, and its order with it: a fulfillment update, then an order update (decisions, section 8).
 * `nextSteps` determines whether the step is allowed.
 */
export function moveShipment(
  work: Work,
  shipment: Stored<'fulfillment'>,
  { state, substate }: Step,
): Stored<'fulfillment'> {
  const payment = shipment.record.platform_payment_status ?? 'Z';
  const moved = work.records('fulfillment', shipment.shopId).update(shipment, {
    shipping_state: state,
    shipping_substate: substate,
    shipping_status: shippingStates[state].shipping,
    status: shipmentStatus(state, payment),
    ...ending(state, shipment.record, work.time),
  });
  followShipments(work, shipment.shopId, shipment.record.order_id ?? '');
  return moved;
}

/** The fields that are set when a shipment reaches its final state. */
function ending(state: ShippingState, record: Fulfillment, time: string): Fulfillment {
  if (!shippingStates[state].final) return {};
  return {
    closed_at: time,
    ...(state === 'cancelled'
      ? { confirm_status: 'N', cancelled_at: time }
      : { actual_shipping_service_fee: record.shipping_service_fee }),
    ...(state === 'delivered' ? { actual_cod_amount: record.cod_amount } : {}),
  };
}

/**
 * Settles the payment of a delivered shipment, without which neither it nor its order is complete (decisions, section
 * 7): a shipment update, then an order update, as for any other step.
 */
export function settleShipment(work: Work, shipment: Stored<'fulfillment'>): Stored<'fulfillment'> {
  const state = shipment.record.shipping_state ?? 'unknown';
  const settled = work.records('fulfillment', shipment.shopId).update(shipment, {
    platform_payment_status: 'P',
    status: shipmentStatus(state, 'P'),
  });
  followShipments(work, shipment.shopId, shipment.record.order_id ?? '');
  return settled;
}

/** Updates the statuses of an order from its shipments; it is settled when all delivered ones are. */
export function followShipments(work: Work, shopId: string, orderId: string): void {
  const order = work.records('order', shopId).get(orderId);
  if (order === undefined) return;
  const shipments = shipmentsOf(work, order);
  const states = shipments.map(({ record }) => record.shipping_state ?? 'unknown');
  const shipping = orderShippingStatus(states);
  const delivered = shipments.filter(({ record }) => record.shipping_status === 'P');
  const settled = delivered.length > 0 && delivered.every(({ record }) => record.platform_payment_status === 'P');
  const payment: Status4 = settled ? 'P' : (order.record.platform_payment_status ?? 'Z');
  const facts = {
    cancelled: order.record.status === 'N',
    confirmed: order.record.confirm_status === 'P',
    shipping,
    payment,
  };
  const status = orderStatus(facts);
  const isOver = (status === 'NS' || status === 'P') && states.every((state) => shippingStates[state].final);
  const closed = isOver && !order.record.closed_at ? { closed_at: work.time } : {};
  updateOrder(work, order, {
    platform_payment_status: payment,
    fulfillment_shipping_status: shipping,
    status,
    ...closed,
  });
}

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

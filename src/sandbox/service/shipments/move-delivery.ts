import type * as z from 'zod';
import type { shipnowState } from '../../../contract/enums.ts';
import type { CreateShipnowFulfillment } from '../../../contract/shop/shipnow.ts';
import type { WithoutNulls, Work } from '../../engine/call.ts';
import type { RecordOf } from '../../engine/store/record-kinds.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { updateOrder } from '../orders/order-record.ts';
import { fewestSteps, orderStatus, type Status4, type Status5, statusByShipping } from './shipping-states.ts';

export type ShipnowState = (typeof shipnowState)[number];

/** One step of an on-demand delivery. */
interface DeliveryStep {
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

/** The input for an on-demand delivery. */
export type DeliveryInput = WithoutNulls<z.output<typeof CreateShipnowFulfillment.request>>;
export type Stop = DeliveryInput['delivery_points'][number];
export type StopAddress = Stop['shipping_address'];
export type Delivery = Stored<'shipnow_fulfillment'>;
export type DeliveryRecord = RecordOf<'shipnow_fulfillment'>;

/** The current state of a delivery. */
export function stateOf({ record }: Delivery): ShipnowState {
  return record.shipping_state ?? 'unknown';
}

/** Whether a delivery's payment is settled; its record has no field for that, so it is stored beside it. */
export function paymentOf({ hidden }: Delivery): Status4 {
  return hidden.payment === 'P' ? 'P' : 'Z';
}

/** The orders of a delivery, in the order of its stops. */
export function ordersOf(work: Work, { record, shopId }: Delivery): Stored<'order'>[] {
  const orders = (record.order_ids ?? []).map((id) => work.records('order', shopId).get(id));
  return orders.filter((order) => order !== undefined);
}

/** Updates the orders of a delivery from its state and payment: one order update each. */
function followDelivery(work: Work, delivery: Delivery): void {
  const { shipping, next } = deliveryStates[stateOf(delivery)];
  const payment = paymentOf(delivery);
  for (const order of ordersOf(work, delivery)) {
    const { status: before, confirm_status: confirm, closed_at: closedAt } = order.record;
    const status = orderStatus({ cancelled: before === 'N', confirmed: confirm === 'P', shipping, payment });
    const isOver = (status === 'NS' || status === 'P') && next.length === 0;
    const closed = isOver && !closedAt ? { closed_at: work.time } : {};
    updateOrder(work, order, {
      platform_payment_status: payment,
      fulfillment_shipping_status: shipping,
      status,
      ...closed,
    });
  }
}

/**
 * Moves a delivery one step, with all its stops and orders: a delivery update, then an update of each order (decisions,
 * section 8). `nextDeliverySteps` determines whether the step is allowed.
 */
export function moveDelivery(work: Work, delivery: Delivery, { state }: DeliveryStep): Delivery {
  const moved = work.records('shipnow_fulfillment', delivery.shopId).update(delivery, {
    ...inState(delivery, state),
    ...(state === 'picking' ? driverOf(delivery) : {}),
    ...(state === 'delivered' || state === 'returned'
      ? { actual_shipping_service_fee: delivery.record.shipping_service_fee }
      : {}),
  });
  followDelivery(work, moved);
  return moved;
}

/** Settles the payment of a completed delivery, without which neither it nor its orders are complete. */
export function settleDelivery(work: Work, delivery: Delivery): Delivery {
  const settled = work
    .records('shipnow_fulfillment', delivery.shopId)
    .update(
      delivery,
      { status: deliveryStatus(stateOf(delivery), 'P') },
      { hidden: { ...delivery.hidden, payment: 'P' } },
    );
  followDelivery(work, settled);
  return settled;
}

/** The fields of a delivery in a state, including its stops, which have the same state. */
export function inState(delivery: Delivery, state: ShipnowState): DeliveryRecord {
  return {
    shipping_state: state,
    shipping_status: deliveryStates[state].shipping,
    status: deliveryStatus(state, paymentOf(delivery)),
    ...(state === 'cancelled' ? { confirm_status: 'N' } : {}),
    delivery_points: (delivery.record.delivery_points ?? []).map((point) => ({ ...point, shipping_state: state })),
  };
}

const drivers = ['Trần Văn Bình', 'Lê Minh Châu', 'Phạm Quốc Dũng', 'Võ Thị Hà', 'Đặng Anh Khoa'] as const;

/** The invented driver of a delivery, always the same one. */
function driverOf({ id }: Delivery): DeliveryRecord {
  const digits = BigInt(id) / 2n;
  const name = drivers[Number(digits % BigInt(drivers.length))];
  return { driver_name: name, driver_phone: `09000${String(digits % 100_000n).padStart(5, '0')}` };
}

import type { Work } from '../../engine/work.ts';
import { type Delivery, type DeliveryRecord, followDelivery, paymentOf, stateOf } from './delivery-record.ts';
import { type DeliveryStep, deliveryStates, deliveryStatus, type ShipnowState } from './delivery-states.ts';

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

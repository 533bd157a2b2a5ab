import { Refusal } from '../../engine/refusal.ts';
import type { Work } from '../../engine/work.ts';
import { updateOrder } from '../orders/order-record.ts';
import { cancelled } from '../orders/ship-order.ts';
import { type Delivery, ordersOf, stateOf } from './delivery-record.ts';
import { deliveryStates } from './delivery-states.ts';
import { inState } from './move-delivery.ts';

/**
 * Cancels a delivery and the orders of its stops, which exist only for it; 412 from `delivering` on, and if it is
 * already cancelled (decisions, section 7). The reason may be absent.
 */
export function cancelDelivery(work: Work, delivery: Delivery, reason = ''): void {
  const state = stateOf(delivery);
  if (!deliveryStates[state].cancellable) {
    const message = `the delivery is ${state}${state === 'cancelled' ? ' already' : ' and can no longer be cancelled'}`;
    throw new Refusal('failed_precondition', message, { shipping_state: state });
  }
  const given = reason.trim() === '' ? {} : { cancel_reason: reason.trim() };
  const { shipping } = deliveryStates.cancelled;
  for (const order of ordersOf(work, delivery)) {
    const stands = order.record.status !== 'N' ? { ...cancelled(work.time), ...given } : {};
    updateOrder(work, order, { ...stands, fulfillment_shipping_status: shipping });
  }
  work
    .records('shipnow_fulfillment', delivery.shopId)
    .update(delivery, { ...inState(delivery, 'cancelled'), ...given });
}

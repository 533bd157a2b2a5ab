import { shopOf } from '../../../engine/account.ts';
import type { Handlers, Work } from '../../../engine/call.ts';
import { notFound, Refusal } from '../../../engine/refusal.ts';
import { givenShipmentNames, liveOrNewest, type ShipmentNames } from '../../orders/find-shipment.ts';
import { updateOrder } from '../../orders/order-record.ts';
import { cancelled } from '../../orders/ship-order.ts';
import { createDelivery } from '../../shipments/create-delivery.ts';
import { priceDelivery, shipnowServiceOf } from '../../shipments/delivery-price.ts';
import { type Delivery, deliveryStates, inState, ordersOf, stateOf } from '../../shipments/move-delivery.ts';

/**
 * Cancels a delivery and the orders of its stops, which exist only for it; 412 from `delivering` on, and if it is
 * already cancelled (decisions, section 7). The reason may be absent.
 */
function cancelDelivery(work: Work, delivery: Delivery, reason = ''): void {
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

/**
 * The delivery that matches all given names; 400 without any, 404 if there is none in the shop (decisions, section 5).
 * External ids of deliveries need not be unique: of several the live one is returned.
 */
function findDelivery(work: Work, shopId: string, names: ShipmentNames): Delivery {
  const given = Object.fromEntries(givenShipmentNames(names));
  const delivery = liveOrNewest(work.records('shipnow_fulfillment', shopId).find(given));
  if (delivery === undefined) throw notFound('delivery');
  return delivery;
}

/** shop.Shipnow: on-demand deliveries (contract, "ShipnowFulfillment"; decisions, section 7). */
export const handlers = {
  GetShipnowServices(input, call) {
    const offers = priceDelivery(call, shopOf(call.account).shopId, input);
    return { services: offers.map(shipnowServiceOf) };
  },
  CreateShipnowFulfillment(input, call) {
    return createDelivery(call, shopOf(call.account), input).record;
  },
  GetShipnowFulfillment(input, call) {
    return findDelivery(call, shopOf(call.account).shopId, input).shown;
  },
  CancelShipnowFulfillment(input, call) {
    const delivery = findDelivery(call, shopOf(call.account).shopId, input);
    cancelDelivery(call, delivery, input.cancel_reason);
    return { updated: 1 };
  },
} satisfies Handlers<typeof import('../../../../contract/shop/shipnow.ts')>;

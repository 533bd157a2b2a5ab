import type { Work } from '../../engine/call.ts';
import { invalid, Refusal } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/rows.ts';
import type { Names } from '../lookup.ts';
import { deliveryStates, stateOf as stateOfDelivery } from '../shipments/move-delivery.ts';
import { orderShippingStatus, type ShippingState, shippingStates } from '../shipments/shipping-states.ts';
import { type FulfillmentResult, findOrderByOneName, type OrderAnswer, orderAnswer } from './find-order.ts';
import { deliveryIdOf, type Fulfillment, type Maker, shipmentsOf, updateOrder } from './order-record.ts';
import { cancelled } from './ship-order.ts';

/** Which order to cancel, and why. */
export type Cancellation = Names & { readonly cancel_reason: string };

/**
 * Cancels an order, and each live shipment at its carrier (decisions, section 7). `fulfillment_errors` has one entry
 * for each shipment that was not cancelled before: code ok, which is not an error, for one that is cancelled now, so
 * that callers learn to expect it (decisions, section 6); and the carrier's refusal for a parcel that was picked up,
 * whether it is still on its way or not: the caller must learn that a buyer has the goods of a cancelled order.
 */
export function cancelOrder(work: Work, seeker: Maker, input: Cancellation): OrderAnswer {
  const reason = input.cancel_reason.trim();
  if (reason === '') throw invalid('cancel_reason', 'is missing');
  const order = findOrderByOneName(work, seeker, input);
  const { status } = order.record;
  if (status === 'N' || status === 'NS') {
    const condition = status === 'N' ? 'cancelled' : 'returned';
    throw new Refusal('failed_precondition', `the order is ${condition} already`, { status });
  }

  const shipments = shipmentsOf(work, order);
  const asked = shipments.filter(({ record }) => stateOf(record) !== 'cancelled');
  const stopped = asked.filter(({ record }) => shippingStates[stateOf(record)].cancellable);
  const states = shipments.map((shipment) => (stopped.includes(shipment) ? 'cancelled' : stateOf(shipment.record)));
  const changed = updateOrder(work, order, {
    ...cancelled(work.time),
    cancel_reason: reason,
    ...(shipments.length > 0 ? { fulfillment_shipping_status: orderShippingStatus(states) } : {}),
  });
  for (const shipment of stopped) cancelShipment(work, shipment, reason);
  const results = asked.map((shipment) => resultOf(shipment, stopped));
  return orderAnswer(work, changed, [...results, ...resultOfDelivery(work, order)]);
}

/**
 * A cancelled stop does not call the driver back: an on-demand delivery continues, or is over, and the result says so.
 */
function resultOfDelivery(work: Work, order: Stored<'order'>): FulfillmentResult[] {
  const id = deliveryIdOf(order);
  const delivery = id === undefined ? undefined : work.records('shipnow_fulfillment', order.shopId).get(id);
  if (delivery === undefined || stateOfDelivery(delivery) === 'cancelled') return [];
  const state = stateOfDelivery(delivery);
  const { next, cancellable } = deliveryStates[state];
  const rest = cancellable ? '; CancelShipnowFulfillment cancels all of it' : '';
  const msg = `the on-demand delivery ${next.length === 0 ? `is ${state} already` : `goes on and is ${state}${rest}`}`;
  return [{ code: 'failed_precondition', msg, meta: { shipnow_fulfillment_id: delivery.id, shipping_state: state } }];
}

function stateOf(record: Fulfillment): ShippingState {
  return record.shipping_state ?? 'unknown';
}

function cancelShipment(work: Work, shipment: Stored<'fulfillment'>, reason: string): void {
  work.records('fulfillment', shipment.shopId).update(shipment, {
    shipping_state: 'cancelled',
    shipping_substate: '',
    shipping_status: 'N',
    status: 'N',
    confirm_status: 'N',
    cancel_reason: reason,
    cancelled_at: work.time,
    closed_at: work.time,
  });
}

function resultOf(shipment: Stored<'fulfillment'>, stopped: readonly Stored<'fulfillment'>[]) {
  if (stopped.includes(shipment)) return { code: 'ok', msg: '' };
  const state = stateOf(shipment.record);
  const meta = { fulfillment_id: shipment.id, shipping_state: state };
  const msg = shippingStates[state].final ? `is ${state} already` : `was picked up already and is ${state}`;
  return { code: 'failed_precondition', msg: `the parcel ${msg}`, meta };
}

import type * as z from 'zod';
import type { CreateShipnowFulfillment } from '../../../contract/shop/orders/shipnow.ts';
import type { WithoutNulls } from '../../engine/call.ts';
import type { RecordOf } from '../../engine/store/records/kinds.ts';
import type { Stored } from '../../engine/store/records/rows.ts';
import type { Work } from '../../engine/work.ts';
import { updateOrder } from '../orders/order-record.ts';
import { orderStatus, type Status4 } from '../shipments/shipping-states.ts';
import { deliveryStates, type ShipnowState } from './delivery-states.ts';

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
export function followDelivery(work: Work, delivery: Delivery): void {
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

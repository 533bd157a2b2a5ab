import type * as z from 'zod';
import type { ConfirmOrder } from '../../../contract/shop/orders/order.ts';
import type { WithoutNulls } from '../../engine/call.ts';
import { Refusal } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/records/rows.ts';
import type { Work } from '../../engine/work.ts';
import { findById } from '../requests/lookup.ts';
import { orderStatus } from '../shipments/shipping-states.ts';
import { stockOfOrder } from './content/stock-of-order.ts';
import { updateOrder } from './order-record.ts';
import { cancelled } from './ship-order.ts';

/** Which order to confirm, and what happens to the stock (contract, shop.Order/ConfirmOrder). */
export type Confirmation = WithoutNulls<z.output<typeof ConfirmOrder.request>>;

/**
 * Confirms a waiting order (decisions, section 7). It creates no shipment, even if the order has shipping data: the
 * changes of ConfirmOrder (decisions, section 8) are only those of the order and the stock. Stock moves only with the
 * policy `obey` and a voucher; if there is not enough, the order is cancelled with that reason, and the call is refused
 * with 400. An order that is already confirmed stays as it is.
 */
export function confirmOrder(work: Work, shopId: string, input: Confirmation): void {
  const order = orderToConfirm(work, shopId, input.order_id);
  if (order.record.confirm_status === 'P') return;
  const { inventory_policy: policy, auto_inventory_voucher: voucher } = input;
  const stock = policy === 'obey' && voucher ? stockOfOrder(work, order, voucher) : undefined;
  if (stock?.missing) {
    const { variantId, available, needed } = stock.missing;
    const reason = `variant ${variantId} has ${available} in stock, the order needs ${needed}`;
    updateOrder(work, order, { ...cancelled(work.time), cancel_reason: reason });
    const meta = { order_id: order.id, variant_id: variantId, available: String(available), needed: String(needed) };
    throw new Refusal('invalid_argument', reason, meta, true);
  }
  const facts = { cancelled: false, confirmed: true, shipping: 'Z', payment: 'Z' } as const;
  updateOrder(work, order, {
    status: orderStatus(facts),
    confirm_status: 'P',
    confirmed_at: work.time,
    processed_at: work.time,
  });
  stock?.move();
}

/** The order of that id; 412 for one that is cancelled or returned. */
function orderToConfirm(work: Work, shopId: string, orderId: string): Stored<'order'> {
  const order = findById(work, shopId, 'order', orderId, 'order_id');
  const { status } = order.record;
  if (status !== 'N' && status !== 'NS') return order;
  const condition = status === 'N' ? 'cancelled' : 'returned';
  throw new Refusal('failed_precondition', `the order is ${condition}`, { status });
}

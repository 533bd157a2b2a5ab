import type * as z from 'zod';
import type { autoInventoryVoucher } from '../../../contract/enums.ts';
import type { ConfirmOrder } from '../../../contract/shop/order.ts';
import type { WithoutNulls, Work } from '../../engine/call.ts';
import { Refusal } from '../../engine/refusal.ts';
import type { RecordOf } from '../../engine/store/record-kinds.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { findById } from '../lookup.ts';
import { orderStatus } from '../shipments/shipping-states.ts';
import { updateOrder } from './order-record.ts';
import { cancelled } from './ship-order.ts';

/**
 * How an order's goods are taken from the stock: `create` moves them from available to picked, `confirm` also takes
 * them from picked.
 */
type Voucher = (typeof autoInventoryVoucher)[number];

/** A variant without enough stock. */
interface MissingStock {
  readonly variantId: string;
  readonly available: number;
  readonly needed: number;
}

/** The stock that an order needs: either some is missing, or it can be moved. */
interface StockOfOrder {
  readonly missing?: MissingStock;
  /** Moves the stock; each level that changes is one change. */
  move(): void;
}

/**
 * Checks the stock for an order (decisions, section 7). A line without a variant has no stock. Nothing moves here, so
 * that an order never takes some of its goods while others are missing.
 */
function stockOfOrder(work: Work, order: Stored<'order'>, voucher: Voucher): StockOfOrder {
  const levels = work.records('inventory_level', order.shopId);
  const moves: { level: Stored<'inventory_level'>; moved: RecordOf<'inventory_level'> }[] = [];
  for (const [variantId, needed] of itemsOfVariants(order)) {
    const [level] = levels.find({ variant_id: variantId });
    const available = level?.record.available_quantity ?? 0;
    if (level === undefined || available < needed) {
      return { missing: { variantId, available, needed }, move: () => {} };
    }
    const picked = (level.record.picked_quantity ?? 0) + (voucher === 'create' ? needed : 0);
    moves.push({ level, moved: { available_quantity: available - needed, picked_quantity: picked } });
  }
  return {
    move() {
      for (const { level, moved } of moves) levels.update(level, moved);
    },
  };
}

/** How many items of each variant an order has; a variant may be in several lines. */
function itemsOfVariants({ record }: Stored<'order'>): ReadonlyMap<string, number> {
  const items = new Map<string, number>();
  for (const { variant_id: variantId, quantity } of record.lines ?? []) {
    if (!variantId || variantId === '0') continue;
    items.set(variantId, (items.get(variantId) ?? 0) + (quantity ?? 0));
  }
  return items;
}

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

import type { autoInventoryVoucher } from '../../../../contract/enums.ts';
import type { RecordOf } from '../../../engine/store/records/kinds.ts';
import type { Stored } from '../../../engine/store/records/rows.ts';
import type { Work } from '../../../engine/work.ts';

/**
 * How an order's goods are taken from the stock: `create` moves them from available to picked, `confirm` also takes
 * them from picked.
 */
export type Voucher = (typeof autoInventoryVoucher)[number];

/** A variant without enough stock. */
export interface MissingStock {
  readonly variantId: string;
  readonly available: number;
  readonly needed: number;
}

/** The stock that an order needs: either some is missing, or it can be moved. */
export interface StockOfOrder {
  readonly missing?: MissingStock;
  /** Moves the stock; each level that changes is one change. */
  move(): void;
}

/**
 * Checks the stock for an order (decisions, section 7). A line without a variant has no stock. Nothing moves here, so
 * that an order never takes some of its goods while others are missing.
 */
export function stockOfOrder(work: Work, order: Stored<'order'>, voucher: Voucher): StockOfOrder {
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

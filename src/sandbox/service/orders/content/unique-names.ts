import { Refusal } from '../../../engine/refusal.ts';
import { statement, tables } from '../../../engine/store/sql/statement.ts';
import type { Work } from '../../../engine/work.ts';
import { heldNames, type Maker, type Order } from '../order-record.ts';

const holderBy = (column: 'held_external_id' | 'held_external_code') =>
  statement(({ name }: { readonly name: string }) => tables.selectFrom('orders').select('id').where(column, '=', name));
const holders = { external_id: holderBy('held_external_id'), external_code: holderBy('held_external_code') };

/**
 * Refuses with 409 an order whose external id or external code is reserved by another one (decisions, section 7). The
 * external id of a partner's order is unique over all its shops, so the search is not limited to one.
 */
export function requireFreeNames(work: Work, maker: Maker, order: Order): void {
  const held = heldNames(maker, order);
  for (const duplicated of ['external_id', 'external_code'] as const) {
    const name = held[`held_${duplicated}`];
    if (name === null) continue;
    const holder = work.database.first(holders[duplicated], { name });
    if (holder === undefined) continue;
    const ownOrder = maker.partnerId === undefined ? { order_id: holder.id } : {};
    throw new Refusal('already_exists', `another order has this ${duplicated}`, { duplicated, ...ownOrder });
  }
}

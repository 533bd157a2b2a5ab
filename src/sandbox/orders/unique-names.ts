import { Refusal } from '../refusal.ts';
import type { Work } from '../work.ts';
import { heldNames, type Maker, type Order } from './order-record.ts';

/**
 * Refuses with 409 an order whose external id or external code another one holds (decisions, section 7). The external
 * id of a partner's order is unique over all its shops, so the search is not bound to one.
 */
export async function requireFreeNames(work: Work, maker: Maker, order: Order): Promise<void> {
  const held = heldNames(maker, order);
  for (const duplicated of ['external_id', 'external_code'] as const) {
    const name = held[`held_${duplicated}`];
    if (name === null) continue;
    const holder = await work.database
      .selectFrom('orders')
      .select('id')
      .where(`held_${duplicated}`, '=', name)
      .executeTakeFirst();
    if (holder === undefined) continue;
    const ownOrder = maker.partnerId === undefined ? { order_id: holder.id } : {};
    throw new Refusal('already_exists', `another order has this ${duplicated}`, { duplicated, ...ownOrder });
  }
}

import { randomSecret } from '../random.ts';
import { Refusal } from '../refusal.ts';
import { lastChange } from '../store/outbox.ts';
import type { LinkRow } from '../store/tables.ts';
import type { Work } from '../work.ts';

/** The link between a partner and a shop, removed or not; undefined when the shop never signed in through it. */
export function findLink(work: Work, partnerId: string, shopId: string): Promise<LinkRow | undefined> {
  return work.database
    .selectFrom('links')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .where('shop_id', '=', shopId)
    .executeTakeFirst();
}

/**
 * Links a shop with a partner. A link that stands stays as it is, with its key; a removed one stands again with a new
 * key, for the old one has ended.
 */
export async function link(work: Work, partnerId: string, shopId: string): Promise<void> {
  const standing = await findLink(work, partnerId, shopId);
  if (standing?.removed_at === null) return;
  const fresh = {
    secret: randomSecret(work.random),
    linked_at: work.now,
    linked_seq: await lastChange(work.database),
    removed_at: null,
  };
  await work.database
    .insertInto('links')
    .values({ partner_id: partnerId, shop_id: shopId, ...fresh })
    .onConflict((conflict) => conflict.columns(['partner_id', 'shop_id']).doUpdateSet(fresh))
    .execute();
}

/** Removes the links of a shop that stand; answers how many. */
export async function unlink(work: Work, shopId: string): Promise<number> {
  await requireShop(work, shopId);
  const { numUpdatedRows } = await work.database
    .updateTable('links')
    .set({ removed_at: work.now })
    .where('shop_id', '=', shopId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Refuses with 404 a shop that the sandbox does not have. */
export async function requireShop(work: Work, shopId: string): Promise<void> {
  const shop = await work.database.selectFrom('shops').select('id').where('id', '=', shopId).executeTakeFirst();
  if (shop === undefined) throw new Refusal('not_found', `the sandbox has no shop ${shopId}`);
}

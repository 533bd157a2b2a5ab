import { randomSecret } from '../../engine/random.ts';
import { Refusal } from '../../engine/refusal.ts';
import { lastChange } from '../../engine/store/outbox.ts';
import { statement, tables } from '../../engine/store/sql/statement.ts';
import type { LinkRow } from '../../engine/store/sql/tables.ts';
import type { Work } from '../../engine/work.ts';

/** The link between a partner and a shop, removed or not; undefined if the shop never signed in through the partner. */
export function findLink(work: Work, partnerId: string, shopId: string): LinkRow | undefined {
  return work.database.first(linkBetween, { partnerId, shopId });
}

/**
 * Links a shop with a partner. An active link stays as it is, with its key; a removed one becomes active again with a
 * new key, since the old one has been revoked.
 */
export function link(work: Work, partnerId: string, shopId: string): void {
  const standing = findLink(work, partnerId, shopId);
  if (standing?.removed_at === null) return;
  const fresh = {
    secret: randomSecret(work.random),
    linked_at: work.now,
    linked_seq: lastChange(work.database),
  };
  work.database.run(putLink, { partner_id: partnerId, shop_id: shopId, ...fresh });
}

/** Removes a shop's active links; returns how many. */
export function unlink(work: Work, shopId: string): number {
  requireShop(work, shopId);
  return work.database.run(removeLinks, { shopId, removed_at: work.now });
}

/** Refuses with 404 a shop that the sandbox does not have. */
export function requireShop(work: Work, shopId: string): void {
  const shop = work.database.first(shopById, { shopId });
  if (shop === undefined) throw new Refusal('not_found', `the sandbox has no shop ${shopId}`);
}

const linkBetween = statement(({ partnerId, shopId }: { readonly partnerId: string; readonly shopId: string }) =>
  tables.selectFrom('links').selectAll().where('partner_id', '=', partnerId).where('shop_id', '=', shopId),
);
const putLink = statement((row: Omit<LinkRow, 'removed_at'>) => {
  const { partner_id: _, shop_id: __, ...fresh } = { ...row, removed_at: null };
  return tables
    .insertInto('links')
    .values({ ...row, removed_at: null })
    .onConflict((conflict) => conflict.columns(['partner_id', 'shop_id']).doUpdateSet(fresh));
});
const removeLinks = statement(({ shopId, removed_at }: { readonly shopId: string; readonly removed_at: number }) =>
  tables.updateTable('links').set({ removed_at }).where('shop_id', '=', shopId).where('removed_at', 'is', null),
);
const shopById = statement(({ shopId }: { readonly shopId: string }) =>
  tables.selectFrom('shops').select('id').where('id', '=', shopId),
);

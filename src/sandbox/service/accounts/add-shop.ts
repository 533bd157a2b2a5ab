import { randomSecret } from '../../engine/random.ts';
import { statement, tables } from '../../engine/store/sql/statement.ts';
import type { ApiKeyRow, ShopRow } from '../../engine/store/sql/tables.ts';
import type { Work } from '../../engine/work.ts';

/**
 * Creates a shop with its own API key (decisions, section 3) and returns its id; after a reset it keeps its former id
 * and key.
 */
export function addShop(
  work: Work,
  shop: Pick<ShopRow, 'name' | 'email' | 'phone'>,
  kept?: { readonly id: string; readonly secret: string },
): string {
  // Always draws an id, so that the following ids are the same either way.
  const drawn = work.nextId();
  const id = kept?.id ?? drawn;
  work.database.run(insertShop, { id, ...shop, created_at: work.now });
  addApiKey(work, 'shop', id, kept?.secret);
  return id;
}

/** Gives an account its API key: its former one, or a new one. */
export function addApiKey(
  { database, random }: Work,
  owner: 'partner' | 'shop',
  owner_id: string,
  secret = randomSecret(random),
): void {
  database.run(insertKey, { owner, owner_id, secret });
}

/** All API keys, of partners and shops, by the ids of the accounts. */
export const allKeys = statement(() => tables.selectFrom('api_keys').selectAll().orderBy('owner_id'));

const insertShop = statement((row: ShopRow) => tables.insertInto('shops').values(row));
const insertKey = statement((row: ApiKeyRow) => tables.insertInto('api_keys').values(row));

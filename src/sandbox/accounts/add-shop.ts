import { randomSecret } from '../random.ts';
import type { ShopRow } from '../store/tables.ts';
import type { Work } from '../work.ts';

/** Makes a shop with its own API key (decisions, section 3) and answers its id; after a reset with those that it had. */
export async function addShop(
  work: Work,
  shop: Pick<ShopRow, 'name' | 'email' | 'phone'>,
  kept?: { readonly id: string; readonly secret: string },
): Promise<string> {
  // An id is drawn in any case, so that the ids that follow are the same.
  const drawn = work.nextId();
  const id = kept?.id ?? drawn;
  await work.database
    .insertInto('shops')
    .values({ id, ...shop, created_at: work.now })
    .execute();
  await addApiKey(work, 'shop', id, kept?.secret);
  return id;
}

/** Gives an account its API key, a new one unless it had one. */
export async function addApiKey(
  { database, random }: Work,
  owner: 'partner' | 'shop',
  owner_id: string,
  secret = randomSecret(random),
): Promise<void> {
  await database.insertInto('api_keys').values({ owner, owner_id, secret }).execute();
}

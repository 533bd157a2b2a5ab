import { randomSecret } from '../random.ts';
import type { ShopRow } from '../store/tables.ts';
import type { Work } from '../work.ts';

/** Makes a shop with its own API key (decisions, section 3) and answers its id. */
export async function addShop(work: Work, shop: Pick<ShopRow, 'name' | 'email' | 'phone'>): Promise<string> {
  const id = work.nextId();
  await work.database
    .insertInto('shops')
    .values({ id, ...shop, created_at: work.now })
    .execute();
  await addApiKey(work, 'shop', id);
  return id;
}

/** Gives an account its API key. */
export async function addApiKey(
  { database, random }: Work,
  owner: 'partner' | 'shop',
  owner_id: string,
): Promise<void> {
  await database
    .insertInto('api_keys')
    .values({ owner, owner_id, secret: randomSecret(random) })
    .execute();
}

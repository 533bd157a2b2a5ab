import { randomSecret } from '../random.ts';
import type { Work } from '../work.ts';

const shops = [
  { name: 'Demo Shop', email: 'demo@shop.example', phone: '0900000001' },
  { name: 'Second Demo Shop', email: 'second@shop.example', phone: '0900000002' },
] as const;

/** Makes the demo partner and the demo shops, each with its API key (decisions, section 3). Answers the shops' ids. */
export async function seedAccounts(work: Work): Promise<readonly string[]> {
  const { database, now } = work;
  const addKey = (owner: 'partner' | 'shop', owner_id: string) =>
    database
      .insertInto('api_keys')
      .values({ owner, owner_id, secret: randomSecret(work.random) })
      .execute();

  const partnerId = work.nextId();
  await database.insertInto('partners').values({ id: partnerId, name: 'Demo Partner', created_at: now }).execute();
  await addKey('partner', partnerId);
  const shopIds: string[] = [];
  for (const shop of shops) {
    const id = work.nextId();
    await database
      .insertInto('shops')
      .values({ id, ...shop, created_at: now })
      .execute();
    await addKey('shop', id);
    shopIds.push(id);
  }
  return shopIds;
}

import { addApiKey, addShop } from '../accounts/add-shop.ts';
import type { Work } from '../work.ts';

const shops = [
  { name: 'Demo Shop', email: 'demo@shop.example', phone: '0900000001' },
  { name: 'Second Demo Shop', email: 'second@shop.example', phone: '0900000002' },
] as const;

/** Makes the demo partner and the demo shops, each with its API key (decisions, section 3). Answers the shops' ids. */
export async function seedAccounts(work: Work): Promise<readonly string[]> {
  const { database, now } = work;
  const partnerId = work.nextId();
  await database.insertInto('partners').values({ id: partnerId, name: 'Demo Partner', created_at: now }).execute();
  await addApiKey(work, 'partner', partnerId);
  const shopIds: string[] = [];
  for (const shop of shops) shopIds.push(await addShop(work, shop));
  return shopIds;
}

import type { Database } from './tables.ts';

/** The next number under a name in a shop, from 1; a rolled-back transaction gives its number back. */
export async function nextNumber(database: Database, shopId: string, name: string): Promise<number> {
  const row = await database
    .insertInto('sequences')
    .values({ shop_id: shopId, name, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(['shop_id', 'name']).doUpdateSet((of) => ({ last: of('sequences.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return row.last;
}

/** A code such as KH000001 (decisions, section 6). */
export function codeOf(prefix: string, number: number): string {
  return prefix + String(number).padStart(6, '0');
}

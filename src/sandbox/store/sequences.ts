import { statement, tables } from './statement.ts';
import type { Database } from './tables.ts';

/** The next number under a name in a shop, from 1; a rolled-back transaction gives its number back. */
export function nextNumber(database: Database, shopId: string, name: string): number {
  return database.first(count, { shopId, name })?.last ?? 1;
}

const count = statement(({ shopId, name }: { readonly shopId: string; readonly name: string }) =>
  tables
    .insertInto('sequences')
    .values({ shop_id: shopId, name, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(['shop_id', 'name']).doUpdateSet((of) => ({ last: of('sequences.last', '+', 1) })),
    )
    .returning('last'),
);

/** A code such as KH000001 (decisions, section 6). */
export function codeOf(prefix: string, number: number): string {
  return prefix + String(number).padStart(6, '0');
}

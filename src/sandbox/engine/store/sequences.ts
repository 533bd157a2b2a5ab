import type { Database } from './sql/statement.ts';
import { statement, tables } from './sql/statement.ts';
import type { SequenceRow } from './sql/tables.ts';

/** Named counters of a shop, from 1. */
export interface Sequences {
  next(shopId: string, name: string): number;
}

/** Counters stored in the data; a rollback returns the number. */
export function sequencesIn(database: Database): Sequences {
  return { next: (shopId, name) => database.first(count, { shopId, name })?.last ?? 1 };
}

/** Counters continued in memory, which `keep` writes to the data. For one transaction, in which nothing else counts. */
export function countingAhead(database: Database): Sequences & { keep(): void } {
  const counted = new Map<string, Map<string, number>>();
  return {
    next(shopId, name) {
      const ofShop = counted.get(shopId) ?? new Map<string, number>();
      counted.set(shopId, ofShop);
      const number = (ofShop.get(name) ?? database.first(lastOf, { shopId, name })?.last ?? 0) + 1;
      ofShop.set(name, number);
      return number;
    },
    keep() {
      for (const [shop_id, ofShop] of counted) {
        for (const [name, last] of ofShop) database.run(put, { shop_id, name, last });
      }
    },
  };
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

const lastOf = statement(({ shopId, name }: { readonly shopId: string; readonly name: string }) =>
  tables.selectFrom('sequences').select('last').where('shop_id', '=', shopId).where('name', '=', name),
);
const put = statement(({ shop_id, name, last }: SequenceRow) =>
  tables
    .insertInto('sequences')
    .values({ shop_id, name, last })
    .onConflict((conflict) => conflict.columns(['shop_id', 'name']).doUpdateSet({ last })),
);

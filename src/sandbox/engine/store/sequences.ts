import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { makePrivateDirectory } from '../../../platform/files/files.ts';
import { kinds } from './record-kinds.ts';
import { type Database, statement, tables } from './statement.ts';
import type { SequenceRow } from './tables.ts';

/** Numbers the writes of all records in commit order; sorting by updated_at depends on it. */
export interface Stamps {
  next(): number;
  /** The last stamp assigned. */
  last(): number;
  /** Continues after this number: the data were restored to a state in which it was the highest. */
  rewind(highest: number): void;
}

/** Continues after `highest`, the last stamp that was assigned. */
export function createStamps(highest: number): Stamps {
  let last = highest;
  return {
    next: () => ++last,
    last: () => last,
    rewind(newHighest) {
      last = newHighest;
    },
  };
}

/** The greatest id and stamp of all records, accounts, webhooks and deliveries, after which the next ones continue. */
export function readHighest(database: Database): { id: string | undefined; stamp: number } {
  let id = '';
  let stamp = 0;
  for (const highest of highestOf) {
    const row = database.first(highest, {});
    if (row?.id && row.id > id) id = row.id;
    stamp = Math.max(stamp, row?.touched ?? 0);
  }
  return { id: id === '' ? undefined : id, stamp };
}

const highestOf = [
  // The indices of a record table begin with the shop.
  ...Object.values(kinds).map(({ table }) =>
    statement(() => {
      const highest = (column: string) => sql`max((
        SELECT max(${sql.ref(column)}) FROM ${sql.table(table)} WHERE shop_id = shops.id))`;
      return sql<Highest>`SELECT ${highest('id')} AS id, ${highest('touched')} AS touched FROM shops`;
    }),
  ),
  ...['partners', 'shops', 'webhooks', 'deliveries'].map((table) =>
    statement(() => sql<Highest>`SELECT max(id) AS id, NULL AS touched FROM ${sql.table(table)}`),
  ),
];

interface Highest {
  readonly id: string | null;
  readonly touched: number | null;
}

/**
 * Creates the data directory (0700) and the database file in it (0600) if they are missing. The file contains API keys;
 * SQLite gives the files that it creates beside it the same mode.
 */
export async function prepareDirectory(directory: string, databaseFile: string): Promise<void> {
  makePrivateDirectory(directory);
  const file = await open(join(directory, databaseFile), 'a', 0o600);
  await file.close();
}

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

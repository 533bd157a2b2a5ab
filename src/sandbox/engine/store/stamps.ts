import { sql } from 'kysely';
import { kinds } from './records/kinds.ts';
import type { Database } from './sql/statement.ts';
import { statement } from './sql/statement.ts';

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

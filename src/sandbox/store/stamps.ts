import { sql } from 'kysely';
import { kinds } from './kinds.ts';
import type { Database } from './tables.ts';

/** Numbers the writes of all records in the order of their commits; what sorting by updated_at rests on. */
export interface Stamps {
  next(): number;
  /** The last number given out. */
  last(): number;
  /** Goes on after this number: the data were put back to where it was the highest. */
  rewind(highest: number): void;
}

/** Goes on after the last number that `highest` says was given out. */
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

/** The greatest id and stamp of all records, accounts, webhooks and deliveries, from which the next ones go on. */
export async function readHighest(database: Database): Promise<{ id: string | undefined; stamp: number }> {
  const recordTables = Object.values(kinds).map(({ table }) => table);
  let id = '';
  let stamp = 0;
  for (const table of [...recordTables, 'partners', 'shops', 'webhooks', 'deliveries']) {
    const touched = recordTables.some((name) => name === table)
      ? sql`(SELECT max(touched) FROM ${sql.table(table)})`
      : sql`NULL`;
    const { rows } = await sql<{ id: string | null; touched: number | null }>`
      SELECT (SELECT max(id) FROM ${sql.table(table)}) AS id, ${touched} AS touched`.execute(database);
    const [row] = rows;
    if (row?.id && row.id > id) id = row.id;
    stamp = Math.max(stamp, row?.touched ?? 0);
  }
  return { id: id === '' ? undefined : id, stamp };
}

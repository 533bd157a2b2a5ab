import type { WorkspaceTables } from '../../store/tables.ts';

/** Maps a workspace's sequence numbers of changes to their public ids. */
export interface EventIds {
  /** The public id of a change: 19 digits like the service's ids, in order of receipt. */
  idOf(seq: number): string;
  /** The sequence number of an id in this workspace; undefined for a text that is not one of its ids. */
  seqOf(id: string): number | undefined;
}

const BASE = 'event_id_base';
const LEAST = 10n ** 18n;
/** The size of a workspace's id range: more changes than will ever arrive, and still below 2^63. */
const STEP = 10n ** 10n;
const STEPS = 800_000_000n;

/** The numbering of a workspace; the first call chooses where it starts, so that the ids of two workspaces differ. */
export async function eventIds(database: WorkspaceTables, random: () => number): Promise<EventIds> {
  const fresh = LEAST + BigInt(Math.floor(random() * Number(STEPS))) * STEP;
  await database
    .insertInto('event_facts')
    .values({ name: BASE, value: String(fresh) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const ids = await knownEventIds(database);
  if (ids === undefined) throw new Error('the workspace did not keep where its numbers begin');
  return ids;
}

/** The numbering of a workspace; undefined before anything was numbered in it. Read-only. */
export async function knownEventIds(database: WorkspaceTables): Promise<EventIds | undefined> {
  const found = await database.selectFrom('event_facts').select('value').where('name', '=', BASE).executeTakeFirst();
  if (found === undefined) return undefined;
  const base = BigInt(found.value);
  return {
    idOf: (seq) => String(base + BigInt(seq)),
    seqOf(id) {
      if (!/^\d{19}$/.test(id)) return undefined;
      const seq = BigInt(id) - base;
      return seq > 0n && seq < STEP ? Number(seq) : undefined;
    },
  };
}

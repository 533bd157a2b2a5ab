import type { WorkspaceTables } from '../../store/tables.ts';

/** The result of one round of deleting old changes. */
export interface Forgotten {
  readonly forgotten: number;
  /** Changes of that period that are kept because a target has not accepted them. */
  readonly kept: number;
}

/**
 * How long the service may redeliver a change; the fingerprint of one deleted sooner is kept, to recognise a repeat.
 */
const REPEATS_MS = 7 * 24 * 60 * 60 * 1000;
const AT_ONCE = 1000;

/**
 * Deletes some of an account's changes that were received before a moment, but never one that a target has not
 * accepted: one beyond its cursor, one waiting, or one given up. Returns how many; 0 when nothing more can be deleted.
 * The transaction must hold the exclusive right to write (`EVENTS`).
 */
export async function forgetSome(
  database: WorkspaceTables,
  account: string,
  before: string,
  now: number,
): Promise<number> {
  const rows = await forgettable(database, account, before)
    .select(['events.seq', 'events.hook', 'events.content', 'events.received_at'])
    // In the order of the index used to look up the time.
    .orderBy('events.received_at')
    .orderBy('events.seq')
    .limit(AT_ONCE)
    .execute();
  const repeatable = new Date(now - REPEATS_MS).toISOString();
  for (const { hook, content, received_at } of rows.filter((row) => row.received_at > repeatable)) {
    await database
      .insertInto('event_sightings')
      .values({ account, hook, content, occurrences: 1, seen_at: received_at })
      .onConflict((conflict) =>
        conflict.columns(['account', 'content', 'hook']).doUpdateSet((of) => ({
          occurrences: of('event_sightings.occurrences', '+', 1),
        })),
      )
      .execute();
  }
  await database.deleteFrom('event_sightings').where('seen_at', '<', repeatable).execute();
  if (rows.length === 0) return 0;
  const seqs = rows.map(({ seq }) => seq);
  await database.deleteFrom('event_contents').where('seq', 'in', seqs).execute();
  await database.deleteFrom('events').where('seq', 'in', seqs).execute();
  return seqs.length;
}

/** How many changes were received before a moment, and how many of them a target still needs. */
export async function countForgettable(database: WorkspaceTables, account: string, before: string): Promise<Forgotten> {
  const { all } = await database
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .where('account', '=', account)
    .where('received_at', '<', before)
    .executeTakeFirstOrThrow();
  const { free } = await forgettable(database, account, before)
    .select(({ fn }) => fn.countAll<number>().as('free'))
    .executeTakeFirstOrThrow();
  return { forgotten: Number(free), kept: Number(all) - Number(free) };
}

function forgettable(database: WorkspaceTables, account: string, before: string) {
  return database
    .selectFrom('events')
    .where('events.account', '=', account)
    .where('events.received_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_handoffs').select('event_handoffs.seq').whereRef('event_handoffs.seq', '=', 'events.seq'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_targets')
            .select('event_targets.name')
            .whereRef('event_targets.account', '=', 'events.account')
            .whereRef('event_targets.cursor', '<', 'events.seq')
            .where((of) =>
              of.or([of('event_targets.entity', 'is', null), of('event_targets.entity', '=', of.ref('events.entity'))]),
            )
            .where((of) =>
              of.or([
                of('event_targets.change_type', 'is', null),
                of('event_targets.change_type', '=', of.ref('events.change_type')),
              ]),
            ),
        ),
      ),
    );
}

import { sql } from 'kysely';
import { POLL } from '../../store/event-tables.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import { type IncomingChange, type StoredChange, storeCallbacks } from './store-changes.ts';

/** A change that a poll found. */
export interface PolledChange extends IncomingChange {
  /** Hash of the state that the record has after it. */
  readonly stateHash: string;
}

/**
 * Stores changes that a poll found, within the caller's transaction, which must hold the exclusive right to write
 * (`EVENTS`). Returns them with their numbers.
 */
export async function storePolled(
  database: WorkspaceTables,
  account: string,
  changes: readonly PolledChange[],
  now: string,
): Promise<StoredChange[]> {
  for (const { recordId: record_id, entity, stateHash: state, changeType: change_type } of changes) {
    await database
      .insertInto('event_polls')
      .values({ account, record_id, entity, state, change_type, told_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['account', 'record_id', 'entity', 'state'])
          .doUpdateSet({ told_at: sql.ref('excluded.told_at') }),
      )
      .execute();
  }
  const sequence = `${now} ${changes.map(({ content }) => content).join(' ')}`;
  return storeCallbacks(database, account, [{ hook: POLL, sequence, changes, receivedAt: now }]);
}

/** A stored change of one record: when it happened, and its JSON. */
export interface NewestChange {
  readonly change_type: string;
  readonly time: string;
  readonly change: string;
}

/** How many changes of a record are looked at. */
const LOOKED_AT = 20;

/** The newest stored changes of a record, the last one first. */
export async function newestChangesOf(
  database: WorkspaceTables,
  { account, entity, recordId }: { readonly account: string; readonly entity: string; readonly recordId: string },
): Promise<NewestChange[]> {
  return database
    .selectFrom('events')
    .innerJoin('event_contents', 'event_contents.seq', 'events.seq')
    .select(['change_type', 'time', 'change'])
    .where('account', '=', account)
    .where('record_id', '=', recordId)
    .where('entity', '=', entity)
    .orderBy('events.seq', 'desc')
    .limit(LOOKED_AT)
    .execute();
}

/** How many changes polls have found since a moment (ISO 8601, UTC). */
export async function polledSince(database: WorkspaceTables, account: string, since: string): Promise<number> {
  const { n } = await database
    .selectFrom('events')
    .select((build) => build.fn.countAll().as('n'))
    .where('account', '=', account)
    .where('hook', '=', POLL)
    .where('received_at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(n);
}

import type { EventHandoffTable } from '../../store/event-tables.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import { lastEvent, matching, recordKey, type Target, type TargetKey } from './targets.ts';

/** A change to be handed to a target, and how many attempts have failed. */
export interface Handoff {
  readonly seq: number;
  readonly record: string;
  readonly attempts: number;
  /** Milliseconds since 1970; null before the first failure. */
  readonly firstFailedAt: number | null;
  /** When it may be retried; null means at once. */
  readonly nextAt: number | null;
}

/** The outcomes of handing over changes, to be written together. */
export interface Progress {
  readonly target: TargetKey;
  /** The worker that served the target: a listener that lost the target to another one can no longer write. */
  readonly worker: string | null;
  /** Every change up to here is accepted, does not concern the target, or is recorded. */
  readonly cursor: number;
  /** Recorded changes that were accepted. */
  readonly accepted: readonly number[];
  /** Changes to record, or to record again. */
  readonly recorded: readonly Omit<EventHandoffTable, 'account' | 'target'>[];
  readonly lastAcceptedAt: string | undefined;
  /** The latest failure; null if the last attempt was accepted, undefined if there was no attempt. */
  readonly lastError: string | null | undefined;
}

/** How many rows one statement touches. */
const ROWS_AT_ONCE = 500;

/** Waiting changes below the cursor, after a given one, in order. */
export async function waitingHandoffs(
  database: WorkspaceTables,
  { account, name }: TargetKey,
  after: number,
  limit: number,
): Promise<Handoff[]> {
  const rows = await database
    .selectFrom('event_handoffs')
    .selectAll()
    .where('account', '=', account)
    .where('target', '=', name)
    .where('state', '=', 'waiting')
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(({ seq, record, attempts, first_failed_at, next_at }) => ({
    seq,
    record,
    attempts,
    firstFailedAt: first_failed_at,
    nextAt: next_at,
  }));
}

/** A change that is handed to a target for the first time. */
export interface NextHandoff extends Pick<Handoff, 'seq' | 'record'> {
  /** The change as JSON text. */
  readonly text: string;
}

/** Changes beyond the cursor that concern a target, and the number up to which the search went. */
export async function nextHandoffs(
  database: WorkspaceTables,
  target: Target,
  limit: number,
): Promise<{ readonly handoffs: NextHandoff[]; readonly upTo: number }> {
  const last = await lastEvent(database);
  if (last <= target.cursor) return { handoffs: [], upTo: target.cursor };
  const rows = await matching(database, target)
    .innerJoin('event_contents', 'event_contents.seq', 'events.seq')
    .select(['events.seq', 'entity', 'record_id', 'change'])
    .where('events.seq', '<=', last)
    .orderBy('events.seq')
    .limit(limit)
    .execute();
  const handoffs = rows.map(({ seq, entity, record_id, change }) => ({
    seq,
    record: recordKey(entity, record_id),
    text: change,
  }));
  return { handoffs, upTo: rows.length < limit ? last : (rows.at(-1)?.seq ?? last) };
}

/** The JSON texts of changes, by sequence number. */
export async function changeTexts(database: WorkspaceTables, seqs: readonly number[]): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  for (let from = 0; from < seqs.length; from += ROWS_AT_ONCE) {
    const rows = await database
      .selectFrom('event_contents')
      .selectAll()
      .where('seq', 'in', seqs.slice(from, from + ROWS_AT_ONCE))
      .execute();
    for (const { seq, change } of rows) texts.set(seq, change);
  }
  return texts;
}

/** Writes the outcomes; false if the target was removed or another listener has taken it over. */
export async function saveProgress(database: WorkspaceTables, progress: Progress): Promise<boolean> {
  const { cursor, accepted, recorded, lastAcceptedAt, lastError, worker } = progress;
  const { account, name: target } = progress.target;
  const { numUpdatedRows } = await database
    .updateTable('event_targets')
    .set({
      cursor,
      ...(lastAcceptedAt === undefined ? {} : { last_accepted_at: lastAcceptedAt }),
      ...(lastError === undefined ? {} : { last_error: lastError }),
    })
    .where('account', '=', account)
    .where('name', '=', target)
    .where('worker', worker === null ? 'is' : '=', worker)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  for (let from = 0; from < accepted.length; from += ROWS_AT_ONCE) {
    await database
      .deleteFrom('event_handoffs')
      .where('account', '=', account)
      .where('target', '=', target)
      .where('seq', 'in', accepted.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
  for (let from = 0; from < recorded.length; from += ROWS_AT_ONCE) {
    await database
      .insertInto('event_handoffs')
      .values(recorded.slice(from, from + ROWS_AT_ONCE).map((row) => ({ account, target, ...row })))
      .onConflict((conflict) =>
        conflict.columns(['target', 'seq']).doUpdateSet((of) => ({
          state: of.ref('excluded.state'),
          attempts: of.ref('excluded.attempts'),
          first_failed_at: of.ref('excluded.first_failed_at'),
          next_at: of.ref('excluded.next_at'),
          last_error: of.ref('excluded.last_error'),
        })),
      )
      .execute();
  }
  return true;
}

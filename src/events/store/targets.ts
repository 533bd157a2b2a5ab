import type { Selectable } from 'kysely';
import { newId } from '../../platform/process/new-id.ts';
import type { EventTargetTable } from '../../store/event-tables.ts';
import type { WorkspaceTables } from '../../store/tables.ts';

/** A receiver of changes. */
export type Target = Selectable<EventTargetTable>;

/** Identifies a target: two accounts may each have one of the same name. */
export type TargetKey = Pick<Target, 'account' | 'name'>;

/** A target as given on a command line. */
export type NamedTarget = Pick<
  Target,
  'name' | 'kind' | 'address' | 'entity' | 'change_type' | 'accept' | 'give_up_ms'
>;

/** A target and its backlog. */
export interface TargetStanding extends Target {
  /** Changes that it has not accepted and that are still being retried. */
  readonly backlog: number;
  /** Changes that failed for good. */
  readonly dead: number;
  /** When the oldest outstanding change was received; null if there is none. */
  readonly waiting_since: string | null;
}

/** The fact that is updated whenever a change to targets must reach a listener. */
const REVISION = 'targets_revision';

/**
 * Registers the targets that a listener names from now on: a new one starts with the next change, a known one continues
 * where it was, and targets that no listener names any more rest, unless they are paused. The transaction must hold the
 * exclusive right to write (`EVENTS`).
 */
export async function takeUpTargets(
  database: WorkspaceTables,
  account: string,
  named: readonly NamedTarget[],
  now: string,
): Promise<void> {
  await database
    .updateTable('event_targets')
    .set({ state: 'resting' })
    .where('account', '=', account)
    .where('state', '=', 'active')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_namings')
            .select('event_namings.target')
            .where('event_namings.account', '=', account)
            .whereRef('event_namings.target', '=', 'event_targets.name'),
        ),
      ),
    )
    .execute();
  const cursor = await lastEvent(database);
  for (const target of named) {
    const { name, ...more } = target;
    await database
      .insertInto('event_targets')
      .values({
        ...target,
        account,
        state: 'active',
        cursor,
        created_at: now,
        last_accepted_at: null,
        last_error: null,
        worker: null,
      })
      .onConflict((conflict) => conflict.columns(['account', 'name']).doUpdateSet(more))
      .execute();
  }
}

/** The sequence number of the newest change of any account; 0 before the first. */
export async function lastEvent(database: WorkspaceTables): Promise<number> {
  const row = await database
    .selectFrom('events')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** Every target of an account. */
export function targetsOf(database: WorkspaceTables, account: string): Promise<Target[]> {
  return database.selectFrom('event_targets').selectAll().where('account', '=', account).orderBy('name').execute();
}

/** Every target of an account, with its backlog. */
export async function targetStandings(database: WorkspaceTables, account: string): Promise<TargetStanding[]> {
  const targets = await targetsOf(database, account);
  const standings: TargetStanding[] = [];
  for (const target of targets) {
    const ahead = await matching(database, target)
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('received_at').as('since')])
      .executeTakeFirstOrThrow();
    const handoffs = await database
      .selectFrom('event_handoffs')
      .innerJoin('events', 'events.seq', 'event_handoffs.seq')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.min('received_at').as('since')])
      .where('event_handoffs.account', '=', account)
      .where('target', '=', target.name)
      .groupBy('state')
      .execute();
    const of = (state: string) => handoffs.find((row) => row.state === state);
    standings.push({
      ...target,
      backlog: Number(ahead.count) + Number(of('waiting')?.count ?? 0),
      dead: Number(of('dead')?.count ?? 0),
      waiting_since: of('waiting')?.since ?? ahead.since,
    });
  }
  return standings;
}

/** The changes beyond a target's cursor that concern it. */
export function matching(database: WorkspaceTables, { account, cursor, entity, change_type }: Target) {
  let query = database
    .selectFrom('events')
    .where('events.account', '=', account)
    .where('events.seq', '>', Number(cursor));
  if (entity !== null) query = query.where('entity', '=', entity);
  if (change_type !== null) query = query.where('change_type', '=', change_type);
  return query;
}

/** Pauses or resumes a target; false if there is none of that name. */
export async function setTargetState(
  database: WorkspaceTables,
  { account, name }: TargetKey,
  state: 'paused' | 'active',
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('event_targets')
    .set({ state })
    .where('account', '=', account)
    .where('name', '=', name)
    .executeTakeFirst();
  await raiseRevision(database, account);
  return numUpdatedRows > 0n;
}

/** Removes a target and its outstanding changes; false if there is none of that name. */
export async function removeTarget(database: WorkspaceTables, { account, name }: TargetKey): Promise<boolean> {
  await database.deleteFrom('event_handoffs').where('account', '=', account).where('target', '=', name).execute();
  const { numDeletedRows } = await database
    .deleteFrom('event_targets')
    .where('account', '=', account)
    .where('name', '=', name)
    .executeTakeFirst();
  await raiseRevision(database, account);
  return numDeletedRows > 0n;
}

/** Makes every waiting or given-up change of a target due at once; returns how many. */
export async function retryTarget(database: WorkspaceTables, { account, name }: TargetKey): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('event_handoffs')
    .set({ state: 'waiting', attempts: 0, first_failed_at: null, next_at: null })
    .where('account', '=', account)
    .where('target', '=', name)
    .executeTakeFirst();
  await raiseRevision(database, account);
  return Number(numUpdatedRows);
}

/** Queues stored changes for a target again, if they concern it; returns how many. */
export async function replayTo(database: WorkspaceTables, target: Target, seqs: readonly number[]): Promise<number> {
  let replayed = 0;
  for (let from = 0; from < seqs.length; from += 500) {
    const events = await matching(database, { ...target, cursor: 0 })
      .select(['seq', 'entity', 'record_id'])
      .where('seq', 'in', seqs.slice(from, from + 500))
      .where('seq', '<=', Number(target.cursor))
      .orderBy('seq')
      .execute();
    if (events.length === 0) continue;
    const fresh = { state: 'waiting', attempts: 0, first_failed_at: null, next_at: null, last_error: null } as const;
    await database
      .insertInto('event_handoffs')
      .values(
        events.map(({ seq, entity, record_id }) => ({
          account: target.account,
          target: target.name,
          seq,
          record: recordKey(entity, record_id),
          ...fresh,
        })),
      )
      .onConflict((conflict) => conflict.columns(['target', 'seq']).doUpdateSet(fresh))
      .execute();
    replayed += events.length;
  }
  await raiseRevision(database, target.account);
  return replayed;
}

/** The ordering key of a change: the record that it belongs to. */
export function recordKey(entity: string, recordId: string): string {
  return `${entity} ${recordId}`;
}

/** A value that differs after every command that changed something the account's listeners must take up. */
export async function targetsRevision(database: WorkspaceTables, account: string): Promise<string> {
  const name = `${REVISION} ${account}`;
  const row = await database.selectFrom('event_facts').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? '';
}

/** Lets the listeners of an account take up their targets again. */
export async function raiseRevision(database: WorkspaceTables, account: string): Promise<void> {
  // Not a counter: two concurrent commands would count to the same value.
  const value = newId();
  await database
    .insertInto('event_facts')
    .values({ name: `${REVISION} ${account}`, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

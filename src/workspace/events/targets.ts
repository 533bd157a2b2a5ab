import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { WorkspaceTables } from '../tables.ts';
import type { EventTargetTable } from './tables.ts';

/** Whom changes are handed to. */
export type Target = Selectable<EventTargetTable>;

/** Which target is meant: two accounts may have one of the same name. */
export type TargetKey = Pick<Target, 'account' | 'name'>;

/** A target as it is named on a command line. */
export type NamedTarget = Pick<
  Target,
  'name' | 'kind' | 'address' | 'entity' | 'change_type' | 'accept' | 'give_up_ms'
>;

/** A target, and how far behind it is. */
export interface TargetStanding extends Target {
  /** Changes that it has not accepted and that are still tried. */
  readonly backlog: number;
  /** Changes that were given up. */
  readonly dead: number;
  /** When the oldest change that it waits for was received; null where there is none. */
  readonly waiting_since: string | null;
}

/** Raised with each change of targets that a listener has to take up. */
const REVISION = 'targets_revision';

/**
 * The targets that a listener names from now on: a new one begins with what comes now, one that is known goes on where it
 * was, and those that no listener names any more rest, unless they were paused. The transaction has to write alone
 * (`EVENTS`).
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

/** The number of the newest change, whosever it is; 0 before the first. */
export async function lastEvent(database: WorkspaceTables): Promise<number> {
  const row = await database
    .selectFrom('events')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** Every target of an account, and how it stands. */
export async function targetStandings(database: WorkspaceTables, account: string): Promise<TargetStanding[]> {
  const targets = await database
    .selectFrom('event_targets')
    .selectAll()
    .where('account', '=', account)
    .orderBy('name')
    .execute();
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

/** Pauses a target, or lets it go on; false where there is none of that name. */
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

/** Forgets a target and what it has not accepted; false where there is none of that name. */
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

/** Lets a target try everything at once that waits or was given up; answers how many changes that are. */
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

/** Hands kept changes to a target again, those that concern it; answers how many. */
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

/** What of a change has to come in order: the record it is of. */
export function recordKey(entity: string, recordId: string): string {
  return `${entity} ${recordId}`;
}

/** Changes whenever a command changed something that the listeners of an account have to take up. */
export async function targetsRevision(database: WorkspaceTables, account: string): Promise<string> {
  const name = `${REVISION} ${account}`;
  const row = await database.selectFrom('event_facts').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? '';
}

async function raiseRevision(database: WorkspaceTables, account: string): Promise<void> {
  // Not a count: two commands at a time would count to the same.
  const value = randomUUID();
  await database
    .insertInto('event_facts')
    .values({ name: `${REVISION} ${account}`, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

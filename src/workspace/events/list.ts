import type { SelectQueryBuilder } from 'kysely';
import type { Tables, WorkspaceTables } from '../tables.ts';
import type { EventTable } from './tables.ts';
import type { TargetKey } from './targets.ts';

/** A kept change with its text. */
export interface KeptEvent {
  readonly seq: number;
  readonly received_at: string;
  readonly entity: string;
  readonly change_type: string;
  readonly record_id: string;
  readonly shop_id: string | null;
  readonly time: string;
  readonly change: string;
}

/** How a change stands with a target. */
export const handoffStates = ['waiting', 'accepted', 'dead'] as const;

/** Which changes are asked for; absent is any. */
export interface EventFilter {
  /** Whose changes. */
  readonly account: string;
  readonly entity?: string | undefined;
  readonly changeType?: string | undefined;
  readonly recordId?: string | undefined;
  /** Received at this moment or later; ISO 8601, UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only what concerns this target, and how it stands with it. */
  readonly target?: string | undefined;
  readonly state?: (typeof handoffStates)[number] | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly seqs?: readonly number[] | undefined;
}

type Query = SelectQueryBuilder<Tables, 'events', object>;

/** A page of kept changes, in the order in which they were received or against it. */
export async function keptEvents(
  database: WorkspaceTables,
  filter: EventFilter,
  { limit, newestFirst = false }: { readonly limit: number; readonly newestFirst?: boolean },
): Promise<KeptEvent[]> {
  const rows = await (await filtered(database, filter))
    .innerJoin('event_contents', 'event_contents.seq', 'events.seq')
    .select(['events.seq', 'received_at', 'entity', 'change_type', 'record_id', 'shop_id', 'time', 'change'])
    .orderBy('events.seq', newestFirst ? 'desc' : 'asc')
    .limit(limit)
    .execute();
  return rows as KeptEvent[];
}

/** The numbers of kept changes, in the order in which they were received. */
export async function keptNumbers(database: WorkspaceTables, filter: EventFilter, limit: number): Promise<number[]> {
  const rows = await (await filtered(database, filter))
    .select('events.seq')
    .orderBy('events.seq')
    .limit(limit)
    .execute();
  return rows.map(({ seq }) => seq);
}

async function filtered(database: WorkspaceTables, filter: EventFilter): Promise<Query> {
  let query = database.selectFrom('events').where('events.account', '=', filter.account) as Query;
  const equal = (column: keyof EventTable & string, value: string | undefined) => {
    if (value !== undefined) query = query.where(`events.${column}` as 'events.entity', '=', value);
  };
  equal('entity', filter.entity);
  equal('change_type', filter.changeType);
  equal('record_id', filter.recordId);
  if (filter.since !== undefined) query = query.where('events.received_at', '>=', filter.since);
  if (filter.until !== undefined) query = query.where('events.received_at', '<', filter.until);
  if (filter.after !== undefined) query = query.where('events.seq', '>', filter.after);
  if (filter.before !== undefined) query = query.where('events.seq', '<', filter.before);
  if (filter.seqs !== undefined) query = query.where('events.seq', 'in', [...filter.seqs]);
  return filter.target === undefined
    ? query
    : standingWith(database, query, { account: filter.account, name: filter.target }, filter.state);
}

/** Only what concerns a target; of no target of that name, nothing. */
async function standingWith(
  database: WorkspaceTables,
  all: Query,
  { account, name }: TargetKey,
  state: EventFilter['state'],
): Promise<Query> {
  const target = await database
    .selectFrom('event_targets')
    .selectAll()
    .where('account', '=', account)
    .where('name', '=', name)
    .executeTakeFirst();
  if (target === undefined) return all.where('events.seq', '<', 0);
  let query = all;
  if (target.entity !== null) query = query.where('events.entity', '=', target.entity);
  if (target.change_type !== null) query = query.where('events.change_type', '=', target.change_type);
  if (state === undefined) return query;
  const cursor = Number(target.cursor);
  return query.where(({ exists, not, or, and, eb, selectFrom }) => {
    const handoff = selectFrom('event_handoffs')
      .select('event_handoffs.seq')
      .where('event_handoffs.account', '=', account)
      .where('event_handoffs.target', '=', name)
      .whereRef('event_handoffs.seq', '=', 'events.seq');
    if (state === 'dead') return exists(handoff.where('event_handoffs.state', '=', 'dead'));
    if (state === 'accepted') return and([eb('events.seq', '<=', cursor), not(exists(handoff))]);
    return or([eb('events.seq', '>', cursor), exists(handoff.where('event_handoffs.state', '=', 'waiting'))]);
  });
}

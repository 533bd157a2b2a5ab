import { type SelectQueryBuilder, sql } from 'kysely';
import type { EventTable } from '../../store/event-tables.ts';
import type { Tables, WorkspaceTables } from '../../store/tables.ts';
import type { TargetKey } from './targets.ts';

/** A stored change with its JSON text. */
export interface StoredEvent {
  readonly seq: number;
  readonly received_at: string;
  readonly entity: string;
  readonly change_type: string;
  readonly record_id: string;
  readonly shop_id: string | null;
  readonly time: string;
  readonly change: string;
  /** The webhook that delivered it, or `poll`. */
  readonly hook: string;
}

/** The state of a change with respect to a target. */
export const handoffStates = ['waiting', 'accepted', 'dead'] as const;

/** Which changes to select; an absent field means any. */
export interface EventFilter {
  /** The account that the changes belong to. */
  readonly account: string;
  readonly entity?: string | undefined;
  readonly changeType?: string | undefined;
  readonly recordId?: string | undefined;
  /** Only changes of records of this shop. */
  readonly shopId?: string | undefined;
  /** Received at this moment or later; ISO 8601, UTC. See `withNumbersOfTime`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only changes that concern this target, optionally in one handoff state. */
  readonly target?: string | undefined;
  readonly state?: (typeof handoffStates)[number] | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly seqs?: readonly number[] | undefined;
}

type Query = SelectQueryBuilder<Tables, 'events', object>;

/** A page of stored changes, in order of receipt or in reverse. */
export async function storedEvents(
  database: WorkspaceTables,
  filter: EventFilter,
  { limit, newestFirst = false }: { readonly limit: number; readonly newestFirst?: boolean },
): Promise<StoredEvent[]> {
  const parts = await filtered(database, filter);
  const events: StoredEvent[] = [];
  for (const part of newestFirst ? parts.reverse() : parts) {
    if (events.length === limit) break;
    const rows = await part
      .innerJoin('event_contents', 'event_contents.seq', 'events.seq')
      .select(['events.seq', 'received_at', 'entity', 'change_type', 'record_id', 'shop_id', 'time', 'change', 'hook'])
      .orderBy('events.seq', newestFirst ? 'desc' : 'asc')
      .limit(limit - events.length)
      .execute();
    events.push(...(rows as StoredEvent[]));
  }
  return events;
}

/** The sequence numbers of stored changes, in order of receipt. */
export async function storedNumbers(database: WorkspaceTables, filter: EventFilter, limit: number): Promise<number[]> {
  const numbers: number[] = [];
  for (const part of await filtered(database, filter)) {
    if (numbers.length === limit) break;
    const rows = await part
      .select('events.seq')
      .orderBy('events.seq')
      .limit(limit - numbers.length)
      .execute();
    for (const { seq } of rows) numbers.push(seq);
  }
  return numbers;
}

/** The queries that make up a filter: all numbers of one are below those of the next. */
async function filtered(database: WorkspaceTables, filter: EventFilter): Promise<Query[]> {
  let query = database.selectFrom('events').where('events.account', '=', filter.account) as Query;
  const equal = (column: keyof EventTable & string, value: string | undefined) => {
    if (value !== undefined) query = query.where(`events.${column}` as 'events.entity', '=', value);
  };
  equal('entity', filter.entity);
  equal('change_type', filter.changeType);
  equal('record_id', filter.recordId);
  equal('shop_id', filter.shopId);
  if (filter.since !== undefined) query = query.where('events.received_at', '>=', filter.since);
  if (filter.until !== undefined) query = query.where('events.received_at', '<', filter.until);
  if (filter.after !== undefined) query = query.where('events.seq', '>', filter.after);
  if (filter.before !== undefined) query = query.where('events.seq', '<', filter.before);
  if (filter.seqs !== undefined) query = query.where('events.seq', 'in', [...filter.seqs]);
  return filter.target === undefined
    ? [query]
    : standingWith(database, query, { account: filter.account, name: filter.target }, filter.state);
}

/**
 * The filter with the range of sequence numbers that covers its time, so that queries can stop there. The time itself
 * stays in the filter, because a clock may have been set back.
 */
export async function withNumbersOfTime(database: WorkspaceTables, filter: EventFilter): Promise<EventFilter> {
  const { since, until } = filter;
  if (since === undefined && until === undefined) return filter;
  // With the plain column, PostgreSQL would look for the minimum from the first row on.
  const first = since === undefined ? sql<number>`1` : sql<number | null>`min(seq + 0)`;
  const last = until === undefined ? sql<number>`1` : sql<number | null>`max(seq + 0)`;
  const found = await database
    .selectFrom('events')
    .select([first.as('first'), last.as('last')])
    .$if(since !== undefined, (query) => query.where('received_at', '>=', since ?? ''))
    .$if(until !== undefined, (query) => query.where('received_at', '<', until ?? ''))
    .executeTakeFirst();
  if (found === undefined || found.first === null || found.last === null) return { ...filter, before: 0 };
  return {
    ...filter,
    ...(since === undefined ? {} : { after: found.first - 1 }),
    ...(until === undefined ? {} : { before: found.last + 1 }),
  };
}

/** Only changes that concern a target; none if there is no target of that name. */
async function standingWith(
  database: WorkspaceTables,
  all: Query,
  { account, name }: TargetKey,
  state: EventFilter['state'],
): Promise<Query[]> {
  const target = await database
    .selectFrom('event_targets')
    .selectAll()
    .where('account', '=', account)
    .where('name', '=', name)
    .executeTakeFirst();
  if (target === undefined) return [];
  let query = all;
  if (target.entity !== null) query = query.where('events.entity', '=', target.entity);
  if (target.change_type !== null) query = query.where('events.change_type', '=', target.change_type);
  if (state === undefined) return [query];
  const cursor = Number(target.cursor);
  const standing = database
    .selectFrom('event_handoffs')
    .select('event_handoffs.seq')
    .where('event_handoffs.account', '=', account)
    .where('event_handoffs.target', '=', name);
  if (state === 'accepted') {
    return [query.where('events.seq', '<=', cursor).where('events.seq', 'not in', standing)];
  }
  const recorded = query.where('events.seq', 'in', standing.where('event_handoffs.state', '=', state));
  if (state === 'dead') return [recorded];
  return [recorded.where('events.seq', '<=', cursor), query.where('events.seq', '>', cursor)];
}

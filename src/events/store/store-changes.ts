import type { Insertable } from 'kysely';
import { type EventHookTable, type EventTable, POLL } from '../../store/event-tables.ts';
import type { WorkspaceTables } from '../../store/tables.ts';

/** A change to be stored. */
export interface IncomingChange {
  readonly entity: string;
  readonly changeType: string;
  readonly recordId: string;
  readonly shopId: string | null;
  readonly time: string;
  /** Hash of its content; for a change that occurs once per record, of its record, kind and time. */
  readonly content: string;
  /** Whether a record has at most one such change: a create, a delete. */
  readonly once: boolean;
  /** The change as JSON text. */
  readonly text: string;
  /** Hash of the state that the record has after it; computed only where a poll has reported the record. */
  readonly state?: () => string;
}

/** A callback to be stored. */
export interface IncomingCallback {
  /** The webhook that delivered it. */
  readonly hook: string;
  /** Hash of its changes, in order. */
  readonly sequence: string;
  readonly changes: readonly IncomingChange[];
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
}

/** A change that was stored. */
export interface StoredChange {
  readonly seq: number;
  readonly receivedAt: string;
  readonly change: IncomingChange;
}

/** How many rows one statement inserts: the number of parameters of a statement is limited. */
const ROWS_AT_ONCE = 200;

/** How far this machine's clock, by which polls have their time, may be behind the service's. */
const CLOCKS_APART_MS = 60_000;

type NewEvent = Insertable<EventTable> & { readonly source: IncomingChange };

/**
 * Stores an account's callbacks in the order in which they arrived, within the caller's transaction, and returns what
 * was new. The transaction must hold the exclusive right to write (`EVENTS`): then a later commit always has the higher
 * number, and a reader that continues from a number misses none.
 *
 * If the service saw no acknowledgement, it sends the same changes again under a new id, before anything later for that
 * webhook (decisions, section 8). So a callback is a repeat if its changes equal, one by one, those of the webhook's
 * previous callback. Its id does not help, and neither does a single change: an update from A to B and back to A within
 * one second gives two equal changes. When a change arrives through several webhooks, the first occurrence of its
 * content on one webhook is the same change as the first on another, and so on.
 */
export async function storeCallbacks(
  database: WorkspaceTables,
  account: string,
  callbacks: readonly IncomingCallback[],
): Promise<StoredChange[]> {
  const hooks = await hooksOf(database, account, callbacks);
  const counts = await countsOf(database, account, callbacks);
  const polls = await pollsOf(database, account, callbacks);
  const fresh: NewEvent[] = [];
  const seenBefore: { hook: string; content: string; seenAt: string }[] = [];
  for (const { hook, sequence, changes, receivedAt } of callbacks) {
    const known = hooks.get(hook);
    if (known?.last_callback === sequence) {
      hooks.set(hook, { ...known, received_at: receivedAt });
      continue;
    }
    for (const source of changes) {
      const { content } = source;
      const kept = counts.most(content);
      const occurrence = source.once ? 1 : counts.of(content, hook) + 1;
      counts.add(content, hook);
      if (occurrence <= kept || (hook !== POLL && polls.reported(source))) {
        seenBefore.push({ hook, content, seenAt: receivedAt });
        continue;
      }
      fresh.push({
        account,
        hook,
        received_at: receivedAt,
        entity: source.entity,
        change_type: source.changeType,
        record_id: source.recordId,
        shop_id: source.shopId,
        time: source.time,
        content,
        occurrence,
        source,
      });
    }
    const newest = changes.reduce<string | null>(
      (most, { time }) => (most !== null && most > time ? most : time),
      null,
    );
    hooks.set(hook, {
      account,
      hook,
      last_callback: sequence,
      received_at: receivedAt,
      change_time: newest ?? known?.change_time ?? null,
    });
  }
  await polls.forget();
  const kept = await insertEvents(database, fresh);
  await rememberSightings(database, account, seenBefore);
  await rememberHooks(database, [...hooks.values()]);
  return kept;
}

/**
 * What polls have reported of the records: a webhook that comes late with the same state, or with the creation of a
 * record that a poll reported as created, repeats it. A state is repeated once, and by a change from before the poll: a
 * record that gets it again, such as a membership that is removed a second time, has another change.
 */
async function pollsOf(database: WorkspaceTables, account: string, callbacks: readonly IncomingCallback[]) {
  const ids = [...new Set(callbacks.flatMap(({ changes }) => changes.map(({ recordId }) => recordId)))];
  const reported = new Map<string, { states: Map<string, number>; types: Set<string> }>();
  for (const some of inParts(ids)) {
    const rows = await database
      .selectFrom('event_polls')
      .select(['entity', 'record_id', 'state', 'change_type', 'told_at'])
      .where('account', '=', account)
      .where('record_id', 'in', some)
      .execute();
    for (const { entity, record_id, state, change_type, told_at } of rows) {
      const key = `${entity} ${record_id}`;
      const known = reported.get(key) ?? { states: new Map(), types: new Set() };
      known.states.set(state, Date.parse(told_at));
      known.types.add(change_type);
      reported.set(key, known);
    }
  }
  const repeated: { readonly entity: string; readonly record_id: string; readonly state: string }[] = [];
  return {
    reported({ entity, recordId, changeType, once, state, time }: IncomingChange): boolean {
      const known = reported.get(`${entity} ${recordId}`);
      if (known === undefined) return false;
      if (once && known.types.has(changeType)) return true;
      const own = state?.();
      const reportedAt = own === undefined ? undefined : known.states.get(own);
      if (own === undefined || reportedAt === undefined || Date.parse(time) > reportedAt + CLOCKS_APART_MS)
        return false;
      known.states.delete(own);
      repeated.push({ entity, record_id: recordId, state: own });
      return true;
    },
    /** Forgets the states that were repeated. */
    async forget(): Promise<void> {
      for (const { entity, record_id, state } of repeated) {
        await database
          .deleteFrom('event_polls')
          .where('account', '=', account)
          .where('record_id', '=', record_id)
          .where('entity', '=', entity)
          .where('state', '=', state)
          .execute();
      }
    },
  };
}

async function hooksOf(
  database: WorkspaceTables,
  account: string,
  callbacks: readonly IncomingCallback[],
): Promise<Map<string, EventHookTable>> {
  const names = [...new Set(callbacks.map(({ hook }) => hook))];
  const rows = await database
    .selectFrom('event_hooks')
    .selectAll()
    .where('account', '=', account)
    .where('hook', 'in', names)
    .execute();
  return new Map(rows.map((row) => [row.hook, row]));
}

/** How often each content arrived, by webhook. */
async function countsOf(database: WorkspaceTables, account: string, callbacks: readonly IncomingCallback[]) {
  const counts = new Map<string, Map<string, number>>();
  const add = (content: string, hook: string, more = 1) => {
    const byHook = counts.get(content) ?? new Map<string, number>();
    byHook.set(hook, (byHook.get(hook) ?? 0) + more);
    counts.set(content, byHook);
  };
  const contents = [...new Set(callbacks.flatMap(({ changes }) => changes.map(({ content }) => content)))];
  for (const some of inParts(contents)) {
    const kept = await database
      .selectFrom('events')
      .select(['content', 'hook'])
      .where('account', '=', account)
      .where('content', 'in', some)
      .execute();
    for (const { content, hook } of kept) add(content, hook);
    const sighted = await database
      .selectFrom('event_sightings')
      .select(['content', 'hook', 'occurrences'])
      .where('account', '=', account)
      .where('content', 'in', some)
      .execute();
    for (const { content, hook, occurrences } of sighted) add(content, hook, occurrences);
  }
  return {
    add,
    of: (content: string, hook: string) => counts.get(content)?.get(hook) ?? 0,
    most: (content: string) => Math.max(0, ...(counts.get(content)?.values() ?? [])),
  };
}

async function insertEvents(database: WorkspaceTables, events: readonly NewEvent[]): Promise<StoredChange[]> {
  const kept: StoredChange[] = [];
  for (const some of inParts(events)) {
    const rows = await database
      .insertInto('events')
      .values(some.map(({ source, ...row }) => row))
      .returning(['seq', 'content', 'occurrence'])
      .execute();
    const seqs = new Map(rows.map(({ seq, content, occurrence }) => [`${content} ${occurrence}`, seq]));
    const placed = some.map(({ source, received_at, content, occurrence }) => {
      const seq = seqs.get(`${content} ${occurrence}`);
      if (seq === undefined) throw new Error('the workspace did not say where it kept a change');
      return { seq, receivedAt: received_at, change: source };
    });
    const contents = placed.map(({ seq, change }) => ({ seq, change: change.text }));
    await database.insertInto('event_contents').values(contents).execute();
    kept.push(...placed);
  }
  return kept.sort((one, other) => one.seq - other.seq);
}

async function rememberSightings(
  database: WorkspaceTables,
  account: string,
  sightings: readonly { hook: string; content: string; seenAt: string }[],
): Promise<void> {
  for (const { hook, content, seenAt } of sightings) {
    await database
      .insertInto('event_sightings')
      .values({ account, hook, content, occurrences: 1, seen_at: seenAt })
      .onConflict((conflict) =>
        conflict.columns(['account', 'content', 'hook']).doUpdateSet((of) => ({
          occurrences: of('event_sightings.occurrences', '+', 1),
          seen_at: seenAt,
        })),
      )
      .execute();
  }
}

async function rememberHooks(database: WorkspaceTables, hooks: readonly EventHookTable[]): Promise<void> {
  if (hooks.length === 0) return;
  await database
    .insertInto('event_hooks')
    .values([...hooks])
    .onConflict((conflict) =>
      conflict.columns(['account', 'hook']).doUpdateSet((of) => ({
        last_callback: of.ref('excluded.last_callback'),
        received_at: of.ref('excluded.received_at'),
        change_time: of.ref('excluded.change_time'),
      })),
    )
    .execute();
}

function inParts<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length; from += ROWS_AT_ONCE) parts.push(items.slice(from, from + ROWS_AT_ONCE));
  return parts;
}

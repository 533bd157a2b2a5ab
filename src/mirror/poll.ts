import { type Fields, fieldsIn, readFields, writeJson } from '../domain/json/values.ts';
import { stateOf } from '../events/listen/record-state.ts';
import { closeGaps } from '../events/store/listeners.ts';
import { newestChangesOf, type PolledChange, storePolled } from '../events/store/polls.ts';
import { EVENTS } from '../events/store/serving.ts';
import type { StoredChange } from '../events/store/store-changes.ts';
import type { EventSource } from './apply-events.ts';
import { readFact, writeFact } from './service-clock.ts';
import { areaStates } from './store/area-states.ts';
import { areaNamed } from './store/declared-areas.ts';
import { momentOf } from './store/declared-columns.ts';
import { lockOf, type Mirror } from './store/mirror.ts';
import type { NewsTable } from './store/tables.ts';
import { newsFact, type SyncSetup, syncAreas } from './sync.ts';

/** Which news to report now. */
export interface Telling extends EventSource {
  readonly mirror: Mirror;
  readonly shopId: string;
  /** Kinds of records; all when empty. */
  readonly entities: readonly string[];
  /** When the webhook was created, by the service's clock: what changed before, no webhook will deliver. */
  readonly webhookSince: number | undefined;
  /** This machine's time, as received_at has it. */
  readonly now: number;
}

const AT_ONCE = 200;

interface Present {
  readonly entity: string;
  readonly recordId: string;
  readonly record: Fields;
  readonly isDeleted: boolean;
  readonly state: string;
}

async function presentOf(mirror: Mirror, { area, id, shop_id, change_type }: NewsTable): Promise<Present | undefined> {
  const entity = areaNamed(area)?.entity;
  const row = await mirror.read(({ database }) =>
    database
      .selectFrom('records_json')
      .select('json')
      .where('area', '=', area)
      .where('id', '=', id)
      .where('shop_id', '=', shop_id)
      .executeTakeFirst(),
  );
  if (entity === undefined || row === undefined) return undefined;
  const json: unknown = row.json;
  const record = readFields(typeof json === 'string' ? json : writeJson(json));
  const isDeleted = change_type === 'delete' || record.deleted === true;
  return { entity, recordId: id, record, isDeleted, state: stateOf(record, isDeleted) };
}

/** Whether a stored change already tells of the state that a record has now, or of a later one. */
async function isExplained({ workspace, account }: EventSource, present: Present): Promise<boolean> {
  const { entity, recordId, record, isDeleted, state } = present;
  const changes = await workspace.read((database) => newestChangesOf(database, { account, entity, recordId }));
  if (isDeleted) return changes[0]?.change_type === 'delete';
  const updated = momentOf(record.updated_at);
  return changes.some(({ change, change_type }, index) => {
    const latest = fieldsIn(fieldsIn(readFields(change).latest)[entity]);
    const at = momentOf(latest.updated_at);
    if (updated !== undefined && at !== undefined && at > updated) return true;
    return index === 0 && change_type !== 'delete' && stateOf(latest, false) === state;
  });
}

function changeOf({ entity, recordId, record, isDeleted, state }: Present, news: NewsTable): PolledChange {
  const changeType = isDeleted ? 'delete' : news.change_type;
  const time = new Date(Number(news.changed)).toISOString().replace('.000Z', 'Z');
  const text = JSON.stringify({ source: 'poll', change_type: changeType, entity, time, latest: { [entity]: record } });
  const content = `poll ${entity} ${recordId} ${state}`;
  return {
    entity,
    changeType,
    recordId,
    shopId: news.shop_id,
    time,
    content,
    once: false,
    text,
    state: () => state,
    stateHash: state,
  };
}

/** What was stored, and how many changes wait for the next poll. */
export interface ReportedNews {
  readonly reported: readonly StoredChange[];
  readonly waiting: number;
}

/**
 * Stores the changes that a sync found and that no webhook has delivered, as changes found by a poll. A change that the
 * present webhook may still deliver waits for the next poll.
 */
export async function tellNews(telling: Telling): Promise<ReportedNews> {
  const { mirror, workspace, account, shopId, entities, webhookSince, now } = telling;
  const reported: StoredChange[] = [];
  let waiting = 0;
  let after = '';
  for (;;) {
    const news = await mirror.read(({ database }) =>
      database
        .selectFrom('mirror_news')
        .selectAll()
        .where('shop_id', '=', shopId)
        .where('id', '>', after)
        .orderBy('id')
        .orderBy('area')
        .limit(AT_ONCE)
        .execute(),
    );
    const changes: PolledChange[] = [];
    const done: NewsTable[] = [];
    const later: NewsTable[] = [];
    for (const one of news) {
      const present = await presentOf(mirror, one);
      const isWanted = present !== undefined && (entities.length === 0 || entities.includes(present.entity));
      const mayCome = webhookSince !== undefined && Number(one.changed) >= webhookSince && Number(one.looks) === 0;
      if (!isWanted || (await isExplained(telling, present))) done.push(one);
      else if (mayCome) later.push(one);
      else {
        changes.push(changeOf(present, one));
        done.push(one);
      }
    }
    if (changes.length > 0) {
      const kept = await workspace.write(async (database) => {
        await workspace.alone(database, EVENTS);
        return storePolled(database, account, changes, new Date(now).toISOString());
      });
      reported.push(...kept);
    }
    await settle(mirror, done, later);
    waiting += later.length;
    const last = news.at(-1);
    if (last === undefined || news.length < AT_ONCE) return { reported, waiting };
    after = last.id;
  }
}

/** Forgets the news that are reported or explained; the others have been looked at once more. */
async function settle(mirror: Mirror, done: readonly NewsTable[], later: readonly NewsTable[]): Promise<void> {
  await mirror.write(async ({ database }) => {
    for (const { area, id, shop_id } of done) {
      await database
        .deleteFrom('mirror_news')
        .where('area', '=', area)
        .where('id', '=', id)
        .where('shop_id', '=', shop_id)
        .execute();
    }
    for (const { area, id, shop_id, looks } of later) {
      await database
        .updateTable('mirror_news')
        .set({ looks: Number(looks) + 1 })
        .where('area', '=', area)
        .where('id', '=', id)
        .where('shop_id', '=', shop_id)
        .execute();
    }
  });
}

/** What a poll needs besides a sync. */
export interface PollSetup extends Omit<SyncSetup, 'isFull' | 'areas' | 'events'> {
  readonly source: EventSource;
  readonly entities: readonly string[];
  readonly webhookSince: number | undefined;
}

/** Whether a shop was ever copied into a mirror. */
export async function wasSynced(mirror: Mirror, shopId: string): Promise<boolean> {
  return (await areaStates(mirror, shopId)).some(({ complete_until }) => complete_until !== null);
}

/**
 * Syncs, and stores as changes what no webhook has delivered. The first poll of a shop begins with the present: what it
 * finds is no change. Throws a CallError or a WorkspaceError.
 */
export async function poll(setup: PollSetup): Promise<readonly StoredChange[]> {
  const { mirror, shopId, signal, clock, source, entities, webhookSince } = setup;
  const release = await mirror.hold(lockOf(mirror), { signal });
  const began = new Date(clock.now()).toISOString();
  try {
    const first = await mirror.read((session) => readFact(session, newsFact(shopId)));
    for await (const _ of syncAreas({ ...setup, isFull: false })) signal.throwIfAborted();
    if (first === undefined) {
      await mirror.write((session) => writeFact(session, newsFact(shopId), began));
      return [];
    }
    const { reported, waiting } = await tellNews({
      ...source,
      mirror,
      shopId,
      entities,
      webhookSince,
      now: clock.now(),
    });
    const fact = `poll began ${shopId}`;
    // What waited at the poll before is told now.
    const before = await mirror.read((session) => readFact(session, fact));
    const foundUntil = waiting === 0 ? began : (before ?? '');
    const closing = { foundSince: first, foundUntil, at: new Date(clock.now()).toISOString() };
    await source.workspace.write((database) => closeGaps(database, source.account, closing));
    await mirror.write((session) => writeFact(session, fact, began));
    return reported;
  } finally {
    release();
  }
}

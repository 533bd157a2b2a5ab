import { type Fields, fieldsIn, readFields, writeJson } from '../domain/json/values.ts';
import { stateOf } from '../events/listen/record-state.ts';
import { newestChangesOf, type PolledChange, storePolled } from '../events/store/polls.ts';
import { EVENTS } from '../events/store/serving.ts';
import type { StoredChange } from '../events/store/store-changes.ts';
import type { EventSource } from './apply-events.ts';
import { areaNamed } from './store/declared-areas.ts';
import { momentOf } from './store/declared-columns.ts';
import type { Mirror } from './store/mirror.ts';
import type { NewsTable } from './store/tables.ts';

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

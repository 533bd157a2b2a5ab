import { fieldsIn, readFields } from '../domain/json/values.ts';
import { type EventIds, knownEventIds } from '../events/store/ids.ts';
import { type StoredEvent, storedEvents } from '../events/store/list.ts';
import { lastEvent } from '../events/store/targets.ts';
import { POLL } from '../store/event-tables.ts';
import type { Workspace } from '../store/workspace.ts';
import { markWhole, readFact, timesPassedTwice, writeFact } from './service-clock.ts';
import { areaOfEntity, type MirrorArea } from './store/declared-areas.ts';
import { momentOf, momentText } from './store/declared-columns.ts';
import type { Statement } from './store/mirror.ts';
import { changesTable } from './store/own-tables.ts';
import { idOf, storable } from './store/write/area-tables.ts';
import { inserterFor } from './store/write/statements.ts';
import type { SeenPage } from './store/write/write-page.ts';
import type { SyncContext } from './sync-context.ts';

/** Where the stored changes of an account are. */
export interface EventSource {
  readonly workspace: Workspace;
  readonly account: string;
}

const AT_ONCE = 200;

/** Copies changes into their table; those that it has stay as they are. */
function changeCopier({
  mirror,
  shopId,
  clock,
}: SyncContext): (events: readonly StoredEvent[], ids: EventIds) => Statement[] {
  const columns = changesTable.columns.map(({ name }) => name);
  const inserter = inserterFor(mirror.dialect, changesTable.name, columns, { onConflict: 'on conflict do nothing' });
  return (events, ids) => {
    const copiedAt = momentText(new Date(clock.now()));
    const rows = events
      .filter(({ shop_id }) => (shop_id ?? shopId) === shopId)
      .flatMap(({ seq, received_at, entity, record_id, change_type, time, hook, change }) => {
        const source = hook === POLL ? POLL : 'webhook';
        const { json } = storable(readFields(change));
        const times = [momentText(received_at), momentText(time)];
        return [
          shopId,
          ids.idOf(seq),
          times[0] ?? null,
          entity,
          record_id,
          change_type,
          times[1] ?? null,
          source,
          json,
          copiedAt,
          null,
        ];
      });
    const statements: Statement[] = [];
    inserter.insert(statements, rows);
    return statements;
  };
}

/** The record that a change tells of, as a page of one; undefined if the mirror has no such records. */
function pageOf(
  { entity, change_type, shop_id, time, change, hook }: StoredEvent,
  shopId: string,
): SeenPage | undefined {
  const area: MirrorArea | undefined = areaOfEntity(entity);
  const seen = momentOf(time);
  if (area === undefined || seen === undefined || hook === POLL || (shop_id ?? shopId) !== shopId) return undefined;
  const { latest } = readFields(change);
  const record = fieldsIn(fieldsIn(latest)[entity]);
  const id = idOf(area, record);
  if (id === '') return undefined;
  const page = { area, shopId, seen, source: 'webhook', isPresent: false } as const;
  return change_type === 'delete' ? { ...page, records: [], gone: [id] } : { ...page, records: [record] };
}

/** The moments that decide whether a change replaces what is known. */
const timesOf = ({ seen, records }: SeenPage): number[] => [
  seen,
  ...records.flatMap(({ updated_at }) => momentOf(updated_at) ?? []),
];

/** Applies the changes that webhooks have brought since the last time; what the mirror has newer stays. */
export async function applyEvents(context: SyncContext, { workspace, account }: EventSource): Promise<number> {
  const { mirror, writer, shopId, signal } = context;
  const fact = `events ${account} ${shopId}`;
  const known = Number((await mirror.read((session) => readFact(session, fact))) ?? 0);
  const last = await workspace.read(lastEvent);
  // Numbers below the last known one are those of another workspace.
  let after = known > last ? 0 : known;
  const copies = changeCopier(context);
  // Whoever stores changes has numbered them before.
  const ids = await workspace.read(knownEventIds);
  const isUncertain = await mirror.read((session) => timesPassedTwice(session, shopId));
  let applied = 0;
  for (;;) {
    signal.throwIfAborted();
    const events = await workspace.read((database) => storedEvents(database, { account, after }, { limit: AT_ONCE }));
    const newest = events.at(-1);
    if (newest === undefined) return applied;
    after = newest.seq;
    const pages = events.flatMap((event) => pageOf(event, shopId) ?? []);
    for (const page of pages) await context.events.seen?.(page);
    // What came late of the time before the clock was set back may have replaced what is newer: the lists have the last word.
    const uncertain = pages.filter((page) => timesOf(page).some(isUncertain)).map(({ area }) => area.name);
    await mirror.write(async (session) => {
      if (uncertain.length > 0) await markWhole(session, shopId, uncertain);
      for (const page of pages) await writer.write(session, page);
      for (const { sql, parameters } of ids === undefined ? [] : copies(events, ids))
        await session.run(sql, parameters);
      await writeFact(session, fact, String(after));
    });
    applied += events.length;
  }
}

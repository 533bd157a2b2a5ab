import { checkedBaseUrl } from '../client/base-url.ts';
import type { Connection } from '../client/connection.ts';
import { undoneByPage } from '../ledger/known/seen-ends.ts';
import type { Clock } from '../platform/process/clock.ts';
import { sqlOf } from '../store/kysely-sql.ts';
import { applyEvents, type EventSource } from './apply-events.ts';
import { listPages } from './list-pages.ts';
import { ROLLUP_ZONE, readFact, serviceClock } from './service-clock.ts';
import { serviceTime } from './service-time.ts';
import { type AreaState, areaState, areaStates, writeAreaState } from './store/area-states.ts';
import { areaNamed, type MirrorArea, mirrorAreas } from './store/declared-areas.ts';
import { buildReadersIndices, dropReadersIndices } from './store/ensure-tables.ts';
import type { Mirror } from './store/mirror.ts';
import { daysIn } from './store/write/days.ts';
import { rebuildRollups } from './store/write/rebuild-rollups.ts';
import { PageWriter, type SeenPage } from './store/write/write-page.ts';
import { type AreaSummary, type SyncContext, type SyncEvents, storePage, summaryOf } from './sync-context.ts';
import { syncKnown, syncPartner } from './sync-known.ts';
import { markGone, requireMet, syncList } from './walk-list.ts';

/** Copies relationships, whose list needs a filter: once for each record of another area. Throws a CallError. */
async function syncMembers(context: SyncContext, area: MirrorArea): Promise<AreaSummary> {
  const { mirror, shopId, time, service, clock } = context;
  const { per, list = '' } = area;
  const summary = summaryOf(area.name);
  const callsBefore = time.calls();
  const before = await mirror.read((session) => areaState(session, shopId, area.name));
  const parents = await mirror.read((session) => session.run(...aliveIn(context, per?.area ?? '')));
  const parent = await mirror.read((session) => areaState(session, shopId, per?.area ?? ''));
  let state: AreaState = { ...before, walk: before.walk + 1, walking: 'whole', cursor: null, began: null };
  let anyNull = false;
  for (const { id } of parents) {
    const filter = { [per?.filter ?? '']: String(id) };
    for await (const { records, date, isNull } of listPages(list, { filter, endsShort: true }, time)) {
      await service.saw(date);
      state = { ...state, began: state.began ?? date ?? null };
      anyNull ||= isNull;
      const seen = date ?? clock.now();
      const page = { area, shopId, seen, source: 'list', records, walk: state.walk, isPresent: true } as const;
      await storePage(context, summary, { page, state });
    }
  }
  const began = state.began ?? (parent.complete_until === null ? null : parent.complete_until + 1_000);
  state = { ...state, began };
  if (anyNull) await requireMet(context, area, state);
  await markGone(context, area, state, summary);
  summary.complete_until = began === null ? null : began - 1_000;
  const done: AreaState = {
    ...state,
    walking: null,
    began: null,
    complete_until: summary.complete_until,
    began_here: clock.now(),
    needs_whole: false,
  };
  await writeAreaState(mirror, done);
  summary.calls = time.calls() - callsBefore;
  return summary;
}

/** The statement for the ids of an area's records that are not deleted. */
function aliveIn({ mirror, shopId }: SyncContext, name: string): [string, unknown[]] {
  const table = mirror.dialect.table(areaNamed(name)?.name ?? '');
  return [`select id from ${table} where shop_id = ? and deleted_at is null order by id`, [shopId]];
}

/** The fact that says that a listener wants to know what syncs find. */
export const newsFact = (shopId: string): string => `news ${shopId}`;

/** What a sync is to do. */
export interface SyncSetup {
  readonly mirror: Mirror;
  readonly connection: Connection;
  readonly shopId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The areas to copy; all when absent. */
  readonly areas?: readonly string[] | undefined;
  /** Whether every record is read and written again, and the rollups are computed from them. */
  readonly isFull: boolean;
  /** The time zone of the rollups. */
  readonly timeZone: string;
  readonly events?: SyncEvents;
  /** Where changes that webhooks brought are stored; none are applied when absent. */
  readonly source?: EventSource | undefined;
  /** With a partner's key, which lists nothing: the ids of the orders that were made here. */
  readonly made?: readonly string[] | undefined;
}

/** The areas of those names, in the order in which they are copied. */
export function areasNamed(names: readonly string[] | undefined): readonly MirrorArea[] {
  return names === undefined || names.length === 0
    ? mirrorAreas
    : mirrorAreas.filter(({ name }) => names.includes(name));
}

/** Tells the ledger beside stored changes which records have ended. */
function endsIn({ workspace }: EventSource, baseUrl: string) {
  const { origin } = checkedBaseUrl(baseUrl);
  const isServer = workspace.serverTime !== undefined;
  return (page: SeenPage) =>
    undoneByPage((work) => workspace.write((database) => work(sqlOf(database, isServer))), origin, page);
}

/** What a sync of one shop works with. */
export async function contextFor(setup: SyncSetup): Promise<SyncContext> {
  const { mirror, connection, shopId, clock, signal, isFull, timeZone, source } = setup;
  const keepsNews = (await mirror.read((session) => readFact(session, newsFact(shopId)))) !== undefined;
  return {
    mirror,
    writer: new PageWriter(mirror.dialect, daysIn(timeZone), { rewritesAll: isFull, keepsNews }),
    time: serviceTime(connection),
    service: await serviceClock(mirror, shopId),
    shopId,
    clock,
    signal,
    events: { ...setup.events, ...(source === undefined ? {} : { seen: endsIn(source, connection.baseUrl) }) },
    isFull,
  };
}

/** Copies one area. Throws a CallError or a WorkspaceError. */
export function syncArea(context: SyncContext, area: MirrorArea): Promise<AreaSummary> {
  if (area.list === undefined) return syncKnown(context, area);
  return area.per === undefined ? syncList(context, area) : syncMembers(context, area);
}

/** Copies areas one after another; yields what each has done. Throws a CallError or a WorkspaceError. */
export async function* syncAreas(setup: SyncSetup): AsyncGenerator<AreaSummary, void, undefined> {
  const { mirror, areas, isFull, timeZone, signal } = setup;
  const known = await mirror.read((session) => readFact(session, ROLLUP_ZONE));
  if (known !== timeZone) await rebuildRollups(mirror, timeZone, signal);
  const context = await contextFor(setup);
  const isNew = (await areaStates(mirror)).length === 0;
  if (isNew) await dropReadersIndices(mirror);
  if (setup.source !== undefined) await applyEvents(context, setup.source);
  if (setup.made !== undefined) yield* await syncPartner(context, setup.made);
  else for (const area of areasNamed(areas)) yield await syncArea(context, area);
  if (isFull) await rebuildRollups(mirror, timeZone, signal);
  if (isNew) await buildReadersIndices(mirror);
  const { learn } = mirror.dialect;
  if (learn.length > 0)
    await mirror.write(async (session) => {
      for (const statement of learn) await session.run(statement);
    });
}

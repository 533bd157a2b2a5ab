import { ofAnother } from '../client/answer.ts';
import { loadOperation } from '../contract/areas.ts';
import { isRefused, type ListPage, listPages } from './list-pages.ts';
import { SECOND_MS } from './service-clock.ts';
import { type AreaState, areaState, type PagePosition, writeAreaState } from './store/area-states.ts';
import type { MirrorArea } from './store/declared-areas.ts';
import { momentOf } from './store/declared-columns.ts';
import type { MirrorSession } from './store/mirror.ts';
import { forIds } from './store/write/statements.ts';
import { type AreaSummary, newPages, type SyncContext, storePage, summaryOf } from './sync-context.ts';

/** Transactions of the service may become visible later than their time says: so much is read again. */
const MARGIN_MS = 120_000;
/** How many deletions one transaction marks. */
const GONE_AT_ONCE = 500;
/** How many ids one filter names. */
const LOOKED_AT_ONCE = 50;

/** The newest updated_at of records, in milliseconds since 1970. */
export function newestOf(records: readonly Readonly<Record<string, unknown>>[], before: number | null): number | null {
  return records.reduce<number | null>((newest, { updated_at }) => {
    const at = momentOf(updated_at);
    return at !== undefined && (newest === null || at > newest) ? at : newest;
  }, before);
}

/**
 * Where the next walk for changes begins: behind the last page that ends early enough before the moment up to which the
 * area is complete, and not behind the very last one, since several records may share a second. undefined: at the start.
 */
export function startOf({ pages, complete_until }: Pick<AreaState, 'pages' | 'complete_until'>): string | undefined {
  if (complete_until === null) return undefined;
  const settled = pages.slice(0, -1).filter(([, newest]) => newest <= complete_until - MARGIN_MS);
  return settled.at(-1)?.[0];
}

/** The positions that a later walk may need: those that are not settled, and the last two that are. */
export function storedPositions(pages: readonly PagePosition[], until: number): readonly PagePosition[] {
  const settled = pages.filter(([, newest]) => newest <= until - SECOND_MS - MARGIN_MS).length;
  return pages.slice(Math.max(0, settled - 2));
}

interface Walk {
  readonly kind: 'whole' | 'changes';
  readonly state: AreaState;
  readonly sort: 'updated_at' | undefined;
  /** Whether it goes on where an earlier run stopped, or at a position of an earlier walk. */
  readonly isStored: boolean;
}

function begun(state: AreaState, kind: Walk['kind'], isTimed: boolean): Walk {
  const cursor = kind === 'changes' ? (startOf(state) ?? null) : null;
  const at = state.pages.findIndex(([one]) => one === cursor);
  const walking: AreaState = {
    ...state,
    walk: state.walk + 1,
    // From the very start, a walk for changes meets every record.
    walking: cursor === null ? 'whole' : kind,
    cursor,
    began: null,
    pages: state.pages.slice(0, at + 1),
    // A whole walk is what was needed; a clock that is set back from now on marks the area again.
    needs_whole: cursor === null ? false : state.needs_whole,
  };
  const sort = isTimed && !state.unsorted ? 'updated_at' : undefined;
  return { kind: walking.walking ?? kind, state: walking, sort, isStored: cursor !== null };
}

/** The walk to do: the one that was interrupted, else one for changes if that is enough. */
function walkFor(state: AreaState, { isTimed }: MirrorArea, isFull: boolean): Walk {
  if (!isFull && state.walking !== null && !state.needs_whole) {
    const sort = isTimed && !state.unsorted ? 'updated_at' : undefined;
    return { kind: state.walking, state, sort, isStored: state.cursor !== null };
  }
  const isWhole = isFull || state.needs_whole || !isTimed || state.unsorted || state.complete_until === null;
  return begun(state, isWhole ? 'whole' : 'changes', isTimed);
}

/** Whether the mirror still has records whose owner, a record of another area, was deleted. */
async function hasOrphans({ mirror, shopId }: SyncContext, { name, pick, endsWith }: MirrorArea): Promise<boolean> {
  if (endsWith === undefined) return false;
  const { table } = mirror.dialect;
  const sql = `select 1 from ${table(name)} as r join ${table(endsWith)} as o on o.id = r."${pick}" and o.shop_id = r.shop_id
where r.shop_id = ? and r.deleted_at is null and o.deleted_at is not null limit 1`;
  return (await mirror.read((session) => session.run(sql, [shopId]))).length > 0;
}

/** Copies one list: everything the first time, then what changed. Throws a CallError or a WorkspaceError. */
export async function syncList(context: SyncContext, area: MirrorArea): Promise<AreaSummary> {
  const { mirror, shopId, isFull, time, service } = context;
  const summary = summaryOf(area.name);
  const callsBefore = time.calls();
  let setBacks = service.setBacks();
  const before = await mirror.read((session) => areaState(session, shopId, area.name));
  let walk = walkFor(before, area, isFull || (await hasOrphans(context, area)));
  for (;;) {
    try {
      await writeAreaState(mirror, walk.state);
      const done = await walked(context, area, walk, summary);
      if (done !== 'again') {
        // What changed after it was read has an earlier time than the walk's beginning.
        const needsWhole = service.setBacks() > setBacks;
        summary.complete_until = await finish(context, area, { kind: walk.kind, ...done, summary, needsWhole });
        break;
      }
      // The service's clock was set back: what the cursor stands for is gone.
      setBacks = service.setBacks();
      walk = begun({ ...walk.state, pages: [], walking: null }, 'whole', area.isTimed);
    } catch (error) {
      if (!isRefused(error) || (!walk.isStored && walk.sort === undefined)) throw error;
      // The service refuses a stored cursor, else the order: the list is read whole.
      const unsorted = walk.state.unsorted || !walk.isStored;
      walk = begun({ ...walk.state, pages: [], unsorted }, 'whole', area.isTimed);
    }
  }
  summary.calls = time.calls() - callsBefore;
  return summary;
}

/** How a walk ended: at the end of the list, or where everything is newer than its beginning. */
interface Ended {
  readonly state: AreaState;
  readonly isCut: boolean;
  /** Whether its last page was a null list. */
  readonly isNull: boolean;
}

/** Whether all records of a page have changed since a moment. */
const isAllNewer = ({ records }: ListPage, began: number): boolean =>
  records.length > 0 && records.every(({ updated_at }) => (momentOf(updated_at) ?? began) > began);

/**
 * Reads and stores the pages of a walk, up to the end of the list or up to a page that is all newer than the walk's
 * beginning: while records change faster than they are read, the list has no end, and the next walk goes on from there.
 * Returns its last state, or that it has to begin again.
 */
async function walked(
  context: SyncContext,
  area: MirrorArea,
  walk: Walk,
  summary: AreaSummary,
): Promise<Ended | 'again'> {
  const { service, clock, shopId } = context;
  let { state } = walk;
  const isWhole = walk.kind === 'whole';
  const isFirst = isWhole && state.complete_until === null;
  const setBacks = service.setBacks();
  const extent = { sort: walk.sort, after: state.cursor ?? undefined };
  let began: number | null | undefined = state.began ?? undefined;
  const first = newPages(context, summary);
  let isNull = false;
  try {
    for await (const listed of listPages(area.list ?? '', extent, context.time)) {
      const { records, date, next } = listed;
      isNull = listed.isNull;
      await service.saw(date);
      if (service.setBacks() > setBacks && !isWhole) return 'again';
      began ??= date ?? null;
      state = afterPage(state, listed, began, walk.sort !== undefined);
      const seen = date ?? newestOf(records, null) ?? clock.now();
      const inWalk = isWhole ? state.walk : undefined;
      const page = { area, shopId, seen, source: 'list', records, walk: inWalk, isPresent: isWhole } as const;
      if (isFirst) await first.add({ page, state });
      else await storePage(context, summary, { page, state });
      if (walk.sort !== undefined && began !== null && isAllNewer(listed, began)) {
        return { state: { ...state, began }, isCut: next !== undefined, isNull };
      }
    }
    return { state: { ...state, began: began ?? null }, isCut: false, isNull };
  } finally {
    await first.end();
  }
}

function afterPage(state: AreaState, { records, next }: ListPage, began: number | null, isSorted: boolean): AreaState {
  const newest = newestOf(records, state.newest);
  const position: PagePosition[] = next !== undefined && isSorted ? [[next, newest ?? 0]] : [];
  const until = began ?? newest ?? 0;
  return {
    ...state,
    cursor: next ?? state.cursor,
    began,
    newest,
    pages: storedPositions([...state.pages, ...position], until),
  };
}

/** Marks what a whole walk has not met as deleted, and says that the area is complete. Returns until when. */
async function finish(
  context: SyncContext,
  area: MirrorArea,
  {
    kind,
    state,
    isCut,
    isNull,
    summary,
    needsWhole,
  }: Ended & { kind: Walk['kind']; summary: AreaSummary; needsWhole: boolean },
): Promise<number | null> {
  if (kind === 'whole' && isNull) await requireMet(context, area, state);
  if (kind === 'whole' && isCut) await lookAgain(context, area, state, summary);
  if (kind === 'whole') await markGone(context, area, state, summary);
  const until = state.began ?? state.newest;
  // The service's clock was set back behind this version: a later change of the record looks older than it.
  const present = context.time.last();
  const isAhead = present !== undefined && (state.newest ?? 0) > present + SECOND_MS;
  const done: AreaState = {
    ...state,
    walking: null,
    cursor: null,
    began: null,
    complete_until: until === null ? null : until - SECOND_MS,
    began_here: context.clock.now(),
    needs_whole: needsWhole || isAhead,
  };
  await writeAreaState(context.mirror, done);
  return done.complete_until;
}

/** Throws a CallError if a walk that ended with a null list would mark anything as deleted. */
export async function requireMet({ mirror }: SyncContext, { list }: MirrorArea, state: AreaState): Promise<void> {
  const left = await mirror.read((session) => unmet(session, state, { most: 1 }));
  if (left.length === 0 || list === undefined) return;
  const { id, page } = await loadOperation(list);
  throw ofAnother(id, page?.items ?? '', 200);
}

/** Marks the records that a whole walk has not met as deleted. */
export async function markGone(
  context: SyncContext,
  area: MirrorArea,
  state: AreaState,
  summary: AreaSummary,
): Promise<void> {
  const { mirror, shopId, clock } = context;
  const { began, newest } = state;
  for (;;) {
    const gone = await mirror.read((session) => unmet(session, state));
    if (gone.length === 0) return;
    const seen = began ?? newest ?? clock.now();
    const page = { area, shopId, seen, source: 'list', records: [], gone, isPresent: true } as const;
    await storePage(context, summary, { page });
  }
}

/**
 * Reads the records that a walk has not met before it was cut: they may have changed since, and stand behind its end. By
 * the filter of their list, so that only those are left that the service does not have.
 */
async function lookAgain(
  context: SyncContext,
  area: MirrorArea,
  state: AreaState,
  summary: AreaSummary,
): Promise<void> {
  const { mirror, shopId, service, clock } = context;
  const { pick = 'id', key, list = '', name } = area;
  for (let after = ''; ; ) {
    const ids = await mirror.read((session) => unmet(session, state, { after, most: LOOKED_AT_ONCE }));
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
    const rows = await mirror.read((session) =>
      forIds(
        session,
        ids,
        (some) =>
          `select distinct "${pick}" as owner from ${mirror.dialect.table(name)} where shop_id = ? and "${key[0]}" in (${some})`,
        [shopId],
      ),
    );
    const filter = { [pick]: rows.map(({ owner }) => String(owner)).join(',') };
    for await (const { records, date, isNull } of listPages(list, { filter }, context.time)) {
      await service.saw(date);
      if (isNull) await requireMet(context, area, state);
      const seen = date ?? newestOf(records, null) ?? clock.now();
      const page = { area, shopId, seen, source: 'list', records, walk: state.walk, isPresent: true } as const;
      await storePage(context, summary, { page });
    }
  }
}

async function unmet(
  { database }: MirrorSession,
  { shop_id, area, walk }: AreaState,
  { after = '', most = GONE_AT_ONCE }: { readonly after?: string; readonly most?: number } = {},
): Promise<string[]> {
  const rows = await database
    .selectFrom('mirror_records')
    .select('id')
    .where('area', '=', area)
    .where('shop_id', '=', shop_id)
    .where('gone', '=', 0)
    .where('walk', '<', walk)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

import type { MirrorArea } from '../store/declared/areas.ts';
import { areaNamed } from '../store/declared/areas.ts';
import { type AreaState, areaState, writeAreaState } from '../store/store/areas.ts';
import { listPages } from './list-pages.ts';
import { type AreaSummary, type SyncContext, storePage, summaryOf } from './sync-context.ts';
import { markGone } from './walk-list.ts';

/** Copies relationships, whose list needs a filter: once for each record of another area. Throws a CallError. */
export async function syncMembers(context: SyncContext, area: MirrorArea): Promise<AreaSummary> {
  const { mirror, shopId, time, service, clock } = context;
  const { per, list = '' } = area;
  const summary = summaryOf(area.name);
  const callsBefore = time.calls();
  const before = await mirror.read((session) => areaState(session, shopId, area.name));
  const parents = await mirror.read((session) => session.run(...aliveIn(context, per?.area ?? '')));
  const parent = await mirror.read((session) => areaState(session, shopId, per?.area ?? ''));
  let state: AreaState = { ...before, walk: before.walk + 1, walking: 'whole', cursor: null, began: null };
  for (const { id } of parents) {
    const filter = { [per?.filter ?? '']: String(id) };
    for await (const { records, date } of listPages(list, { filter, endsShort: true }, time)) {
      await service.saw(date);
      state = { ...state, began: state.began ?? date ?? null };
      const seen = date ?? clock.now();
      const page = { area, shopId, seen, source: 'list', records, walk: state.walk, isPresent: true } as const;
      await storePage(context, summary, { page, state });
    }
  }
  const began = state.began ?? (parent.complete_until === null ? null : parent.complete_until + 1_000);
  state = { ...state, began };
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

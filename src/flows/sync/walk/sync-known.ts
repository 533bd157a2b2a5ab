import { call } from '../../../client/call.ts';
import { ServiceError } from '../../../client/errors.ts';
import { loadOperation } from '../../../contract/areas.ts';
import { fieldsIn } from '../../../domain/json/value-at.ts';
import type { MirrorArea } from '../../../workspace/mirror/declared/areas.ts';
import { areaState, writeAreaState } from '../../../workspace/mirror/store/areas.ts';
import { type AreaSummary, type SyncDesk, storePage, summaryOf } from './desk.ts';

/**
 * Copies records that the service does not list: reads those that webhooks have made known, one by one, until they are
 * over. Throws a CallError.
 */
export async function syncKnown(desk: SyncDesk, area: MirrorArea): Promise<AreaSummary> {
  const { mirror, shopId, time, service, clock } = desk;
  const { name, get = '' } = area;
  const summary = summaryOf(name);
  const callsBefore = time.calls();
  const operation = await loadOperation(get);
  const over = desk.isFull ? '' : " and status not in ('P', 'N', 'NS')";
  const known = await mirror.read((session) =>
    session.run(
      `select id from ${mirror.dialect.table(name)} where shop_id = ? and deleted_at is null${over} order by id`,
      [shopId],
    ),
  );
  let began: number | undefined;
  for (const id of known.map((row) => String(row.id))) {
    const found = await call(operation, { id }, time.connection).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'not_found') return undefined;
      throw error;
    });
    const date = time.last();
    await service.saw(date);
    began ??= date;
    const seen = date ?? clock.now();
    const records = found === undefined ? [] : [fieldsIn(found)];
    const gone = found === undefined ? [id] : [];
    await storePage(desk, summary, { area, shopId, seen, source: 'list', records, gone, isPresent: true }, undefined);
  }
  const before = await mirror.read((session) => areaState(session, shopId, name));
  summary.complete_until = began === undefined ? before.complete_until : began - 1_000;
  if (summary.complete_until !== null) {
    const done = { ...before, complete_until: summary.complete_until, began_here: clock.now() };
    await writeAreaState(mirror, done);
  }
  summary.calls = time.calls() - callsBefore;
  return summary;
}

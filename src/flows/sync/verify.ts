import { LARGEST_PAGE } from '../../client/pages.ts';
import { isRecord } from '../../domain/json/value-at.ts';
import type { MirrorArea } from '../../workspace/mirror/declared/areas.ts';
import { momentOf } from '../../workspace/mirror/declared/columns.ts';
import { areaState, writeAreaState } from '../../workspace/mirror/store/areas.ts';
import { compareRecords, type Difference } from '../../workspace/mirror/verify/compare.ts';
import { compareRollups } from '../../workspace/mirror/verify/compare-rollups.ts';
import { idOf } from '../../workspace/mirror/write/area-tables.ts';
import { areasNamed, contextFor, type SyncSetup, syncArea } from './sync.ts';
import { type ListExtent, listPages } from './walk/list-pages.ts';
import type { SyncContext } from './walk/sync-context.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What to verify: everything, or so many records of each area. */
export interface VerifySetup extends Omit<SyncSetup, 'isFull' | 'events'> {
  readonly sample: number | 'all';
  /** A number in [0, 1), to choose a sample. */
  readonly random: () => number;
}

/** What was found in one area. */
export interface Verified {
  readonly area: string;
  readonly compared: number;
  readonly differences: readonly Difference[];
}

/** A part of a list that is read at once, and the ids that the mirror has of it. */
interface Portion {
  readonly extent: ListExtent;
  readonly alive: readonly string[];
}

async function aliveIds(
  { mirror, shopId }: SyncContext,
  area: MirrorArea,
  where = '',
  values: readonly unknown[] = [],
) {
  const keys = area.key.map((name) => `"${name}"`).join(', ');
  const table = mirror.dialect.table(area.name);
  const sql = `select ${keys} from ${table} where shop_id = ? and deleted_at is null${where} order by 1`;
  const rows = await mirror.read((session) => session.run(sql, [shopId, ...values]));
  return rows.map((row) => area.key.map((name) => String(row[name])).join('-'));
}

/** The whole list, or for relationships each of them. */
async function wholePortions(context: SyncContext, area: MirrorArea): Promise<Portion[]> {
  const { per } = area;
  if (per === undefined) return [{ extent: {}, alive: await aliveIds(context, area) }];
  const parents = await context.mirror.read((session) =>
    session.run(`select id from ${context.mirror.dialect.table(per.area)} where shop_id = ? and deleted_at is null`, [
      context.shopId,
    ]),
  );
  const portions: Portion[] = [];
  for (const { id } of parents) {
    const filter = { [per.filter]: String(id) };
    portions.push({
      extent: { filter, endsShort: true },
      alive: await aliveIds(context, area, ` and ${per.filter} = ?`, [id]),
    });
  }
  return portions;
}

const MOST_IDS = 50;

/** As many records as were asked for, chosen by chance, by the filter of their list. */
async function sampledPortions(
  context: SyncContext,
  area: MirrorArea,
  count: number,
  random: () => number,
): Promise<Portion[]> {
  const { pick } = area;
  if (pick === undefined) return wholePortions(context, area);
  const table = context.mirror.dialect.table(area.name);
  const rows = await context.mirror.read((session) =>
    session.run(`select distinct ${pick} as id from ${table} where shop_id = ? and deleted_at is null order by 1`, [
      context.shopId,
    ]),
  );
  const ids = rows.map(({ id }) => String(id));
  for (let place = 0; place < Math.min(count, ids.length); place += 1) {
    const other = place + Math.floor(random() * (ids.length - place));
    [ids[place], ids[other]] = [ids[other] ?? '', ids[place] ?? ''];
  }
  const chosen = ids.slice(0, count);
  const portions: Portion[] = [];
  for (let from = 0; from < chosen.length; from += MOST_IDS) {
    const some = chosen.slice(from, from + MOST_IDS);
    const list = some.map(() => '?').join(', ');
    const alive = await aliveIds(context, area, ` and ${pick} in (${list})`, some);
    portions.push({ extent: { filter: { [pick]: some.join(',') } }, alive });
  }
  return portions;
}

/** How many calls it takes at most to compare everything. */
export async function callsToVerify(setup: Pick<SyncSetup, 'mirror' | 'shopId' | 'areas'>): Promise<number> {
  const { mirror, shopId } = setup;
  const count = (table: string) =>
    mirror.read(async (session) => {
      const sql = `select count(*) as n from ${mirror.dialect.table(table)} where shop_id = ?`;
      return Number((await session.run(sql, [shopId]))[0]?.n ?? 0);
    });
  let calls = 0;
  for (const { name, list, per } of areasNamed(setup.areas)) {
    if (list === undefined) continue;
    calls += per === undefined ? Math.ceil((await count(name)) / LARGEST_PAGE) + 1 : await count(per.area);
  }
  return calls;
}

/** Whether a record was last changed after the moment up to which the mirror is complete. */
function isUnsettled({ updated_at, created_at }: Fields, until: number): boolean {
  const at = momentOf(updated_at) ?? momentOf(created_at);
  return at !== undefined && at > until;
}

/** Reads portions and compares them. Returns what differs, and how much was compared. */
async function compared(context: SyncContext, area: MirrorArea, portions: readonly Portion[], until: number) {
  const differences: Difference[] = [];
  let count = 0;
  for (const { extent, alive } of portions) {
    const met = new Set<string>();
    for await (const { records } of listPages(area.list ?? '', extent, context.time)) {
      context.signal.throwIfAborted();
      for (const record of records) met.add(idOf(area, record));
      const settled = records.filter((record) => !isUnsettled(record, until));
      differences.push(...(await compareRecords({ ...context, area }, settled)));
      count += settled.length;
    }
    const unmet = alive.filter((id) => !met.has(id));
    differences.push(...(await compareRecords({ ...context, area }, [], unmet)));
  }
  return { differences, count };
}

/** How often a difference is looked at again, after the mirror has caught up. */
const MOST_LOOKS = 3;

/** Whether catching up has left the mirror as it was, there where two looks found a difference. */
const isSameInMirror = (one: Difference, other: Difference): boolean =>
  one.id === other.id && one.field === other.field && shownValue(one.mirror) === shownValue(other.mirror);

/**
 * Compares an area with the service. What differs is looked at again, after the mirror has caught up: a record may have
 * changed in between, and a membership, which has no time, may have changed once more since then. Reported is what
 * catching up leaves as it was in the mirror.
 */
async function verifyArea(context: SyncContext, area: MirrorArea, setup: VerifySetup): Promise<Verified> {
  const { mirror, shopId } = context;
  const state = await mirror.read((session) => areaState(session, shopId, area.name));
  const until = state.complete_until;
  if (until === null) return { area: area.name, compared: 0, differences: [] };
  const portions = () =>
    setup.sample === 'all' ? wholePortions(context, area) : sampledPortions(context, area, setup.sample, setup.random);
  const wanted = await portions();
  let { differences, count } = await compared(context, area, wanted, until);
  for (let look = 1; differences.length > 0; look += 1) {
    await syncArea(context, area);
    const again = await mirror.read((session) => areaState(session, shopId, area.name));
    const second = setup.sample === 'all' ? await portions() : wanted;
    const found = await compared(context, area, second, again.complete_until ?? until);
    const known = new Set(differences.map(({ id }) => id));
    const left = found.differences.filter(({ id }) => known.has(id));
    const stayed = left.filter((one) => differences.some((before) => isSameInMirror(before, one)));
    const isSettled = stayed.length === left.length || look === MOST_LOOKS;
    differences = isSettled ? stayed : left;
    if (isSettled) break;
  }
  if (differences.length === 0 && setup.sample === 'all') {
    const now = await mirror.read((session) => areaState(session, shopId, area.name));
    await writeAreaState(mirror, { ...now, verified_through: until });
  }
  return { area: area.name, compared: count, differences };
}

/** Compares the mirror with the service, area by area, and then the rollups with the records. Throws a CallError. */
export async function* verifyAreas(setup: VerifySetup): AsyncGenerator<Verified, void, undefined> {
  const context = await contextFor({ ...setup, isFull: false });
  for (const area of areasNamed(setup.areas)) {
    if (area.list !== undefined) yield await verifyArea(context, area, setup);
  }
  if (setup.areas === undefined || setup.areas.length === 0) {
    const differences = await compareRollups(setup.mirror, setup.shopId);
    yield { area: 'rollups', compared: 0, differences };
  }
}

/** A value of a difference as text. */
export const shownValue = (value: unknown): string | null =>
  value === null || value === undefined ? null : isRecord(value) ? JSON.stringify(value) : String(value);

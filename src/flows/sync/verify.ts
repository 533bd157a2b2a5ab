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

/** A part of a list that is read at once, and which of the mirror's records are in it. */
interface Portion {
  readonly extent: ListExtent;
  /** The column that tells them, and its values; all of them when absent. */
  readonly where?: { readonly column: string; readonly values: readonly string[] };
}

/** How many ids are read or chosen at a time: a large shop has more than there is memory for. */
const IDS_AT_ONCE = 1_000;

const listOf = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** The ids of the records that the mirror has of a portion, some at a time. */
async function* aliveIds(
  { mirror, shopId }: SyncContext,
  { name, key }: MirrorArea,
  { where }: Portion,
): AsyncGenerator<string[], void, undefined> {
  const keys = key.map((column) => `"${column}"`).join(', ');
  const among = where === undefined ? '' : ` and ${where.column} in (${listOf(where.values)})`;
  const sql = `select ${keys} from ${mirror.dialect.table(name)} where shop_id = ? and deleted_at is null${among}
and (${keys}) > (${listOf(key)}) order by ${keys} limit ${IDS_AT_ONCE}`;
  for (let last = key.map(() => ''); ; ) {
    const values = [shopId, ...(where?.values ?? []), ...last];
    const rows = await mirror.read((session) => session.run(sql, values));
    const ids = rows.map((row) => key.map((column) => String(row[column])));
    yield ids.map((id) => id.join('-'));
    if (ids.length < IDS_AT_ONCE) return;
    last = ids.at(-1) ?? last;
  }
}

/** The whole list, or for relationships each of them. */
async function wholePortions({ mirror, shopId }: SyncContext, { per }: MirrorArea): Promise<Portion[]> {
  if (per === undefined) return [{ extent: {} }];
  const sql = `select id from ${mirror.dialect.table(per.area)} where shop_id = ? and deleted_at is null`;
  const parents = await mirror.read((session) => session.run(sql, [shopId]));
  return parents.map(({ id }) => ({
    extent: { filter: { [per.filter]: String(id) }, endsShort: true },
    where: { column: per.filter, values: [String(id)] },
  }));
}

const MOST_IDS = 50;

/** So many of the numbers from 1 to `last`, or all of them, chosen by chance. */
export function chosenNumbers(count: number, last: number, random: () => number): number[] {
  const chosen = new Set<number>();
  for (let number = Math.max(1, last - count + 1); number <= last; number += 1) {
    const one = 1 + Math.floor(random() * number);
    chosen.add(chosen.has(one) ? number : one);
  }
  return [...chosen];
}

/** As many records as were asked for, chosen by chance, by the filter of their list. */
async function sampledPortions(
  context: SyncContext,
  area: MirrorArea,
  count: number,
  random: () => number,
): Promise<Portion[]> {
  const { pick, name } = area;
  if (pick === undefined) return wholePortions(context, area);
  const { mirror, shopId } = context;
  const run = (sql: string, places: readonly number[] = []) =>
    mirror.read((session) => session.run(sql, [shopId, ...places]));
  const ids = `select distinct ${pick} as id from ${mirror.dialect.table(name)} where shop_id = ? and deleted_at is null`;
  const [counted] = await run(`select count(*) as n from (${ids}) as ids`);
  const places = chosenNumbers(count, Number(counted?.n ?? 0), random);
  const chosen: string[] = [];
  for (let from = 0; from < places.length; from += IDS_AT_ONCE) {
    const some = places.slice(from, from + IDS_AT_ONCE);
    const placed = `select id, row_number() over (order by id) as place from (${ids}) as ids`;
    const rows = await run(`select id from (${placed}) as placed where place in (${listOf(some)})`, some);
    chosen.push(...rows.map(({ id }) => String(id)));
  }
  const portions: Portion[] = [];
  for (let from = 0; from < chosen.length; from += MOST_IDS) {
    const values = chosen.slice(from, from + MOST_IDS);
    portions.push({ extent: { filter: { [pick]: values.join(',') } }, where: { column: pick, values } });
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
  for (const portion of portions) {
    const met = new Set<string>();
    for await (const { records } of listPages(area.list ?? '', portion.extent, context.time)) {
      context.signal.throwIfAborted();
      for (const record of records) met.add(idOf(area, record));
      const settled = records.filter((record) => !isUnsettled(record, until));
      differences.push(...(await compareRecords({ ...context, area }, settled)));
      count += settled.length;
    }
    for await (const ids of aliveIds(context, area, portion)) {
      const unmet = ids.filter((id) => !met.has(id));
      differences.push(...(await compareRecords({ ...context, area }, [], unmet)));
    }
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
    const differences = await compareRollups(setup.mirror, setup.shopId, setup.signal);
    yield { area: 'rollups', compared: 0, differences };
  }
}

/** A value of a difference as text. */
export const shownValue = (value: unknown): string | null =>
  value === null || value === undefined ? null : isRecord(value) ? JSON.stringify(value) : String(value);

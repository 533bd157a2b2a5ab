import { hash } from 'node:crypto';
import { LARGEST_PAGE } from '../client/pages.ts';
import { type Fields, isRecord } from '../domain/json/values.ts';
import { type ListExtent, listPages } from './list-pages.ts';
import { ROLLUP_ZONE, readFact } from './service-clock.ts';
import { areaState, areaStates, writeAreaState } from './store/area-states.ts';
import { compareRecords, type Difference } from './store/compare-tables.ts';
import type { MirrorArea } from './store/declared-areas.ts';
import { momentOf } from './store/declared-columns.ts';
import type { AnyRow, Mirror, MirrorSession } from './store/mirror.ts';
import { openParcels, openParcelsOf, type RollupTable, rollupTables } from './store/rollup-tables.ts';
import { idOf } from './store/write/area-tables.ts';
import { computeRollups } from './store/write/rebuild-rollups.ts';
import { areasNamed, contextFor, type SyncSetup, syncArea } from './sync.ts';
import type { SyncContext } from './sync-context.ts';
import { readOne } from './sync-known.ts';

/** A part of a list that is read at once, and which of the mirror's records are in it. */
export interface Portion {
  readonly extent: ListExtent;
  /** The column that tells them, and its values; all of them when absent. */
  readonly where?: { readonly column: string; readonly values: readonly string[] };
}

/** How many ids are read or chosen at a time: a large shop has more than there is memory for. */
const IDS_AT_ONCE = 1_000;

const listOf = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** The ids of the records that the mirror has of a portion, some at a time. */
export async function* aliveIds(
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
export async function wholePortions({ mirror, shopId }: SyncContext, { per }: MirrorArea): Promise<Portion[]> {
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
export async function sampledPortions(
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

/** The values of a row for the names of its group. */
const groupOf = ({ dimensions }: RollupTable, row: AnyRow) => dimensions.map(({ name }) => String(row[name]));

/** The sums in which a row differs from what it should be; a row that is missing has none. */
function differencesOf(
  { name: area, sums }: RollupTable,
  group: readonly string[],
  stored: AnyRow,
  expected: readonly unknown[],
): Difference[] {
  return sums.flatMap(({ name: field }, index) => {
    const [mirror, service] = [Number(stored[field] ?? 0), Number(expected[index] ?? 0)];
    return mirror === service ? [] : [{ area, id: group.join(' '), field, mirror, service }];
  });
}

/** The rows of a rollup, those of a day at a time. */
async function* storedRows({ run }: MirrorSession, table: string, shopId: string) {
  const days = await run(`select distinct day from ${table} where shop_id = ? order by day`, [shopId]);
  for (const { day } of days) yield* await run(`select * from ${table} where shop_id = ? and day = ?`, [shopId, day]);
}

async function compareOpenParcels(session: MirrorSession, { dialect }: Mirror, shopId: string): Promise<Difference[]> {
  const stored = await session.run(`select * from ${dialect.table(openParcels.name)} where shop_id = ?`, [shopId]);
  const computed = await session.run(openParcelsOf(dialect, 'f.shop_id = ?'), [shopId]);
  const byGroup = (rows: readonly AnyRow[]) => new Map(rows.map((row) => [groupOf(openParcels, row).join(' '), row]));
  const [before, after] = [byGroup(stored), byGroup(computed)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const expected = openParcels.sums.map(({ name }) => after.get(id)?.[name]);
    return differencesOf(openParcels, [id], before.get(id) ?? {}, expected);
  });
}

/** Compares the rollups of a shop with what the records add up to. Throws the signal's reason once it is aborted. */
export async function compareRollups(mirror: Mirror, shopId: string, signal: AbortSignal): Promise<Difference[]> {
  const { table } = mirror.dialect;
  return mirror.read(async (session) => {
    const zone = await readFact(session, ROLLUP_ZONE);
    if (zone === undefined) return [];
    const computed = await computeRollups(session, mirror, zone, signal);
    const differences: Difference[] = [];
    for (const rollup of rollupTables) {
      for await (const row of storedRows(session, table(rollup.name), shopId)) {
        const group = groupOf(rollup, row);
        differences.push(...differencesOf(rollup, group, row, computed.take(rollup.name, group)));
      }
      const missing = computed.of(rollup.name).filter(({ group }) => group[0] === shopId);
      differences.push(...missing.flatMap(({ group, adds }) => differencesOf(rollup, group, {}, adds)));
    }
    return [...differences, ...(await compareOpenParcels(session, mirror, shopId))];
  });
}

/** The first eight bytes of an id's hash. */
const numberOf = (id: string): bigint => hash('sha1', id, 'buffer').readBigUInt64LE();

/**
 * The ids that a list has named. A large shop has more than there is memory for as texts, so eight bytes of a hash stand
 * for each: of a million ids, two share them in one of 30 million lists.
 */
export class SeenIds {
  #numbers = new BigUint64Array(1_024);
  #count = 0;
  #isSorted = true;

  add(id: string): void {
    if (this.#count === this.#numbers.length) {
      const more = new BigUint64Array(2 * this.#count);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#numbers[this.#count] = numberOf(id);
    this.#count += 1;
    this.#isSorted = false;
  }

  /** Those of some ids that were not met. */
  unmet(ids: readonly string[]): string[] {
    if (!this.#isSorted) this.#numbers.subarray(0, this.#count).sort();
    this.#isSorted = true;
    return ids.filter((id) => !this.#has(numberOf(id)));
  }

  #has(number: bigint): boolean {
    let [from, to] = [0, this.#count];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#numbers[middle] ?? 0n) < number) from = middle + 1;
      else to = middle;
    }
    return from < this.#count && this.#numbers[from] === number;
  }
}

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
    if (list === undefined) calls += await count(name);
    else calls += per === undefined ? Math.ceil((await count(name)) / LARGEST_PAGE) + 1 : await count(per.area);
  }
  return calls;
}

/** Whether a record was last changed after the moment up to which the mirror is complete. */
function isUnsettled({ updated_at, created_at }: Fields, until: number): boolean {
  const at = momentOf(updated_at) ?? momentOf(created_at);
  return at !== undefined && at > until;
}

/** The records of a portion as the service has them, some at a time: by their list, or one by one. */
async function* recordsOf(context: SyncContext, area: MirrorArea, portion: Portion) {
  const { list, get } = area;
  if (list !== undefined) {
    for await (const { records } of listPages(list, portion.extent, context.time)) yield records;
    return;
  }
  if (get === undefined) return;
  for await (const ids of aliveIds(context, area, portion)) {
    for (const id of ids) {
      context.signal.throwIfAborted();
      const found = await readOne(get, id, context.time);
      if (found !== undefined) yield [found];
    }
  }
}

/** Reads portions and compares them. Returns what differs, and how much was compared. */
async function compared(context: SyncContext, area: MirrorArea, portions: readonly Portion[], until: number) {
  const differences: Difference[] = [];
  let count = 0;
  for (const portion of portions) {
    const inWalk = new SeenIds();
    for await (const records of recordsOf(context, area, portion)) {
      context.signal.throwIfAborted();
      for (const record of records) inWalk.add(idOf(area, record));
      const settled = records.filter((record) => !isUnsettled(record, until));
      differences.push(...(await compareRecords({ ...context, area }, settled)));
      count += settled.length;
    }
    for await (const ids of aliveIds(context, area, portion)) {
      differences.push(...(await compareRecords({ ...context, area }, [], inWalk.unmet(ids))));
    }
  }
  return { differences, count };
}

/** How often a difference is looked at again, after the mirror has caught up. */
const MOST_LOOKUPS = 3;

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
    const isSettled = stayed.length === left.length || look === MOST_LOOKUPS;
    differences = isSettled ? stayed : left;
    if (isSettled) break;
  }
  if (differences.length === 0 && setup.sample === 'all') {
    const now = await mirror.read((session) => areaState(session, shopId, area.name));
    await writeAreaState(mirror, { ...now, verified_through: until });
  }
  return { area: area.name, compared: count, differences };
}

/** Of the lists that are to be verified: those that were copied, and those that never were, so that there is nothing to compare. */
export async function listsToVerify({ mirror, shopId, areas }: Pick<SyncSetup, 'mirror' | 'shopId' | 'areas'>) {
  const states = new Map((await areaStates(mirror, shopId)).map((state) => [state.area, state]));
  const lists = areasNamed(areas).flatMap(({ name, list }) => (list === undefined ? [] : [name]));
  const isCopied = (name: string) => (states.get(name)?.complete_until ?? null) !== null;
  return { copied: lists.filter(isCopied), never: lists.filter((name) => !isCopied(name)) };
}

/** Compares the mirror with the service, area by area, and then the rollups with the records. Throws a CallError. */
export async function* verifyAreas(setup: VerifySetup): AsyncGenerator<Verified, void, undefined> {
  const context = await contextFor({ ...setup, isFull: false });
  for (const area of areasNamed(setup.areas)) yield await verifyArea(context, area, setup);
  if (setup.areas === undefined || setup.areas.length === 0) {
    const differences = await compareRollups(setup.mirror, setup.shopId, setup.signal);
    yield { area: 'rollups', compared: 0, differences };
  }
}

/** A value of a difference as text. */
export const shownValue = (value: unknown): string | null =>
  value === null || value === undefined ? null : isRecord(value) ? JSON.stringify(value) : String(value);

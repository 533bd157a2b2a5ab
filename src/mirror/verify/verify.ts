import { LARGEST_PAGE } from '../../client/pages.ts';
import { isRecord } from '../../domain/json/value-at.ts';
import type { MirrorArea } from '../store/declared/areas.ts';
import { momentOf } from '../store/declared/columns.ts';
import { areaState, areaStates, writeAreaState } from '../store/store/areas.ts';
import { compareRecords, type Difference } from '../store/verify/compare.ts';
import { compareRollups } from '../store/verify/compare-rollups.ts';
import { idOf } from '../store/write/area-tables.ts';
import { areasNamed, contextFor, type SyncSetup, syncArea } from '../sync.ts';
import { listPages } from '../walk/list-pages.ts';
import type { SyncContext } from '../walk/sync-context.ts';
import { readOne } from '../walk/sync-known.ts';
import { MetIds } from './met-ids.ts';
import { aliveIds, type Portion, sampledPortions, wholePortions } from './portions.ts';

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
    const met = new MetIds();
    for await (const records of recordsOf(context, area, portion)) {
      context.signal.throwIfAborted();
      for (const record of records) met.add(idOf(area, record));
      const settled = records.filter((record) => !isUnsettled(record, until));
      differences.push(...(await compareRecords({ ...context, area }, settled)));
      count += settled.length;
    }
    for await (const ids of aliveIds(context, area, portion)) {
      differences.push(...(await compareRecords({ ...context, area }, [], met.unmet(ids))));
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

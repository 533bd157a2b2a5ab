import type { ListExtent } from './list-pages.ts';
import type { MirrorArea } from './store/declared-areas.ts';
import type { SyncContext } from './sync-context.ts';

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

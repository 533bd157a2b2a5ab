import type { Mirror, MirrorSession } from './mirror.ts';
import type { AreaTable } from './tables.ts';

/** The position behind a page: its cursor, and the newest updated_at up to there in milliseconds since 1970. */
export type PagePosition = readonly [cursor: string, newest: number];

/** How far the copy of one area of one shop has come; numbers are milliseconds since 1970 by the service's clock. */
export interface AreaState extends Omit<AreaTable, 'pages' | 'unsorted' | 'needs_whole'> {
  readonly pages: readonly PagePosition[];
  readonly unsorted: boolean;
  readonly needs_whole: boolean;
}

const nothing = {
  walk: 0,
  walking: null,
  cursor: null,
  began: null,
  pages: [],
  unsorted: false,
  newest: null,
  complete_until: null,
  began_here: null,
  verified_through: null,
  needs_whole: false,
} as const;

function positionsIn(json: string): PagePosition[] {
  const found: unknown = JSON.parse(json);
  if (!Array.isArray(found)) return [];
  return found.flatMap((entry: unknown): PagePosition[] => {
    if (!Array.isArray(entry)) return [];
    const [cursor, newest] = entry as readonly unknown[];
    return typeof cursor === 'string' && typeof newest === 'number' ? [[cursor, newest]] : [];
  });
}

function stateFrom(row: AreaTable): AreaState {
  return {
    ...row,
    pages: positionsIn(row.pages),
    unsorted: Number(row.unsorted) === 1,
    needs_whole: Number(row.needs_whole) === 1,
  };
}

/** The state of an area; that of one that was never walked if there is none. */
export async function areaState({ database }: MirrorSession, shopId: string, area: string): Promise<AreaState> {
  const row = await database
    .selectFrom('mirror_areas')
    .selectAll()
    .where('shop_id', '=', shopId)
    .where('area', '=', area)
    .executeTakeFirst();
  return row === undefined ? { shop_id: shopId, area, ...nothing } : stateFrom(row);
}

/** The states of all areas of a shop, or of all shops. */
export async function areaStates(mirror: Mirror, shopId?: string): Promise<AreaState[]> {
  const rows = await mirror.read(({ database }) =>
    database
      .selectFrom('mirror_areas')
      .selectAll()
      .$if(shopId !== undefined, (query) => query.where('shop_id', '=', shopId ?? ''))
      .execute(),
  );
  return rows.map(stateFrom);
}

/** Stores the state of an area. */
export async function writeAreaState({ database }: MirrorSession, state: AreaState): Promise<void> {
  const { pages, unsorted, needs_whole, ...rest } = state;
  const row: AreaTable = {
    ...rest,
    pages: JSON.stringify(pages),
    unsorted: unsorted ? 1 : 0,
    needs_whole: needs_whole ? 1 : 0,
  };
  const { shop_id: _, area: __, ...changes } = row;
  await database
    .insertInto('mirror_areas')
    .values(row)
    .onConflict((conflict) => conflict.columns(['shop_id', 'area']).doUpdateSet(changes))
    .execute();
}

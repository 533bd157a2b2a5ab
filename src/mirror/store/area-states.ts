import type { Mirror, MirrorSession, Statement } from './mirror.ts';
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
    const [cursor, newest]: readonly unknown[] = entry;
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

const columns: readonly (keyof AreaTable)[] = [
  'shop_id',
  'area',
  'walk',
  'walking',
  'cursor',
  'began',
  'pages',
  'unsorted',
  'newest',
  'complete_until',
  'began_here',
  'verified_through',
  'needs_whole',
];

/**
 * The statement that stores the state of an area. In the middle of a walk, that the area has to be read whole stays marked:
 * the service's clock may have been set back since the walk's state was read.
 */
export function areaStatement(mirror: Pick<Mirror, 'dialect'>, state: AreaState, isWalking = false): Statement {
  const { pages, unsorted, needs_whole, ...rest } = state;
  const row: AreaTable = {
    ...rest,
    pages: JSON.stringify(pages),
    unsorted: unsorted ? 1 : 0,
    needs_whole: needs_whole ? 1 : 0,
  };
  const changed = columns.slice(2).filter((name) => !isWalking || name !== 'needs_whole');
  const sets = changed.map((name) => `${name} = excluded.${name}`);
  const sql = `insert into ${mirror.dialect.table('mirror_areas')} (${columns.join(', ')})
values (${columns.map(() => '?').join(', ')}) on conflict (shop_id, area) do update set ${sets.join(', ')}`;
  return { sql, parameters: columns.map((name) => row[name]) };
}

/** Stores the state of an area. */
export const writeAreaState = (mirror: Mirror, state: AreaState): Promise<void> =>
  mirror.writeAll([areaStatement(mirror, state)]);

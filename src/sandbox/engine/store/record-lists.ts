import { sql } from 'kysely';
import { tableFrom } from '../../../domain/json/keys-of.ts';
import { invalid } from '../refusal.ts';
import type { Entity, KeyOf } from './record-kinds.ts';
import { type Cursor, readCursor, type Sort, StoredPage, sorts, writeCursor } from './record-kinds.ts';
import { type ReadRow, readColumns, type Stored, storedFrom, tableOf } from './rows.ts';
import type { Database } from './statement.ts';
import { statements, tables } from './statement.ts';

/** The requested page (contract, CursorPaging). */
export interface Paging {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
  readonly sort?: string | undefined;
}

/** The requested records, and the page of them. */
export interface ListRequest<K extends Entity> {
  /** Values of which the row must have one, by key; undefined does not filter. `idsOf` parses an IDs filter. */
  readonly where?: { readonly [Name in KeyOf<K> | 'id']?: readonly string[] | undefined };
  readonly includeDeleted?: boolean | undefined;
  readonly paging?: Paging | undefined;
}

/** The position of a page, as returned to the client (contract, CursorPageInfo). */
export interface PageInfo {
  readonly after?: string;
  readonly before?: string;
  readonly next?: string;
  readonly prev?: string;
  readonly limit: number;
  readonly sort?: string;
}

/** The places of a page's records, in display order. */
interface PageOfPlaces {
  readonly places: readonly Place[];
  readonly paging: PageInfo;
}

type Place = Pick<ReadRow, 'id' | 'touched'>;

/** A page of rows, in display order. */
interface PageOfRows<K extends Entity> {
  readonly rows: readonly Stored<K>[];
  readonly paging: PageInfo;
}

const LONGEST_PAGE = 100;
/** The cursor for the start (as `after`) or the end (as `before`). */
const EDGE = '.';

/** The ids of an IDs filter that its schema accepted; undefined if there is no filter (decisions, section 4). */
export function idsOf(filter: string | undefined): readonly string[] | undefined {
  return filter === undefined || filter === '' ? undefined : filter.split(',');
}

/**
 * The values of an IN as JSON: a single parameter for any number of values, so that no list exceeds the parameter
 * limit.
 */
export function oneOf<Value = string>(json: string) {
  return sql<Value>`(SELECT value FROM json_each(${json}))`;
}

/** The validated paging of a request. */
interface Plan {
  readonly limit: number;
  readonly sort: Sort;
  /** Iterates from the end of the list to its start: a `before` page. */
  readonly backwards: boolean;
  /** Where the iteration continues; undefined at an edge. */
  readonly from: Cursor | undefined;
}

function planOf(paging: Paging, list: string): Plan {
  const { after = '', before = '', limit = 0, sort = '' } = paging;
  if (limit < 0) throw invalid('paging.limit', 'must not be negative');
  if (after !== '' && before !== '') throw invalid('paging.after', 'cannot go together with before');
  const asked = sorts.find((name) => name === sort);
  if (asked === undefined && sort !== '') {
    throw invalid('paging.sort', 'must be created_at or updated_at, with a leading "-" for the newest first');
  }
  const backwards = before !== '';
  const text = backwards ? before : after;
  const from = text === '' || text === EDGE ? undefined : readCursor(text);
  const field = backwards ? 'paging.before' : 'paging.after';
  if (text !== '' && text !== EDGE && from === undefined) throw invalid(field, 'is no cursor of this service');
  if (from !== undefined && from.list !== list) throw invalid(field, 'is a cursor of another list');
  if (from !== undefined && asked !== undefined && asked !== from.sort) {
    throw invalid('paging.sort', `differs from the cursor's, which is "${from.sort}"`);
  }
  return {
    limit: limit === 0 ? LONGEST_PAGE : Math.min(limit, LONGEST_PAGE),
    sort: from?.sort ?? asked ?? sorts[0],
    backwards,
    from,
  };
}

/** How rows are iterated: everything that needs a different statement. */
interface Walk {
  readonly kind: Entity;
  readonly key: 'id' | 'touched';
  readonly comparison: '<' | '>';
  readonly bounded: boolean;
  /** The columns that rows are filtered by; the values of each are JSON. */
  readonly filtered: readonly string[];
  readonly includeDeleted: boolean;
}

type WalkValues = {
  readonly shopId: string;
  readonly count: number;
  readonly bound?: string | number;
} & { readonly [Filter in `one of ${string}`]?: string };

const placesOf = statements(
  ({ kind, key, comparison, bounded, filtered, includeDeleted }: Walk) =>
    `${kind} ${comparison} ${key} ${bounded} ${includeDeleted} ${filtered.join()}`,
  ({ kind, key, comparison, filtered, includeDeleted }: Walk, given: WalkValues) => {
    // A filter leaves few rows, which are then sorted: the plus keeps SQLite from scanning all rows in index order
    // instead.
    const picks = filtered.length > 0 && !(key === 'id' && filtered.includes('id'));
    const column = sql<string | number>`${sql.raw(picks ? `+${key}` : key)}`;
    let query = tables
      .selectFrom(tableOf(kind))
      .select(['id', 'touched'])
      .where('shop_id', '=', given.shopId)
      .orderBy(column, comparison === '<' ? 'desc' : 'asc')
      .limit(given.count);
    // A literal, since only then can SQLite use the partial indices on rows that are not deleted.
    if (!includeDeleted) query = query.where((of) => of('deleted', '=', of.lit(0)));
    if (given.bound !== undefined) query = query.where(column, comparison, given.bound);
    for (const name of filtered) query = query.where(sql.ref(name), 'in', oneOf(given[`one of ${name}`] ?? ''));
    return query;
  },
);

/** The rows of the ids in a JSON list, in that order. */
const listed = (kind: Entity, shopId: string, ids: string) => sql`
  json_each(${ids}) AS listed CROSS JOIN ${sql.table(tableOf(kind))} AS record
  ON record.shop_id = ${shopId} AND record.id = listed.value ORDER BY listed.key`;

interface Listed {
  readonly shopId: string;
  readonly ids: string;
}

const rowsOf = statements(
  (kind: Entity) => kind,
  (kind, { shopId, ids }: Listed) => sql<ReadRow>`
    SELECT ${sql.join(readColumns.map((name) => sql.ref(`record.${name}`)))} FROM ${listed(kind, shopId, ids)}`,
);

/** The records as one text, as bytes: each for itself, and then joined, took three times as long. */
const textOf = statements(
  (kind: Entity) => kind,
  (kind, { shopId, ids }: Listed) => sql<{ readonly records: Uint8Array }>`
    SELECT CAST(coalesce(group_concat(body), '') AS BLOB) AS records
    FROM (SELECT record.body FROM ${listed(kind, shopId, ids)})`,
);

const inJson = (places: readonly Place[]) => JSON.stringify(places.map(({ id }) => id));

/** The list whose page is asked for. */
interface Asked<K extends Entity> {
  readonly database: Database;
  readonly kind: K;
  readonly shopId: string;
  readonly lastStamp: number;
  readonly request: ListRequest<K>;
}

/** A page of rows. */
export function listRows<K extends Entity>(asked: Asked<K>): PageOfRows<K> {
  const { places, paging } = listPlaces(asked);
  const { database, kind, shopId } = asked;
  const rows = database.all(rowsOf(kind), { shopId, ids: inJson(places) });
  return { rows: rows.map((row) => storedFrom(kind, row)), paging };
}

/** A page of records that are not deleted, as they are sent in a field of an answer. */
export function listPage<K extends Entity>(field: string, asked: Asked<K>): StoredPage {
  const { places, paging } = listPlaces(asked);
  const { database, kind, shopId } = asked;
  const found = database.first(textOf(kind), { shopId, ids: inJson(places) });
  return new StoredPage(field, found?.records ?? new Uint8Array(), paging);
}

/**
 * A page of the records of one kind in a shop (decisions, section 4). Sorting by created_at uses the id, and sorting by
 * updated_at the stamp of the last write; both are unique and in commit order, so a row is never on both sides of a
 * cursor, whatever the clock does. An iteration towards older stamps ends with the rows that were written since it
 * began, because these have left the position at which it would have reached them.
 */
function listPlaces<K extends Entity>(asked: Asked<K>): PageOfPlaces {
  const { kind, shopId, lastStamp, request } = asked;
  const paging = request.paging ?? {};
  const list = `${kind} ${shopId}`;
  const { limit, sort, backwards, from } = planOf(paging, list);
  const key: Walk['key'] = sort.endsWith('updated_at') ? 'touched' : 'id';
  const towardsOlder = sort.startsWith('-') !== backwards;
  const walksBackInTime = towardsOlder && key === 'touched';
  const since = walksBackInTime && from ? from.since : lastStamp;

  const placesFrom = (comparison: Walk['comparison'], bound: string | undefined, count: number) =>
    walkPlaces(asked, { key, comparison }, bound, count);

  const places: (Place & { catchingUp: boolean })[] = [];
  if (!from?.catchingUp || !walksBackInTime) {
    const found = placesFrom(towardsOlder ? '<' : '>', from?.at, limit);
    places.push(...found.map((place) => ({ ...place, catchingUp: false })));
  }
  if (walksBackInTime && from !== undefined && places.length < limit) {
    const bound = from.catchingUp ? from.at : String(since);
    const found = placesFrom('>', bound, limit - places.length);
    places.push(...found.map((place) => ({ ...place, catchingUp: true })));
  }
  if (backwards) places.reverse();

  const cursorOf = (place: (typeof places)[number] | undefined) =>
    place && writeCursor({ list, sort, at: String(place[key]), since, catchingUp: place.catchingUp });
  const first = cursorOf(places[0]);
  const last = cursorOf(places.at(-1));
  const incoming = paging.before || paging.after || undefined;
  return {
    places,
    paging: {
      ...(paging.after === undefined ? {} : { after: paging.after }),
      ...(paging.before === undefined ? {} : { before: paging.before }),
      limit,
      ...(paging.sort === undefined ? {} : { sort: paging.sort }),
      ...ifDefined('next', last ?? incoming),
      ...ifDefined('prev', first ?? incoming),
    },
  };
}

/** At most `count` places on one side of `bound`, or from the list's end if there is none. */
function walkPlaces<K extends Entity>(
  { database, kind, shopId, request }: Asked<K>,
  walk: Pick<Walk, 'key' | 'comparison'>,
  bound: string | undefined,
  count: number,
): Place[] {
  const filters = Object.entries(request.where ?? {}).filter(([, values]) => values !== undefined);
  const places = placesOf({
    ...walk,
    kind,
    bounded: bound !== undefined,
    filtered: filters.map(([name]) => name),
    includeDeleted: !!request.includeDeleted,
  });
  return database.all(places, {
    shopId,
    count,
    ...(bound === undefined ? {} : { bound: walk.key === 'touched' ? Number(bound) : bound }),
    ...Object.fromEntries(filters.map(([name, values]) => [`one of ${name}`, JSON.stringify(values)])),
  });
}

function ifDefined<Name extends string>(name: Name, value: string | undefined): { [N in Name]?: string } {
  return value === undefined ? {} : tableFrom([[name, value]]);
}

import type { Ids } from './ids.ts';
import { type Entity, type Key, type KeyOf, kinds, type RecordOf } from './kinds.ts';
import { type ListRequest, listRows, oneOf, type PageInfo } from './lists.ts';
import type { ChangeRecorder } from './outbox.ts';
import { type Hidden, readColumns, recordTables, type Stored, storedFrom, tableOf } from './rows.ts';
import { completeRecord, deletedRecord, idsOfRecord, ownFields } from './shapes.ts';
import type { Stamps } from './stamps.ts';
import { statements } from './statement.ts';
import { StoredJson } from './stored-json.ts';
import type { Database, RecordRow } from './tables.ts';
import { webAddress } from './web-address.ts';

/**
 * Which records: all that is given must match, of several values one of them; undefined is not given. `partner_id: null`
 * means made by the shop itself.
 */
export type Lookup<K extends Entity> = {
  readonly [Name in KeyOf<K> | 'id']?: string | readonly string[] | undefined;
} & { readonly partner_id?: string | null | undefined };

/** What is stored around a record: keys that are no fields of it, hidden facts, and the partner that made it. */
export interface Around<K extends Entity> {
  readonly keys?: { readonly [Name in KeyOf<K>]?: string | null };
  readonly hidden?: Hidden;
  readonly partnerId?: string | undefined;
  /** Fields that stand in other records and are only shown with this one, for its change: the variants of a product. */
  readonly joined?: RecordOf<K>;
}

/** A page of records, as a list operation answers it. */
export interface Listed<K extends Entity> {
  /** For an answer that shows them as they are. */
  readonly shown: (StoredJson | RecordOf<K>)[];
  readonly items: RecordOf<K>[];
  readonly paging: PageInfo;
}

/**
 * The records of one kind in one shop. Every write is one change in the outbox, so that no handler can forget it
 * (decisions, section 8). Deleted records are found by `list` alone.
 */
export interface Records<K extends Entity> {
  get(id: string): Stored<K> | undefined;
  /** The matching records, oldest first. Throws a TypeError when nothing is given: that would be all of them. */
  find(lookup: Lookup<K>): Stored<K>[];
  /** Makes a record. Its id, shop, url, times and `deleted: false` are supplied where the kind has them and none are given. */
  insert(record: RecordOf<K>, around?: Around<K>): Stored<K>;
  /** Changes the fields that are given, "" and 0 included; what is undefined stays. Moves updated_at. */
  update(stored: Stored<K>, changes: RecordOf<K>, around?: Omit<Around<K>, 'partnerId'>): Stored<K>;
  /** Deletes softly. */
  remove(stored: Stored<K>): void;
  /** A page of the records; deleted ones, where asked for, are what names them and `deleted` (decisions, section 4). */
  list(request: ListRequest<K>): Listed<K>;
}

/** What a repository needs of the unit of work it belongs to. */
export interface RecordsContext {
  readonly database: Database;
  readonly ids: Pick<Ids, 'next'>;
  readonly stamps: Stamps;
  readonly changes: ChangeRecorder;
  /** The moment of this unit of work, as the wire shows it. */
  readonly time: string;
}

type Fields = Readonly<Record<string, unknown>>;

function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The key columns of a record: what is given beside it, else its own field of that name; an empty text is no key. */
function keyColumns(kind: Entity, record: Fields, keys: Fields): Partial<Record<Key, string | null>> {
  const columns: Partial<Record<Key, string | null>> = {};
  for (const name of kinds[kind].keys) {
    if (!(name in keys) && !(name in record)) continue;
    const value = name in keys ? keys[name] : record[name];
    columns[name] = typeof value === 'string' && value !== '' ? value : null;
  }
  return columns;
}

/** How a column is asked: for null, for one value, or for one of several, which are given as JSON. */
type Test = readonly [name: Key, asked: 'null' | 'one' | 'oneOf'];

function testOf(value: unknown): Test[1] {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'one' : 'oneOf';
}

const rowsBy = statements(
  ({ kind, tests }: { readonly kind: Entity; readonly tests: readonly Test[] }) => `${kind} ${tests.join(' ')}`,
  ({ kind, tests }, given: { readonly shop: string } & { readonly [Name in Key]?: string }) => {
    let query = recordTables
      .selectFrom(tableOf(kind))
      .select(readColumns)
      .where('shop_id', '=', given.shop)
      .where('deleted', '=', 0)
      .orderBy('id');
    for (const [name, asked] of tests) {
      if (asked === 'null') query = query.where(name, 'is', null);
      else if (asked === 'one') query = query.where(name, '=', given[name] ?? '');
      else query = query.where(name, 'in', oneOf(given[name] ?? ''));
    }
    return query;
  },
);
const insertRow = statements(
  (kind: Entity) => kind,
  (kind, row: RecordRow) => recordTables.insertInto(tableOf(kind)).values(row),
);
const changeRow = statements(
  (kind: Entity) => kind,
  (kind, { id, ...change }: Pick<RecordRow, 'id'> & Partial<RecordRow>) =>
    recordTables.updateTable(tableOf(kind)).set(change).where('id', '=', id),
);

/** The records of `kind` in the shop, within one unit of work. */
export function createRecords<K extends Entity>(context: RecordsContext, kind: K, shopId: string): Records<K> {
  const { database, ids, stamps, changes, time } = context;

  const find: Records<K>['find'] = (lookup) => {
    const wanted = Object.entries(given(lookup)) as [Key, string | readonly string[] | null][];
    if (wanted.length === 0) throw new TypeError(`a lookup of ${kind} needs a key`);
    const tests = wanted.map(([name, value]): Test => [name, testOf(value)]);
    const values = wanted.map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]);
    const rows = database.all(rowsBy({ kind, tests }), { ...Object.fromEntries(values), shop: shopId });
    return rows.map((row) => storedFrom(kind, row));
  };

  const overwrite = (id: string, record: Fields, around: Omit<Around<K>, 'partnerId'>, deleted: 0 | 1) => {
    const row: Partial<RecordRow> & Pick<RecordRow, 'body'> = {
      deleted,
      touched: stamps.next(),
      ...keyColumns(kind, record, around.keys ?? {}),
      body: JSON.stringify(record),
      ...(around.hidden ? { hidden: JSON.stringify(around.hidden) } : {}),
    };
    database.run(changeRow(kind), { ...row, id });
    return row.body;
  };

  return {
    find,
    get(id) {
      const [stored] = find({ id } as Lookup<K>);
      return stored;
    },
    insert(fields, around = {}) {
      const id = (fields as Fields).id ?? ids.next();
      const self_url = webAddress(`${kinds[kind].table}/${id}`);
      const times = { created_at: time, updated_at: time };
      const supplied = ownFields(kind, { id, shop_id: shopId, self_url, deleted: false, ...times });
      const record = completeRecord(kind, { ...supplied, ...given(fields as Fields) } as RecordOf<K>);
      const { keys = {}, hidden = {}, partnerId } = around;
      const row = {
        id: String(id),
        shop_id: shopId,
        partner_id: partnerId ?? null,
        deleted: 0,
        touched: stamps.next(),
        ...keyColumns(kind, record as Fields, keys),
        body: JSON.stringify(record),
        hidden: JSON.stringify(hidden),
      } as RecordRow;
      database.run(insertRow(kind), row);
      changes.record(kind, 'create', shopId, row.body, row.body);
      return storedFrom(kind, row);
    },
    update(stored, fields, around = {}) {
      const differing = Object.entries(given(fields as Fields)).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify((stored.record as Fields)[name]),
      );
      const moved = { ...Object.fromEntries(differing), ...ownFields(kind, { updated_at: time }) };
      const record = completeRecord(kind, { ...stored.record, ...moved } as RecordOf<K>);
      const body = overwrite(stored.id, record as Fields, around, 0);
      const changed = JSON.stringify({ ...idsOfRecord(kind, record), ...moved });
      const { joined } = around;
      const latest = joined ? JSON.stringify(completeRecord(kind, { ...record, ...joined })) : body;
      changes.record(kind, 'update', shopId, changed, latest);
      const { id, partnerId, deleted } = stored;
      const hidden = around.hidden ?? stored.hidden;
      return { id, shopId: stored.shopId, partnerId, deleted, record, hidden, shown: new StoredJson(kind, body) };
    },
    remove(stored) {
      const record = { ...stored.record, ...ownFields(kind, { deleted: true, updated_at: time }) } as RecordOf<K>;
      const latest = overwrite(stored.id, record as Fields, {}, 1);
      changes.record(kind, 'delete', shopId, JSON.stringify(deletedRecord(kind, record)), latest);
    },
    list(request) {
      const { rows, paging } = listRows(database, kind, shopId, stamps.last(), request);
      return {
        shown: rows.map((row) => (row.deleted ? deletedRecord(kind, row.record) : row.shown)),
        get items() {
          return rows.map(({ record, deleted }) => (deleted ? deletedRecord(kind, record) : record));
        },
        paging,
      };
    },
  };
}

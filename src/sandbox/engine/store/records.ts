import { sql } from 'kysely';
import { type Fields, fieldsIn } from '../../../domain/json/values.ts';
import {
  completeRecord,
  deletedRecord,
  type FoundRecords,
  hasField,
  idsOfRecord,
  lookupByOne,
  ownFields,
  withFields,
} from './found-records.ts';
import type { ChangeRecorder } from './outbox.ts';
import {
  type Entity,
  type Key,
  type KeyOf,
  kinds,
  type RecordOf,
  StoredJson,
  type StoredPage,
  webAddress,
} from './record-kinds.ts';
import { type ListRequest, listPage, listRows, oneOf, type PageInfo } from './record-lists.ts';
import { type Hidden, readColumns, type Stored, storedFrom, tableOf } from './rows.ts';
import type { Stamps } from './sequences.ts';
import type { Database } from './statement.ts';
import { statements, tables } from './statement.ts';
import type { NewRecordRow, RecordRow } from './tables.ts';

/**
 * A condition on records: all given keys must match, with any of several values; undefined does not filter.
 * `partner_id: null` means made by the shop itself.
 */
export type Lookup<K extends Entity> = {
  readonly [Name in KeyOf<K> | 'id']?: string | readonly string[] | undefined;
} & { readonly partner_id?: string | null | undefined };

/** What is stored with a record: keys that are not fields of it, hidden facts, and the partner that made it. */
export interface Around<K extends Entity> {
  readonly keys?: { readonly [Name in KeyOf<K>]?: string | null };
  readonly hidden?: Hidden;
  readonly partnerId?: string | undefined;
  /** Fields of other records that are only shown with this one, for its change: the variants of a product. */
  readonly joined?: RecordOf<K>;
}

/** A page of records, as a list operation returns it. */
export interface Listed<K extends Entity> {
  /** For an answer that returns them unchanged. */
  readonly shown: (StoredJson | RecordOf<K>)[];
  readonly items: RecordOf<K>[];
  readonly paging: PageInfo;
}

/**
 * The records of one kind in one shop. Every write records a change in the outbox, so that no handler can forget it
 * (decisions, section 8). Only `list` returns deleted records.
 */
export interface Records<K extends Entity> {
  get(id: string): Stored<K> | undefined;
  /** The matching records, oldest first. Throws a TypeError for an empty condition, which would match all of them. */
  find(lookup: Lookup<K>): readonly Stored<K>[];
  /**
   * Creates a record. Its id, shop, url, times and `deleted: false` are supplied if the kind has them and none are
   * given.
   */
  insert(record: RecordOf<K>, around?: Around<K>): Stored<K>;
  /** Changes the given fields, including to "" and 0; undefined fields stay. Updates updated_at. */
  update(stored: Stored<K>, changes: RecordOf<K>, around?: Omit<Around<K>, 'partnerId'>): Stored<K>;
  /** Deletes softly. */
  remove(stored: Stored<K>): void;
  /**
   * A page of the records; deleted ones, if requested, consist of their identifying fields and `deleted` (decisions,
   * section 4).
   */
  list(request: ListRequest<K>): Listed<K>;
  /** A page of the records that are not deleted, as they are stored, for that field of an answer. */
  page(field: string, request: Omit<ListRequest<K>, 'includeDeleted'>): StoredPage;
}

/** What records need from their unit of work. */
export interface UnitOfRecords {
  readonly database: Database;
  readonly changes: ChangeRecorder;
  /** The time of this unit of work, in the wire's format. */
  readonly time: string;
  nextId(): string;
}

/** The context of the records of one kind in one shop. */
export interface Surroundings<K extends Entity> {
  readonly stamps: Stamps;
  /** The cache of lookups, if there is one. */
  readonly found?: FoundRecords<K> | undefined;
}

/**
 * The key columns of a record: the value given beside it, else its own field of that name; an empty text is stored as
 * no key. With `changed`, only those of changed fields: writing a column also writes its index.
 */
function keyColumns(
  kind: Entity,
  fields: object,
  keys: Fields,
  changed: object = fields,
): Partial<Record<Key, string | null>> {
  const columns: Partial<Record<Key, string | null>> = {};
  const record = fieldsIn(fields);
  for (const name of kinds[kind].keys) {
    if (!(name in keys) && !(name in changed)) continue;
    const value = name in keys ? keys[name] : record[name];
    columns[name] = typeof value === 'string' && value !== '' ? value : null;
  }
  return columns;
}

/** How a column is queried: for null, for one value, or for any of several, which are given as JSON. */
type Asked = 'null' | 'one' | 'oneOf';

function askedBy(value: unknown): Asked {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'one' : 'oneOf';
}

/** A lookup of a kind that is not known here. */
type AnyLookup = Fields;

/**
 * A lookup as a cache key; one by a single value of a single key as `lookupByOne` writes it, others start with a space.
 */
function nameOfLookup(lookup: AnyLookup): string {
  let [name, value]: [string | undefined, unknown] = [undefined, undefined];
  for (const key in lookup) {
    if (lookup[key] === undefined) continue;
    if (name !== undefined) return ` ${JSON.stringify(lookup)}`;
    [name, value] = [key, lookup[key]];
  }
  // The maker of a record is not one of its keys.
  return name !== undefined && name !== 'partner_id' && typeof value === 'string'
    ? lookupByOne(name, value)
    : ` ${JSON.stringify(lookup)}`;
}

/** The values of a lookup, by the names of the keys. */
interface Asking {
  shop: string;
  [key: string]: string | null | undefined;
}

const rowsBy = statements(
  ({ kind, tests }: { readonly kind: Entity; readonly tests: string }) => `${kind}${tests}`,
  ({ kind, tests }, given: Readonly<Asking>) => {
    let query = tables
      .selectFrom(tableOf(kind))
      .select(readColumns)
      .where('shop_id', '=', given.shop)
      .where('deleted', '=', 0)
      .orderBy('id');
    for (const test of tests.trim().split(' ')) {
      const [key = '', asked] = test.split(':');
      const name = sql.ref<string | null>(key);
      if (asked === 'null') query = query.where(name, 'is', null);
      else if (asked === 'one') query = query.where(name, '=', given[key] ?? '');
      else query = query.where(name, 'in', oneOf(given[key] ?? ''));
    }
    return query;
  },
);
const insertRow = statements(
  (kind: Entity) => kind,
  (kind, row: NewRecordRow) => tables.insertInto(tableOf(kind)).values(row),
);
const changeRow = statements(
  (kind: Entity) => kind,
  (kind, { id, shop_id, ...change }: Pick<RecordRow, 'id' | 'shop_id'> & Partial<RecordRow>) =>
    tables.updateTable(tableOf(kind)).set(change).where('shop_id', '=', shop_id).where('id', '=', id),
);

/** The records of one kind in one shop, within one unit of work. */
export class RecordsOfKind<K extends Entity> implements Records<K> {
  readonly #unit: UnitOfRecords;
  readonly #stamps: Stamps;
  readonly #found: FoundRecords<K> | undefined;
  readonly #kind: K;
  readonly #shopId: string;

  constructor(unit: UnitOfRecords, { stamps, found }: Surroundings<K>, kind: K, shopId: string) {
    this.#unit = unit;
    this.#stamps = stamps;
    this.#found = found;
    this.#kind = kind;
    this.#shopId = shopId;
  }

  find(lookup: Lookup<K>): readonly Stored<K>[] {
    return this.#find(lookup);
  }

  #find(lookup: AnyLookup): readonly Stored<K>[] {
    const found = this.#found;
    if (found === undefined) return this.#ask(lookup);
    const name = nameOfLookup(lookup);
    return found.known(name) ?? found.keep(name, this.#ask(lookup));
  }

  #ask(lookup: AnyLookup): Stored<K>[] {
    const kind = this.#kind;
    const values: Asking = { shop: this.#shopId };
    let tests = '';
    for (const [name, value] of Object.entries(lookup)) {
      if (value === undefined) continue;
      tests += ` ${name}:${askedBy(value)}`;
      values[name] = typeof value === 'string' || value === null ? value : JSON.stringify(value);
    }
    if (tests === '') throw new TypeError(`a lookup of ${kind} needs a key`);
    const rows = this.#unit.database.all(rowsBy({ kind, tests }), values);
    return rows.map((row) => storedFrom(kind, row));
  }

  get(id: string): Stored<K> | undefined {
    return this.#find({ id })[0];
  }

  insert(fields: RecordOf<K>, around: Around<K> = {}): Stored<K> {
    const kind = this.#kind;
    const shopId = this.#shopId;
    const { database, changes, time } = this.#unit;
    const given = fieldsIn(fields);
    const id = String(given.id ?? this.#unit.nextId());
    const supplied: Fields = {
      id,
      shop_id: shopId,
      self_url: webAddress(`${kinds[kind].table}/${id}`),
      deleted: false,
      created_at: time,
      updated_at: time,
    };
    const record = completeRecord(kind, given, supplied);
    const { keys = {}, hidden = {}, partnerId } = around;
    const columns = keyColumns(kind, record, keys);
    const row: NewRecordRow = {
      id,
      shop_id: shopId,
      partner_id: partnerId ?? null,
      deleted: 0,
      touched: this.#stamps.next(),
      ...columns,
      body: JSON.stringify(record),
      hidden: JSON.stringify(hidden),
    };
    database.run(insertRow(kind), row);
    const whole = () => row.body;
    changes.record(kind, 'create', shopId, whole, whole);
    const shown = new StoredJson(kind, row.body);
    const stored = { id, shopId, partnerId, deleted: false, record, hidden, shown };
    this.#found?.made(stored, columns);
    return stored;
  }

  update(stored: Stored<K>, fields: RecordOf<K>, around: Omit<Around<K>, 'partnerId'> = {}): Stored<K> {
    const kind = this.#kind;
    const before = fieldsIn(stored.record);
    const moved: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fieldsIn(fields))) {
      if (value !== undefined && !isSame(value, before[name])) moved[name] = value;
    }
    if (hasField(kind, 'updated_at')) moved.updated_at = this.#unit.time;
    const record = withFields(kind, stored.record, moved);
    const { joined, keys = {}, hidden } = around;
    const columns = keyColumns(kind, record, keys, moved);
    const body = this.#overwrite(stored.id, record, {
      ...columns,
      ...(hidden ? { hidden: JSON.stringify(hidden) } : {}),
    });
    const changed = () => JSON.stringify({ ...idsOfRecord(kind, record), ...moved });
    const latest = () => (joined ? JSON.stringify(completeRecord(kind, { ...record, ...joined })) : body);
    this.#unit.changes.record(kind, 'update', this.#shopId, changed, latest);
    const { id, shopId, partnerId, deleted } = stored;
    const shown = new StoredJson(kind, body);
    const updated = { id, shopId, partnerId, deleted, record, hidden: hidden ?? stored.hidden, shown };
    if (deleted || Object.keys(columns).length > 0) this.#found?.forget();
    else this.#found?.changed(updated);
    return updated;
  }

  remove(stored: Stored<K>): void {
    const kind = this.#kind;
    const moved = ownFields(kind, { deleted: true, updated_at: this.#unit.time });
    const record = { ...stored.record, ...moved };
    const latest = this.#overwrite(stored.id, record, { deleted: 1 });
    this.#found?.forget();
    const changed = () => JSON.stringify(deletedRecord(kind, record));
    this.#unit.changes.record(kind, 'delete', this.#shopId, changed, () => latest);
  }

  list(request: ListRequest<K>): Listed<K> {
    const kind = this.#kind;
    const { rows, paging } = listRows(this.#asked(request));
    return {
      shown: rows.map((row) => (row.deleted ? deletedRecord(kind, row.record) : row.shown)),
      get items() {
        return rows.map(({ record, deleted }) => (deleted ? deletedRecord(kind, record) : record));
      },
      paging,
    };
  }

  page(field: string, request: Omit<ListRequest<K>, 'includeDeleted'>): StoredPage {
    return listPage(field, this.#asked(request));
  }

  #asked(request: ListRequest<K>) {
    const lastStamp = this.#stamps.last();
    return { database: this.#unit.database, kind: this.#kind, shopId: this.#shopId, lastStamp, request };
  }

  /** Writes the record and those columns; returns its JSON. */
  #overwrite(id: string, record: RecordOf<K>, columns: Partial<RecordRow>): string {
    const body = JSON.stringify(record);
    const row = { ...columns, touched: this.#stamps.next(), body, id, shop_id: this.#shopId };
    this.#unit.database.run(changeRow(this.#kind), row);
    return body;
  }
}

/** Whether both are the same as JSON. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' && typeof other !== 'object') return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

import type * as z from 'zod';
import { change } from '../../../contract/records/change.ts';
import { type Fields, fieldsIn } from '../../../domain/json/values.ts';
import { complete, shapeOf } from '../complete-answer.ts';
import type { Entity, RecordOf } from './record-kinds.ts';
import type { Stored } from './rows.ts';

/** The schema of each kind, as a Change carries it. */
const schemas = change.shape.latest.unwrap().unwrap().shape;

/** The schema of the records of one kind. */
export function kindSchema(kind: Entity): z.ZodType {
  return schemas[kind];
}

const fieldNames = new Map<Entity, ReadonlySet<string>>();

/** Whether records of a kind have such a field on the wire. */
export function hasField(kind: Entity, name: string): boolean {
  let names = fieldNames.get(kind);
  if (!names) {
    names = new Set(Object.keys(schemas[kind].unwrap().unwrap().shape));
    fieldNames.set(kind, names);
  }
  return names.has(name);
}

/** The fields, typed as a record of the kind. */
function recordOf<K extends Entity>(_kind: K, fields: Fields): RecordOf<K> {
  return fields as RecordOf<K>;
}

/** Keeps the fields that the kind has on the wire. */
export function ownFields<K extends Entity>(kind: K, fields: Fields): RecordOf<K> {
  return recordOf(kind, Object.fromEntries(Object.entries(fields).filter(([name]) => hasField(kind, name))));
}

/** A complete record in its wire form (decisions, section 2); missing fields are taken from `supplied`. */
export function completeRecord<K extends Entity>(kind: K, record: object, supplied?: object): RecordOf<K> {
  return recordOf(kind, fieldsIn(complete(schemas[kind], record, supplied)));
}

/** A complete record with other values of some fields, in its wire form; only those are completed. */
export function withFields<K extends Entity>(kind: K, record: RecordOf<K>, fields: Fields): RecordOf<K> {
  const shape = shapeOf(schemas[kind]);
  const whole: Record<string, unknown> = { ...record };
  for (const name in fields) {
    const field = shape?.[name];
    if (field !== undefined) whole[name] = complete(field, fields[name]);
  }
  return recordOf(kind, whole);
}

const namingFields = [
  'id',
  'shop_id',
  'customer_id',
  'group_id',
  'collection_id',
  'product_id',
  'variant_id',
  'order_id',
] as const;

/** The identifying fields of a record, which a sparse record always contains (decisions, section 8). */
export function idsOfRecord<K extends Entity>(kind: K, record: RecordOf<K>): RecordOf<K> {
  const fields = fieldsIn(record);
  const naming = namingFields.filter((name) => hasField(kind, name) && fields[name]);
  return recordOf(kind, Object.fromEntries(naming.map((name) => [name, fields[name]])));
}

/** A deleted record in a list: its identifying fields, and `deleted` if the kind has it (decisions, section 4). */
export function deletedRecord<K extends Entity>(kind: K, record: RecordOf<K>): RecordOf<K> {
  const { id, ...rest } = fieldsIn(idsOfRecord(kind, record));
  return ownFields(kind, { ...(id === undefined ? rest : { id }), deleted: true });
}

/** How many records, and how many lookups, are cached for each kind in each shop. */
const MOST_REMEMBERED = 5000;

/**
 * The same for kinds of which a seed has many: they are looked up soon after they are made, if at all, and keeping many
 * of them is work for the garbage collection.
 */
const MOST_OF_MANY = 500;
const many: ReadonlySet<Entity> = new Set<Entity>(['order', 'fulfillment']);

type Keys = Readonly<Record<string, string | null | undefined>>;

/** A cache of lookups for one kind in one shop. */
export interface FoundRecords<K extends Entity = Entity> {
  /** The result of the lookup, if it is known. */
  known(lookup: string): readonly Stored<K>[] | undefined;
  keep(lookup: string, found: readonly Stored<K>[]): readonly Stored<K>[];
  made(stored: Stored<K>, keys: Keys): void;
  /** A record was changed; its keys are the same. */
  changed(stored: Stored<K>): void;
  /** Drops all lookups, because keys may have changed. */
  forget(): void;
}

/** The cache key of a lookup by one value of one key. */
export function lookupByOne(key: string, value: string): string {
  return `${key}=${value}`;
}

/**
 * Caches lookups by kind and shop, in data that had no records before: as long as there are few records, all of them
 * are cached and no query is needed; after that, only what was looked up. Thousands of populated orders look up the same
 * customers and variants, and each step of a parcel the parcel and its order. Valid for one transaction only, in which
 * all writes of records go through the same cache.
 */
export function rememberFound(most = MOST_REMEMBERED): <K extends Entity>(kind: K, shopId: string) => FoundRecords<K> {
  const byShop = new Map<string, Map<Entity, FoundRecords>>();
  return <K extends Entity>(kind: K, shopId: string) => {
    const ofShop = byShop.get(shopId) ?? new Map<Entity, FoundRecords>();
    if (ofShop.size === 0) byShop.set(shopId, ofShop);
    const known = ofShop.get(kind) ?? remembering(many.has(kind) ? Math.min(most, MOST_OF_MANY) : most);
    ofShop.set(kind, known);
    return known as FoundRecords<K>;
  };
}

function remembering(most: number): FoundRecords {
  /** Lookups by one value of one key, with the ids they return. A new record affects one only if it has that value. */
  const byOne = new Map<string, string[]>();
  const others = new Map<string, string[]>();
  const records = new Map<string, Stored<Entity>>();
  /** Whether every record is cached and can be found by each of its keys. */
  let isWhole = true;
  const holding = (lookup: string) => (isByOne(lookup) ? byOne : others);
  const forget = () => {
    isWhole = false;
    byOne.clear();
    others.clear();
    records.clear();
  };
  const makeRoom = () => {
    if (records.size >= most || byOne.size + others.size >= most * LOOKUPS_OF_RECORD) forget();
  };
  return {
    known(lookup) {
      const stored = isById(lookup) ? records.get(lookup.slice(BY_ID.length)) : undefined;
      if (stored !== undefined) return [stored];
      const ids = holding(lookup).get(lookup) ?? (isWhole && isByOne(lookup) ? [] : undefined);
      return ids?.flatMap((id) => records.get(id) ?? []);
    },
    keep(lookup, found) {
      makeRoom();
      for (const stored of found) records.set(stored.id, stored);
      holding(lookup).set(
        lookup,
        found.map(({ id }) => id),
      );
      return found;
    },
    made(stored, keys) {
      others.clear();
      makeRoom();
      for (const key in keys) {
        const value = keys[key];
        if (typeof value !== 'string') continue;
        const lookup = lookupByOne(key, value);
        const ids = byOne.get(lookup);
        // Its id is the greatest, and lookups return the oldest first.
        if (ids !== undefined) ids.push(stored.id);
        else if (isWhole) byOne.set(lookup, [stored.id]);
      }
      records.set(stored.id, stored);
    },
    changed(stored) {
      makeRoom();
      records.set(stored.id, stored);
    },
    forget,
  };
}

/** More than the number of keys of any kind. */
const LOOKUPS_OF_RECORD = 8;

const BY_ID = lookupByOne('id', '');

function isById(lookup: string): boolean {
  return lookup.startsWith(BY_ID);
}

/** Other lookups start with a space. */
function isByOne(lookup: string): boolean {
  return !lookup.startsWith(' ');
}

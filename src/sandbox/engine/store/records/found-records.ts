import type { Entity } from './kinds.ts';
import type { Stored } from './rows.ts';

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

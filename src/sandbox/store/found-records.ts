import type { Entity } from './kinds.ts';
import type { Stored } from './rows.ts';

/** So many records, and so many answers, are remembered of each kind in each shop. */
const MOST_REMEMBERED = 5000;

type Keys = Readonly<Record<string, string | null | undefined>>;

/** What lookups of one kind in one shop found. */
export interface FoundRecords<K extends Entity = Entity> {
  /** What the lookup would find, where that is known. */
  known(lookup: string): readonly Stored<K>[] | undefined;
  keep(lookup: string, found: readonly Stored<K>[]): readonly Stored<K>[];
  made(stored: Stored<K>, keys: Keys): void;
  /** A record is now this one, with the keys that it had. */
  changed(stored: Stored<K>): void;
  /** Which records have which keys is not known any more. */
  forget(): void;
}

/** The name of a lookup by one key, and one value of it. */
export function lookupByOne(key: string, value: string): string {
  return `${key}=${value}`;
}

/**
 * Remembers what lookups find, by kind and shop, in data that had no records before: as long as there are few, all of them
 * are known, and nothing is asked; then what was asked. Orders that are planted by the thousand ask for the same customers
 * and variants, and each step of a parcel for the parcel and its order. Only for one transaction, whose writes of records
 * all go through the same one.
 */
export function rememberFound(most = MOST_REMEMBERED): <K extends Entity>(kind: K, shopId: string) => FoundRecords<K> {
  const byShop = new Map<string, Map<Entity, FoundRecords>>();
  return <K extends Entity>(kind: K, shopId: string) => {
    const ofShop = byShop.get(shopId) ?? new Map<Entity, FoundRecords>();
    if (ofShop.size === 0) byShop.set(shopId, ofShop);
    const known = ofShop.get(kind) ?? remembering(most);
    ofShop.set(kind, known);
    return known as FoundRecords<K>;
  };
}

function remembering(most: number): FoundRecords {
  /** Lookups by one value of one key, which a new record touches only where it has that value: the ids that they find. */
  const byOne = new Map<string, string[]>();
  const others = new Map<string, string[]>();
  const records = new Map<string, Stored<Entity>>();
  /** Whether every record there is can be found here by each of its keys. */
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
        // Its id is the greatest, and lookups give the oldest first.
        if (ids !== undefined) ids.push(stored.id);
        else if (isWhole) byOne.set(lookup, [stored.id]);
      }
      records.set(stored.id, stored);
      byOne.set(lookupByOne('id', stored.id), [stored.id]);
    },
    changed(stored) {
      makeRoom();
      records.set(stored.id, stored);
      byOne.set(lookupByOne('id', stored.id), [stored.id]);
    },
    forget,
  };
}

/** More keys than any kind has. */
const LOOKUPS_OF_RECORD = 8;

/** Lookups of another form begin with a space. */
function isByOne(lookup: string): boolean {
  return !lookup.startsWith(' ');
}

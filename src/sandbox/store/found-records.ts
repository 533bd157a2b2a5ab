import type { Entity } from './kinds.ts';
import type { Stored } from './rows.ts';

/** So many answers are remembered of each kind in each shop. */
const MOST_ANSWERS = 5000;

/** What lookups of one kind in one shop found. */
export interface FoundRecords<K extends Entity = Entity> {
  /** What the lookup found when it was last asked, if nothing was written since that would change it. */
  known(lookup: string): readonly Stored<K>[] | undefined;
  keep(lookup: string, found: readonly Stored<K>[]): readonly Stored<K>[];
  /** A record was made: what asked for one of its values is to be asked anew. */
  made(id: string, keys: Readonly<Record<string, string | null | undefined>>): void;
  /** A record is now this one, or gone: its values before are not told, so all is to be asked anew. */
  changed(stored: Stored<K> | undefined): void;
}

/** The name of a lookup by one key, and one value of it. */
export function lookupByOne(key: string, value: string): string {
  return `${key}=${value}`;
}

/**
 * Remembers what lookups found, by kind and shop: orders that are planted by the thousand ask for the same customers and
 * variants. Only for one transaction, whose writes of records all go through the same one.
 */
export function rememberFound(): <K extends Entity>(kind: K, shopId: string) => FoundRecords<K> {
  const byShop = new Map<string, Map<Entity, FoundRecords>>();
  return <K extends Entity>(kind: K, shopId: string) => {
    const ofShop = byShop.get(shopId) ?? new Map<Entity, FoundRecords>();
    if (ofShop.size === 0) byShop.set(shopId, ofShop);
    const known = ofShop.get(kind) ?? remembering();
    ofShop.set(kind, known);
    return known as FoundRecords<K>;
  };
}

function remembering(): FoundRecords {
  /** Lookups by one value of one key, which a new record touches only where it has that value. */
  const byOne = new Map<string, readonly Stored<Entity>[]>();
  const others = new Map<string, readonly Stored<Entity>[]>();
  const holding = (lookup: string) => (isByOne(lookup) ? byOne : others);
  const keep = (lookup: string, found: readonly Stored<Entity>[]) => {
    const held = holding(lookup);
    if (held.size >= MOST_ANSWERS) held.clear();
    held.set(lookup, found);
    return found;
  };
  return {
    known: (lookup) => holding(lookup).get(lookup),
    keep,
    made(id, keys) {
      others.clear();
      if (byOne.size === 0) return;
      byOne.delete(lookupByOne('id', id));
      for (const key in keys) {
        const value = keys[key];
        if (typeof value === 'string') byOne.delete(lookupByOne(key, value));
      }
    },
    changed(stored) {
      others.clear();
      byOne.clear();
      if (stored !== undefined) keep(lookupByOne('id', stored.id), [stored]);
    },
  };
}

/** Lookups of another form begin with a space. */
function isByOne(lookup: string): boolean {
  return !lookup.startsWith(' ');
}

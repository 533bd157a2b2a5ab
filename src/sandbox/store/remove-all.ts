import type { Entity } from './kinds.ts';
import type { Lookup, Records } from './records.ts';

/** Deletes all that matches, each with its change (decisions, section 8). */
export async function removeAll<K extends Entity>(records: Records<K>, lookup: Lookup<K>): Promise<void> {
  for (const stored of await records.find(lookup)) await records.remove(stored);
}

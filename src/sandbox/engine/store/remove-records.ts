import type { Entity } from './record-kinds.ts';
import type { Lookup, Records } from './records.ts';

/** Deletes all matching records, each with its change (decisions, section 8). */
export function removeAll<K extends Entity>(records: Records<K>, lookup: Lookup<K>): void {
  for (const stored of records.find(lookup)) records.remove(stored);
}

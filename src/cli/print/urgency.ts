import type { ColumnKind } from '../document.ts';
import type { StyleName } from './style.ts';

/** What needs a person: the parcel will not arrive, the order is off, nothing is delivered any more. */
const urgent = new Set(['N', 'cancelled', 'undeliverable', 'fail', 'failed', 'stop', 'denied', 'suspended']);

/** What may come to need one: it is on its way back, or did not work at first. */
const unusual = new Set(['NS', 'returning', 'returned', 'retry', 'delivery_fail', 'pick_fail', 'return_fail']);

/** How a status or a state is marked; undefined for one that goes its way. Its own word says the same. */
export function styleOf(kind: ColumnKind | undefined, value: unknown): StyleName | undefined {
  if (kind !== 'status' && kind !== 'state') return undefined;
  const values = [value].flat().map(String);
  if (values.some((each) => urgent.has(each))) return 'red';
  return values.some((each) => unusual.has(each)) ? 'yellow' : undefined;
}

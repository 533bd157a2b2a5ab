import type { ColumnKind } from './document.ts';
import type { StyleName } from './style.ts';

/** States that need attention: the parcel will not arrive, the order is off, deliveries have stopped. */
const urgent = new Set(['N', 'cancelled', 'undeliverable', 'fail', 'failed', 'stop', 'denied', 'suspended']);

/** States that may come to need attention: it is on its way back, or did not work at first. */
const unusual = new Set(['NS', 'returning', 'returned', 'retry', 'delivery_fail', 'pick_fail', 'return_fail', 'warn']);

/** The style of a status or state; undefined for a normal one. The word itself says the same. */
export function styleOf(kind: ColumnKind | undefined, value: unknown): StyleName | undefined {
  if (kind !== 'status' && kind !== 'state') return undefined;
  const values = [value].flat().map(String);
  if (values.some((each) => urgent.has(each))) return 'red';
  return values.some((each) => unusual.has(each)) ? 'yellow' : undefined;
}

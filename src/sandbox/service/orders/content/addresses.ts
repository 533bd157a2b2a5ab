import type { PlaceBook } from '../../../engine/places.ts';
import { invalid } from '../../../engine/refusal.ts';
import type { OrderAddress } from '../order-record.ts';

const needed = ['full_name', 'phone', 'province', 'district', 'ward', 'address1'] as const;

/** A complete address with its place in official names (decisions, section 7); `path` is its path in the request. */
export function completeAddress(places: PlaceBook, address: OrderAddress, path: string): OrderAddress {
  for (const field of needed) {
    if ((address[field] ?? '').trim() === '') throw invalid(`${path}.${field}`, 'is missing');
  }
  return places.canonical(address, path);
}

/** Whether all fields of an address are empty. */
export function isEmptyAddress(address: OrderAddress | undefined): boolean {
  return Object.values(address ?? {}).every((value) => (value ?? '') === '');
}

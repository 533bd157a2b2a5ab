import type * as z from 'zod';
import type { customerAddressChanges, newCustomerAddress } from '../../contract/records/customer-address.ts';
import type { WithoutNulls, Work } from '../engine/call.ts';
import type { PlaceNames } from '../engine/places.ts';
import { invalid } from '../engine/refusal.ts';
import type { Stored } from '../engine/store/rows.ts';
import { findById } from './lookup.ts';
import { requireTexts } from './orders/customer-of-order.ts';

/** The input for a customer's address. */
export type AddressInput = WithoutNulls<z.output<typeof newCustomerAddress>>;

/** The changes to an address. */
export type AddressChanges = WithoutNulls<z.output<typeof customerAddressChanges>>;

const needed = ['full_name', 'phone', 'province', 'district', 'ward', 'address1'] as const;

/**
 * Creates an address of a customer of the shop, with its place in official names (decisions, section 9). The record has
 * no `country`, so a given value is only checked for its type and then dropped.
 */
export function makeAddress(
  work: Work,
  shopId: string,
  { country: _, coordinates, ...input }: AddressInput,
): Stored<'customer_address'> {
  requireTexts(input, needed);
  findById(work, shopId, 'customer', input.customer_id, 'customer_id');
  const places = work.places;
  return work.records('customer_address', shopId).insert({ ...places.canonical(input, ''), ...onTheMap(coordinates) });
}

/** Changes an address; its place is looked up again if a part of it is given. */
export function changeAddress(
  work: Work,
  address: Stored<'customer_address'>,
  { country: _, coordinates, ...changes }: AddressChanges,
): Stored<'customer_address'> {
  const moves = changes.province !== undefined || changes.district !== undefined || changes.ward !== undefined;
  const place = moves ? changedPlace(work, address.record, changes) : {};
  return work
    .records('customer_address', address.shopId)
    .update(address, { ...changes, ...place, ...onTheMap(coordinates) });
}

/** Coordinates without a latitude are treated as absent: null leaves a field as it is (decisions, section 2). */
function onTheMap(coordinates: AddressInput['coordinates']): Pick<AddressInput, 'coordinates'> {
  return coordinates?.latitude === undefined ? {} : { coordinates };
}

/**
 * The official place after a change. An unchanged ward must be in the requested district: section 9 of the decisions
 * also finds wards in other districts, which would move the address back to where it was.
 */
function changedPlace(work: Work, before: PlaceNames, changes: PlaceNames): PlaceNames {
  const places = work.places;
  const province = changes.province ?? before.province;
  const district = changes.district ?? before.district;
  const place = places.canonical({ province, district, ward: changes.ward ?? before.ward }, '');
  if (changes.ward === undefined) {
    const asked = places.canonical({ province, district }, '');
    if (place.district !== asked.district) {
      throw invalid('ward', `is missing: ${asked.district} has no ward "${before.ward}"`);
    }
  }
  return place;
}

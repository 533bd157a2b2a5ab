import { findPlace, type PlaceIndex } from '../../domain/places/place-index.ts';
import { nearNames } from '../../domain/places/place-suggest.ts';
import {
  districtsOf,
  type LocationTree,
  matchDistrict,
  matchProvince,
  matchWard,
  provincesOf,
  wardsOf,
} from '../../domain/places/places.ts';
import type { DraftAddress } from '../../ledger/order-draft.ts';

/** A level of place names that can be typed. */
export type PlaceLevel = 'province' | 'district' | 'ward';

const MOST_NAMES = 3;

/** The possible names of a level, given those above it; undefined if the list does not know those. */
function namesOf(tree: LocationTree, above: DraftAddress, level: PlaceLevel): PlaceIndex<{ name: string }> | undefined {
  if (level === 'province') return provincesOf(tree);
  const province = matchProvince(tree, above.province ?? '');
  if (province.kind !== 'found') return undefined;
  if (level === 'district') return districtsOf(province.place);
  const district = matchDistrict(province.place, above.district ?? '');
  // Small island districts have no wards.
  return district.kind === 'found' && district.place.wards.length > 0 ? wardsOf(district.place) : undefined;
}

/** The official form of a typed name; unchanged if the list does not know it. */
export function officialName(tree: LocationTree, above: DraftAddress, level: PlaceLevel, typed: string): string {
  const names = namesOf(tree, above, level);
  const found = names === undefined ? undefined : findPlace(names, typed);
  return found?.kind === 'found' ? found.place.name : typed;
}

/** The district that a ward is in, if it differs from the one given above it. */
function otherDistrict(tree: LocationTree, above: DraftAddress, ward: string): string | undefined {
  const province = matchProvince(tree, above.province ?? '');
  const district = province.kind === 'found' ? matchDistrict(province.place, above.district ?? '') : undefined;
  if (province.kind !== 'found' || district?.kind !== 'found') return undefined;
  const found = matchWard(province.place, district.place, ward);
  return found.kind === 'found' && found.place.district !== district.place ? found.place.district.name : undefined;
}

/**
 * Why a typed name is doubtful, with the closest names; undefined for a name in the list, or if there is no list to
 * check.
 */
export function typedPlaceDoubt(
  tree: LocationTree,
  above: DraftAddress,
  level: PlaceLevel,
  typed: string,
): string | undefined {
  const names = namesOf(tree, above, level);
  if (names === undefined) return undefined;
  const found = findPlace(names, typed);
  if (found.kind === 'found') return undefined;
  if (found.kind === 'ambiguous') return `may be ${found.candidates.map(({ name }) => name).join(' or ')}`;
  const elsewhere = level === 'ward' ? otherDistrict(tree, above, typed) : undefined;
  if (elsewhere !== undefined) return `lies in ${elsewhere}, which the service will send it to`;
  const near = nearNames(names, typed, MOST_NAMES);
  const meant = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
  return `is no ${level} of the list${meant}`;
}

import { matchMerged } from './merged-places.ts';
import { type LocationTree, matchDistrict, matchProvince, matchWard } from './places.ts';

/** A one-line address split into its places, by official name, and the text before them. */
export interface AddressParts {
  readonly address1: string;
  readonly province: string;
  readonly district: string;
  /** Absent if the line names none. */
  readonly ward?: string;
}

/** A country name at the end of an address, which is skipped. */
const country = /^(?:việt nam|viet nam|vietnam|vn)\.?$/i;

/** An address whose ward, district and province are newer than our list. */
function inPlacesOfToday(tree: LocationTree, filled: readonly string[]): AddressParts | undefined {
  const [ward = '', district = '', province = ''] = filled.slice(-3);
  const whole = matchMerged(tree, { province, district, ward });
  const found = filled.length > 3 && whole?.kind === 'found' ? whole.place : undefined;
  if (found === undefined) return undefined;
  const { kind: _, ...names } = found;
  return { ...names, address1: filled.slice(0, -3).join(', ') };
}

/**
 * Finds province, district and ward at the end of a one-line address with comma-separated parts, smallest to largest:
 * "12 ngõ 5, P. Dịch Vọng, Cầu Giấy, HN". Undefined if province or district is not found in its position: nothing is
 * guessed.
 */
export function placesInAddress(tree: LocationTree, text: string): AddressParts | undefined {
  const parts = text.split(/[,;\n]|\s-\s/).map((part) => part.trim());
  const filled = parts.filter((part) => part !== '' && !country.test(part));
  const [districtText = '', provinceText = ''] = filled.slice(-2);
  const today = inPlacesOfToday(tree, filled);
  if (today !== undefined) return today;
  const province = matchProvince(tree, provinceText);
  if (province.kind !== 'found') return undefined;
  const district = matchDistrict(province.place, districtText);
  if (district.kind !== 'found') return undefined;
  const before = filled.slice(0, -2);
  const named = { province: province.place.name, district: district.place.name };
  const ward = matchWard(province.place, district.place, before.at(-1) ?? '');
  if (before.length < 2 || ward.kind !== 'found' || ward.place.district !== district.place) {
    return { ...named, address1: before.join(', ') };
  }
  return { ...named, ward: ward.place.ward.name, address1: before.slice(0, -1).join(', ') };
}

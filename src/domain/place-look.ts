import { fine, type Look, unusual } from './look.ts';
import type { PlaceLevel } from './place-name.ts';
import { nearNames } from './place-suggest.ts';
import {
  districtsOf,
  type LocationTree,
  matchDistrict,
  matchPlace,
  matchProvince,
  provincesOf,
  wardsOf,
} from './places.ts';

/** How many names are proposed. */
const MOST_NAMES = 3;

/** The official names that a text may mean, where the levels above it are known. */
function namesNear(
  tree: LocationTree,
  level: PlaceLevel,
  written: { province: string; district?: string | undefined },
  text: string,
): string[] {
  if (level === 'province') return nearNames(provincesOf(tree), text, MOST_NAMES);
  const province = matchProvince(tree, written.province);
  if (province.kind !== 'found') return [];
  if (level === 'district') return nearNames(districtsOf(province.place), text, MOST_NAMES);
  const district = matchDistrict(province.place, written.district ?? '');
  return district.kind === 'found' ? nearNames(wardsOf(district.place), text, MOST_NAMES) : [];
}

/**
 * Looks at the place that somebody wrote. A service may know more places than our list, so one that is not in it is
 * unusual and no more; the level that failed gets its nearest names.
 */
export function lookAtPlace(
  tree: LocationTree,
  written: { readonly province: string; readonly district?: string | undefined; readonly ward?: string | undefined },
): { readonly level: PlaceLevel; readonly look: Look } {
  const match = matchPlace(tree, written);
  if (match.kind === 'found' || (match.level === 'district' && match.text === '')) {
    // A province alone is all that some requests name.
    return { level: 'province', look: fine };
  }
  const { level, text, kind, candidates } = match;
  const names = candidates.length > 0 ? candidates : namesNear(tree, level, written, text);
  const problem = kind === 'ambiguous' ? 'names more than one place' : 'is not in our list of places';
  const meant = names.length === 0 ? '' : `; did you mean ${names.slice(0, MOST_NAMES).join(' or ')}?`;
  return { level, look: unusual(`${JSON.stringify(text)} ${problem}${meant}`) };
}

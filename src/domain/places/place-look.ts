import { fine, type Look, unusual } from '../likeness.ts';
import { say } from '../texts.ts';
import { matchMerged } from './merged-places.ts';
import type { PlaceLevel } from './place-name.ts';
import { namesMeant } from './place-suggest.ts';
import {
  districtsOf,
  type LocationTree,
  matchDistrict,
  matchPlace,
  matchProvince,
  type OfficialPlace,
  type PlaceText,
  placeLabel,
  provincesOf,
  wardsOf,
} from './places.ts';

/** Most names to suggest. */
const MOST_NAMES = 3;

/** The official names that a text may mean, given the levels above it. */
function namesNear(
  tree: LocationTree,
  level: PlaceLevel,
  written: { province: string; district?: string | undefined },
  text: string,
): string[] {
  if (level === 'province') return namesMeant(provincesOf(tree), text, MOST_NAMES);
  const province = matchProvince(tree, written.province);
  if (province.kind !== 'found') return [];
  if (level === 'district') return namesMeant(districtsOf(province.place), text, MOST_NAMES);
  const district = matchDistrict(province.place, written.district ?? '');
  return district.kind === 'found' ? namesMeant(wardsOf(district.place), text, MOST_NAMES) : [];
}

/** A ward that is called by its number: whether it or the district is wrong, the list does not know. */
const NUMBERED = /\d$/;

/**
 * What is wrong with a place whose ward is in another district than the one written: the list is older than some borders, so that a
 * name decides, and a number does not.
 */
function lookAtMoved({ ward = '', district, movedFrom: written = '' }: OfficialPlace): Look {
  const names = { ward, district, written };
  return NUMBERED.test(ward)
    ? { kind: 'impossible', message: say().place.noSuchNumber(names) }
    : unusual('moved_place', say().place.moved(names));
}

/** The notice about an address whose ward is in another district than the one written; otherwise undefined. */
export function movedDistrict(tree: LocationTree, { province, district, ward }: PlaceText): string | undefined {
  const found = matchPlace(tree, { province, district, ward });
  const look = found.kind === 'found' && found.movedFrom !== undefined ? lookAtMoved(found) : fine;
  return look.kind === 'unusual' ? look.note : look.kind === 'impossible' ? look.message : undefined;
}

/**
 * Checks a place as somebody wrote it. A service may know more places than our list, so an unlisted one is only
 * unusual; the level that failed gets its nearest names.
 */
export function lookAtPlace(
  tree: LocationTree,
  written: { readonly province: string; readonly district?: string | undefined; readonly ward?: string | undefined },
): { readonly level: PlaceLevel; readonly look: Look } {
  const match = matchPlace(tree, written);
  if (match.kind === 'found' && match.movedFrom !== undefined) return { level: 'ward', look: lookAtMoved(match) };
  if (match.kind === 'found' || (match.level === 'district' && match.text === '')) {
    // Some requests name a province only.
    return { level: 'province', look: fine };
  }
  const { level, text, kind, candidates } = match;
  const today = matchMerged(tree, written);
  if (today?.kind === 'found')
    return { level, look: unusual('newer_place', say().place.newer({ place: placeLabel(today.place) })) };
  const near = today?.candidates.map(placeLabel) ?? namesNear(tree, level, written, text);
  const names = (candidates.length > 0 ? candidates : near).slice(0, MOST_NAMES);
  const look =
    kind === 'ambiguous'
      ? unusual('ambiguous_place', say().place.ambiguous({ text, names }))
      : unusual('unknown_place', say().place.unknown({ text, names }));
  return { level, look };
}

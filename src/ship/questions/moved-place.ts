import { foldedName } from '../../domain/places/place-name.ts';
import { type LocationTree, matchPlace, type PlaceText } from '../../domain/places/places.ts';

/** The notice about an address whose ward is in another district than the one written; otherwise undefined. */
export function movedDistrict(tree: LocationTree, { province, district, ward }: PlaceText): string | undefined {
  const found = matchPlace(tree, { province, district, ward });
  if (found.kind !== 'found' || found.movedFrom === undefined) return undefined;
  return `${found.ward} lies in ${found.district}, not in ${found.movedFrom}: it goes to ${found.district}`;
}

/** Whether two spellings name the same district, as far as the list knows. */
function isSameDistrict(tree: LocationTree, sent: PlaceText, answered: PlaceText): boolean {
  const names = [sent, answered].map(({ province, district }) => {
    const found = matchPlace(tree, { province, district });
    return foldedName(found.kind === 'found' ? found.district : (district ?? ''));
  });
  return names[0] === names[1];
}

/** The notice if the service answered an address with another district than the one sent; otherwise undefined. */
export function changedDistrict(
  tree: LocationTree,
  sent: PlaceText | null | undefined,
  answered: PlaceText | null | undefined,
): string | undefined {
  if (!sent?.district || !answered?.district || isSameDistrict(tree, sent, answered)) return undefined;
  return `the service changed ${sent.district} to ${answered.district}, where ${answered.ward ?? 'the place'} lies`;
}

import { type LocationTree, matchPlace } from '../../domain/places/places.ts';
import { invalid } from './refusal.ts';

/** The place names of the sandbox (decisions, section 9). */
export interface PlaceBook {
  /** All places, as GetLocationList returns them. */
  readonly tree: LocationTree;
  /**
   * An address with province, district and ward in their full official form. `path` is the address's path in the
   * request, empty if its fields are the request's own; used in the refusal of an unknown place.
   */
  canonical<Address extends PlaceNames>(address: Address, path: string): Address;
}

/** The part of an address that names a place. */
export interface PlaceNames {
  province?: string | null | undefined;
  district?: string | null | undefined;
  ward?: string | null | undefined;
}

let book: Promise<PlaceBook> | undefined;

/** Loads the place names, once for all sandboxes. */
export function loadPlaces(): Promise<PlaceBook> {
  book ??= import('../../domain/places/place-data.ts').then(({ locationTree }) => createPlaceBook(locationTree));
  return book;
}

/** How many place spellings are cached, since the addresses of a caller repeat. */
const MOST_KNOWN = 1000;
const LONGEST_KNOWN = 300;

function createPlaceBook(tree: LocationTree): PlaceBook {
  const known = new Map<string, ReturnType<typeof matchPlace>>();
  const matchOf = (address: PlaceNames) => {
    const { province, district, ward } = address;
    const written = JSON.stringify([province, district, ward]);
    const match = known.get(written) ?? matchPlace(tree, { province, district, ward });
    if (written.length > LONGEST_KNOWN) return match;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(written, match);
    return match;
  };
  return {
    tree,
    canonical(address, path) {
      const match = matchOf(address);
      if (match.kind === 'found') {
        const { province, district, ward } = match;
        return { ...address, province, district, ...(ward === undefined ? {} : { ward }) };
      }
      const field = path === '' ? match.level : `${path}.${match.level}`;
      if (match.text.trim() === '') throw invalid(field, 'is missing');
      const known = match.candidates.length > 0 ? `, it may mean ${match.candidates.slice(0, 5).join('; ')}` : '';
      const problem = match.kind === 'ambiguous' ? 'names more than one place' : 'is no known place';
      throw invalid(field, `${problem}: "${match.text}"${known}`);
    },
  };
}

import { findPlace, indexPlaces, type PlaceIndex, type PlaceMatch } from './place-index.ts';
import { type PlaceLevel, provinceByOtherName, provinceStem } from './place-name.ts';

/** A ward by its official name ("Phường Dịch Vọng"). */
interface Ward {
  name: string;
}

/** A district by its official name, with its wards; four island districts have none. */
export interface District {
  name: string;
  wards: readonly Ward[];
}

/** A province by its official name, with its districts. */
export interface Province {
  name: string;
  districts: readonly District[];
}

/** A ward of one of the 34 provinces of 1 July 2025, and the wards of the list that it was made of. */
interface WardOfToday {
  readonly name: string;
  readonly former: readonly OfficialPlace[];
}

/** The wards of today, by the stem of their province ("da nang"). */
export type WardsOfToday = ReadonlyMap<string, PlaceIndex<WardOfToday>>;

/** All places, in the shape that GetLocationList returns (contract, Account, location, version). */
export interface LocationTree {
  provinces: readonly Province[];
  /** What the wards of today were made of, read when it is first asked for. */
  wardsOfToday?(): WardsOfToday;
}

/** A ward and the district it belongs to, which may differ from the one that was asked for. */
export interface WardOfDistrict {
  ward: Ward;
  district: District;
}

/** A place as people write it (contract, OrderAddress). */
export interface PlaceText {
  province?: string | null | undefined;
  district?: string | null | undefined;
  ward?: string | null | undefined;
}

/** A place in official names. `movedFrom` is the district named in the text if the ward belongs to another one. */
export interface OfficialPlace {
  kind: 'found';
  province: string;
  district: string;
  ward?: string;
  movedFrom?: string;
  /** Whether it is one of several former wards of the one that is named, of which the list knows no other. */
  isPartial?: true;
}

/** The level whose name was not found, as written; `candidates` are the official names it may mean, if any. */
export interface PlaceFailure {
  kind: 'not_found' | 'ambiguous';
  level: PlaceLevel;
  text: string;
  candidates: string[];
}

const nameOf = (node: { name: string }) => node.name;

// One index per node, built on first use and freed with the node. A tree must not change once it has been searched.
const provinceIndexes = new WeakMap<LocationTree, PlaceIndex<Province>>();
const districtIndexes = new WeakMap<Province, PlaceIndex<District>>();
const wardIndexes = new WeakMap<District, PlaceIndex<Ward>>();
const countryIndexes = new WeakMap<LocationTree, PlaceIndex<{ province: Province; district: District }>>();
const provinceWardIndexes = new WeakMap<Province, PlaceIndex<WardOfDistrict>>();

/** Finds a province by any spelling of decisions, section 9 ("TP. HCM", "ha noi", "BRVT"). */
export function matchProvince(tree: LocationTree, text: string): PlaceMatch<Province> {
  return findPlace(provincesOf(tree), text);
}

/** Finds a district of `province` by any spelling ("Q2", "quan 02", "H. Củ Chi", "2"). */
export function matchDistrict(province: Province, text: string): PlaceMatch<District> {
  return findPlace(districtsOf(province), text);
}

/**
 * Finds a ward by any spelling, in `district`, otherwise in `province` if its name is unique there. Several wards of
 * that name outside the district count as not found, since the district contains none of them.
 */
export function matchWard(province: Province, district: District, text: string): PlaceMatch<WardOfDistrict> {
  const inside = findPlace(wardsOf(district), text);
  if (inside.kind === 'found') return { kind: 'found', place: { ward: inside.place, district } };
  if (inside.kind === 'ambiguous') {
    return { kind: 'ambiguous', candidates: inside.candidates.map((ward) => ({ ward, district })) };
  }
  const anywhere = findPlace(wardsOfProvince(province), text);
  return anywhere.kind === 'found' ? anywhere : { kind: 'not_found' };
}

/**
 * Resolves a written place to official names, or says which level failed. An empty ward is left out; without a
 * district, a ward whose name is unique in the province determines it. A district without wards (the small islands)
 * keeps the ward as written, since otherwise nothing could be sent there.
 */
export function matchPlace(tree: LocationTree, written: PlaceText): OfficialPlace | PlaceFailure {
  const provinceMatch = matchProvince(tree, written.province ?? '');
  if (provinceMatch.kind !== 'found') return failure('province', written.province, provinceMatch, nameOf);
  const province = provinceMatch.place;

  const wardText = written.ward?.trim() ?? '';
  if (wardText !== '' && (written.district ?? '').trim() === '') {
    const match = findPlace(wardsOfProvince(province), wardText);
    if (match.kind === 'found') return official(province, match.place);
    return failure('district', written.district, { kind: 'not_found' }, nameOf);
  }

  const districtMatch = matchDistrict(province, written.district ?? '');
  if (districtMatch.kind !== 'found') return failure('district', written.district, districtMatch, nameOf);
  const district = districtMatch.place;
  if (wardText === '') return { kind: 'found', province: province.name, district: district.name };
  if (district.wards.length === 0) {
    return { kind: 'found', province: province.name, district: district.name, ward: wardText };
  }

  const wardMatch = matchWard(province, district, wardText);
  if (wardMatch.kind !== 'found') return failure('ward', wardText, wardMatch, ({ ward }) => ward.name);
  const place = official(province, wardMatch.place);
  return wardMatch.place.district === district ? place : { ...place, movedFrom: district.name };
}

/** A place as an address ends with it: "Phường Dịch Vọng, Quận Cầu Giấy, Thành phố Hà Nội". */
export const placeLabel = ({ ward, district, province }: PlaceText): string =>
  [ward, district, province].filter((name) => name !== undefined).join(', ');

/** The index of the provinces of `tree`, built once. */
export function provincesOf(tree: LocationTree): PlaceIndex<Province> {
  return once(provinceIndexes, tree, () => indexPlaces('province', tree.provinces, nameOf));
}

/** The index of the districts of `province`, built once. */
export function districtsOf(province: Province): PlaceIndex<District> {
  return once(districtIndexes, province, () => indexPlaces('district', province.districts, nameOf));
}

/** The index of the wards of `district`, built once. */
export function wardsOf(district: District): PlaceIndex<Ward> {
  return once(wardIndexes, district, () => indexPlaces('ward', district.wards, nameOf));
}

/** The index of all wards of `province`, each with its district, built once. */
export function wardsOfProvince(province: Province): PlaceIndex<WardOfDistrict> {
  return once(provinceWardIndexes, province, () => {
    const wards = province.districts.flatMap((district) => district.wards.map((ward) => ({ ward, district })));
    return indexPlaces('ward', wards, ({ ward }) => ward.name);
  });
}

/** The districts of the whole country that a text names, each with its province. */
export function districtsOfCountry(
  tree: LocationTree,
  text: string,
): readonly { readonly province: Province; readonly district: District }[] {
  const index = once(countryIndexes, tree, () => {
    const all = tree.provinces.flatMap((province) => province.districts.map((district) => ({ province, district })));
    return indexPlaces('district', all, ({ district }) => district.name);
  });
  const match = findPlace(index, text);
  return match.kind === 'found' ? [match.place] : match.kind === 'ambiguous' ? match.candidates : [];
}

function once<Key extends object, Value>(cache: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  let value = cache.get(key);
  if (value === undefined) {
    value = make();
    cache.set(key, value);
  }
  return value;
}

function official(province: Province, { ward, district }: WardOfDistrict): OfficialPlace {
  return { kind: 'found', province: province.name, district: district.name, ward: ward.name };
}

function failure<Place>(
  level: PlaceLevel,
  text: string | null | undefined,
  match: Exclude<PlaceMatch<Place>, { kind: 'found' }>,
  name: (place: Place) => string,
): PlaceFailure {
  const candidates = match.kind === 'ambiguous' ? match.candidates.map(name) : [];
  return { kind: match.kind, level, text: text ?? '', candidates };
}

/**
 * Parses the compact text of place-data.ts: one province of today per line ("#Đà Nẵng"), then one ward per line, a tab,
 * and the positions in our list, to base 36, of the wards that it was made of.
 */
export function readWardsOfToday(text: string, provinces: readonly Province[]): WardsOfToday {
  const listed = provinces.flatMap(({ name: province, districts }) =>
    districts.flatMap(({ name: district, wards }) =>
      wards.map(({ name }): OfficialPlace => ({ kind: 'found', province, district, ward: name })),
    ),
  );
  const byProvince = text.split('\n#').map((part) => {
    const [province = '', ...lines] = part.trim().split('\n');
    const wards = lines.map((line): WardOfToday => {
      const [name = '', positions = ''] = line.split('\t');
      const former = positions.split(' ').flatMap((position) => listed[Number.parseInt(position, 36)] ?? []);
      return { name, former };
    });
    const stem = provinceStem(province);
    // Our list has "Huế" under another name.
    return [provinceByOtherName(stem) ?? stem, indexPlaces('ward', wards, ({ name }) => name)] as const;
  });
  return new Map(byProvince.slice(1));
}

/** The marks for a ward's unit in the compact text; a ward without a mark has the same unit as the one before. */
const wardUnits: Readonly<Record<string, string>> = { '+': 'Phường ', '-': 'Xã ', '=': 'Thị trấn ', '!': '' };

/**
 * Parses the compact text of place-data.ts: one province per line ("#Tỉnh Lào Cai"), then one district per line, a tab,
 * and its wards separated by commas, each preceded by its unit's mark where the unit changes; "!" marks a full name.
 */
export function readPlaces(text: string): LocationTree {
  const provinces: (Province & { districts: District[] })[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) {
      provinces.push({ name: line.slice(1), districts: [] });
    } else if (line !== '') {
      const [name = '', wards = ''] = line.split('\t');
      provinces.at(-1)?.districts.push({ name, wards: readWards(wards) });
    }
  }
  return { provinces };
}

function readWards(text: string): Ward[] {
  let unit = '';
  return text === ''
    ? []
    : text.split(',').map((written) => {
        const marked = wardUnits[written.charAt(0)];
        unit = marked ?? unit;
        return { name: unit + (marked === undefined ? written : written.slice(1)) };
      });
}

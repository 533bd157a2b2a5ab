import { findPlace, indexPlaces, type PlaceMatch } from './place-index.ts';
import { foldedName, plainName, provinceStem, stemOf, tonedName } from './place-name.ts';
import {
  type District,
  type LocationTree,
  matchDistrict,
  matchPlace,
  matchProvince,
  type OfficialPlace,
  type PlaceText,
  type Province,
  placeLabel,
  provincesOf,
  wardsOf,
  wardsOfProvince,
} from './places.ts';

/**
 * The provinces of our list that became part of another one on 1 July 2025 (National Assembly, resolution
 * 202/2025/QH15), by the name of that one.
 */
const merged: Readonly<Record<string, readonly string[]>> = {
  'Tuyên Quang': ['Hà Giang'],
  'Lào Cai': ['Yên Bái'],
  'Thái Nguyên': ['Bắc Kạn'],
  'Phú Thọ': ['Vĩnh Phúc', 'Hòa Bình'],
  'Bắc Ninh': ['Bắc Giang'],
  'Hưng Yên': ['Thái Bình'],
  'Hải Phòng': ['Hải Dương'],
  'Ninh Bình': ['Hà Nam', 'Nam Định'],
  'Quảng Trị': ['Quảng Bình'],
  'Đà Nẵng': ['Quảng Nam'],
  'Quảng Ngãi': ['Kon Tum'],
  'Gia Lai': ['Bình Định'],
  'Khánh Hòa': ['Ninh Thuận'],
  'Lâm Đồng': ['Đắk Nông', 'Bình Thuận'],
  'Đắk Lắk': ['Phú Yên'],
  'Hồ Chí Minh': ['Bình Dương', 'Bà Rịa - Vũng Tàu'],
  'Đồng Nai': ['Bình Phước'],
  'Tây Ninh': ['Long An'],
  'Cần Thơ': ['Sóc Trăng', 'Hậu Giang'],
  'Vĩnh Long': ['Bến Tre', 'Trà Vinh'],
  'Đồng Tháp': ['Tiền Giang'],
  'Cà Mau': ['Bạc Liêu'],
  'An Giang': ['Kiên Giang'],
};

/** The same by folded names: the parts of a province, and the province of a part. */
interface MergedByName {
  readonly parts: ReadonlyMap<string, readonly string[]>;
  readonly whole: ReadonlyMap<string, string>;
}

let byName: MergedByName | undefined;

/** Folded at its first use, not at every start. */
function mergedByName(): MergedByName {
  const entries = Object.entries(merged);
  byName ??= {
    parts: new Map(entries.map(([name, parts]) => [foldedName(name), parts])),
    whole: new Map(entries.flatMap(([name, parts]) => parts.map((part) => [foldedName(part), foldedName(name)]))),
  };
  return byName;
}

/** The districts of our list that became the city of Thủ Đức on 1 January 2021. */
const THU_DUC = { province: 'Thành phố Hồ Chí Minh', districts: ['Quận 2', 'Quận 9', 'Quận Thủ Đức'] };

/** Whether a text names the city of Thủ Đức, and not the district of 2019 of that name. */
export function isThuDucCity(text: string): boolean {
  const { stem, unit } = stemOf(foldedName(text), 'district');
  return stem === 'thu duc' && unit === 'thanh pho';
}

/** The province of our list that a text names, and those that are part of it today; none if it names none. */
export function provincesNamed(tree: LocationTree, text: string): readonly Province[] {
  const own = matchProvince(tree, isThuDucCity(text) ? THU_DUC.province : text);
  if (own.kind !== 'found') return [];
  const parts = (mergedByName().parts.get(provinceStem(own.place.name)) ?? []).flatMap((name) => {
    const part = findPlace(provincesOf(tree), name);
    return part.kind === 'found' ? [part.place] : [];
  });
  return [own.place, ...parts];
}

/** The districts of a province of our list that a text names: several for the city of Thủ Đức. */
export function districtsNamed(province: Province, text: string): readonly District[] {
  const names = province.name === THU_DUC.province && isThuDucCity(text) ? THU_DUC.districts : [text];
  return names.flatMap((name) => allOf(matchDistrict(province, name)));
}

const isBlank = (text: string | null | undefined) => (text ?? '').trim() === '';

/** The places that a search found, several where the text does not tell them apart. */
const allOf = <Place>(match: PlaceMatch<Place>): readonly Place[] =>
  match.kind === 'found' ? [match.place] : match.kind === 'ambiguous' ? match.candidates : [];

const nameOf = ({ name }: { readonly name: string }) => name;

/** The wards that a text names in a district; where the list has none of it, the text itself. */
function wardsNamed(district: District, text: string): readonly string[] {
  if (district.wards.length === 0) return [text];
  return allOf(findPlace(wardsOf(district), text)).map(nameOf);
}

function placesInProvince(province: Province, district: string, ward: string): readonly OfficialPlace[] {
  const named = { kind: 'found', province: province.name } as const;
  if (isBlank(district)) {
    const all = allOf(findPlace(wardsOfProvince(province), ward));
    return all.map((place) => ({ ...named, district: place.district.name, ward: place.ward.name }));
  }
  return districtsNamed(province, district).flatMap((one): readonly OfficialPlace[] => {
    if (isBlank(ward)) return [{ ...named, district: one.name }];
    return wardsNamed(one, ward).map((name) => ({ ...named, district: one.name, ward: name }));
  });
}

/** What a text means: places of our list of that name, and those that a ward of today of that name was made of. */
interface Readings {
  readonly listed: readonly OfficialPlace[];
  readonly former: readonly OfficialPlace[];
  /** The same in any province and district, not only in those that are written. */
  readonly parts: readonly OfficialPlace[];
}

type Reading = Readings & { readonly name: string };

/**
 * The wards of the list that one of today was made of. Where it has the name of none of them, and only one is known, it was made of
 * parts of others, too: of each former ward our source knows one of today alone.
 */
function partsOf(name: string, former: readonly OfficialPlace[]): readonly OfficialPlace[] {
  const [only, another] = former;
  if (only === undefined || another !== undefined) return former;
  const stemIn = (ward: string) => stemOf(foldedName(ward), 'ward').stem;
  return stemIn(name).endsWith(stemIn(only.ward ?? '')) ? former : [{ ...only, isPartial: true }];
}

/** The wards of today that a text may name. */
function wardsOfTodayNamed(tree: LocationTree, { province, district, ward }: PlaceText): readonly Reading[] {
  const provinces = provincesNamed(tree, province ?? '');
  const [own] = provinces;
  if (own === undefined || isBlank(ward)) return [];
  const stem = provinceStem(own.name);
  const wards = tree.wardsOfToday?.().get(mergedByName().whole.get(stem) ?? stem);
  const isNamed = (place: OfficialPlace) => {
    const inside = provinces.find(({ name }) => name === place.province);
    if (inside === undefined || isBlank(district)) return inside !== undefined;
    return districtsNamed(inside, district ?? '').some(({ name }) => name === place.district);
  };
  return (wards === undefined ? [] : allOf(findPlace(wards, ward ?? ''))).flatMap(({ name, former: known }) => {
    const parts = partsOf(name, known);
    const former = parts.filter(isNamed);
    return former.length === 0 ? [] : [{ name, listed: [], former, parts }];
  });
}

const isSame = (one: PlaceText, other: PlaceText) => placeLabel(one) === placeLabel(other);

/** Of look-alikes, those that are spelled as it is written count: by the unit, then by the diacritics. */
function readings(tree: LocationTree, { province, district, ward }: PlaceText): Readings {
  const written = province ?? '';
  const above = isBlank(district) && isThuDucCity(written) ? written : (district ?? '');
  const listed = provincesNamed(tree, written).flatMap((one) => placesInProvince(one, above, ward ?? ''));
  const named: readonly Reading[] = [
    ...listed.map((place) => ({ name: place.ward ?? '', listed: [place], former: [], parts: [] })),
    ...wardsOfTodayNamed(tree, { province, district: above, ward }),
  ];
  // "Yên Hòa" of today's list is "Yên Hoà" of ours.
  const toned = indexPlaces('ward', named, ({ name }) => tonedName(name));
  const meant = named.length < 2 || isBlank(ward) ? named : allOf(findPlace(toned, tonedName(ward ?? '')));
  return {
    listed: meant.flatMap((one) => one.listed),
    former: meant.flatMap((one) => one.former),
    parts: meant.flatMap((one) => one.parts),
  };
}

/**
 * Every place of our list that names of today may mean; without a district, in any of the province. A written district
 * is a former one, and so is a ward of that name in it.
 */
export function placesOfToday(tree: LocationTree, written: PlaceText): readonly OfficialPlace[] {
  const { listed, former } = readings(tree, written);
  if (listed.length > 0 && !isBlank(written.district)) return listed;
  return [...listed, ...former.filter((place) => !listed.some((each) => isSame(each, place)))];
}

/**
 * The former ward with the name of the ward of today that is written, if all that this one was made of is in one
 * district; undefined if there is none or more than one.
 */
export function sameNamed(tree: LocationTree, written: PlaceText): OfficialPlace | undefined {
  const { listed, parts } = readings(tree, written);
  const [only, another] = listed;
  const isPart = only !== undefined && another === undefined && parts.some((place) => isSame(place, only));
  return isPart && parts.every((place) => place.district === only.district && place.province === only.province)
    ? only
    : undefined;
}

/** What a place with names that are newer than our list means there. */
export type MergedMatch =
  | { readonly kind: 'found'; readonly place: OfficialPlace }
  | {
      readonly kind: 'ambiguous';
      readonly candidates: readonly OfficialPlace[];
      /** The name that would tell them apart. */
      readonly missing: 'ward' | 'district' | 'former ward';
    };

/**
 * Finds a place whose names are newer than our list: in the city of Thủ Đức, in a province that others were merged
 * into, or in a ward that others were merged into. Undefined if the list has the place as it is written, or none that
 * fits.
 */
export function matchMerged(tree: LocationTree, written: PlaceText): MergedMatch | undefined {
  const isCity = [written.district, written.province].some((text) => isThuDucCity(text ?? ''));
  const asWritten = matchPlace(tree, written);
  const isListed = asWritten.kind === 'found';
  if (isListed && !isCity && isExact(asWritten, written)) return undefined;
  const candidates = placesOfToday(tree, written);
  const [place, another] = candidates;
  if (place === undefined) return undefined;
  if (another !== undefined || place.isPartial === true)
    return { kind: 'ambiguous', candidates, missing: missingIn(tree, written) };
  return isListed && !isCity && isSame(asWritten, place) ? undefined : { kind: 'found', place };
}

/** Whether a place is in the district that is written, with all that is written of its ward. */
const isExact = ({ ward }: OfficialPlace, written: PlaceText) =>
  !isBlank(written.district) && (isBlank(written.ward) || plainName(ward ?? '') === plainName(written.ward ?? ''));

function missingIn(tree: LocationTree, written: PlaceText): 'ward' | 'district' | 'former ward' {
  if (isBlank(written.ward)) return 'ward';
  const { listed, former } = readings(tree, written);
  return former.length > 0 && listed.every((place) => former.some((each) => isSame(each, place)))
    ? 'former ward'
    : 'district';
}

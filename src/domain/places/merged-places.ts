import { findPlace } from './place-index.ts';
import { foldedName, provinceStem, stemOf } from './place-name.ts';
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
  return names.flatMap((name) => {
    const found = matchDistrict(province, name);
    if (found.kind === 'found') return [found.place];
    return found.kind === 'ambiguous' ? found.candidates : [];
  });
}

const isBlank = (text: string | null | undefined) => (text ?? '').trim() === '';

/** The wards that a text names in a district; where the list has none of it, the text itself. */
function wardsNamed(district: District, text: string): readonly string[] {
  if (district.wards.length === 0) return [text];
  const found = findPlace(wardsOf(district), text);
  if (found.kind === 'found') return [found.place.name];
  return found.kind === 'ambiguous' ? found.candidates.map(({ name }) => name) : [];
}

function placesInProvince(province: Province, district: string, ward: string): readonly OfficialPlace[] {
  const named = { kind: 'found', province: province.name } as const;
  if (isBlank(district)) {
    const found = findPlace(wardsOfProvince(province), ward);
    const all = found.kind === 'found' ? [found.place] : found.kind === 'ambiguous' ? found.candidates : [];
    return all.map((place) => ({ ...named, district: place.district.name, ward: place.ward.name }));
  }
  return districtsNamed(province, district).flatMap((one): readonly OfficialPlace[] => {
    if (isBlank(ward)) return [{ ...named, district: one.name }];
    return wardsNamed(one, ward).map((name) => ({ ...named, district: one.name, ward: name }));
  });
}

/**
 * The places of our list that a ward of today was made of, in the provinces and the district that are named; none if
 * today has no ward of that name.
 */
function formerWards(tree: LocationTree, { province, district, ward }: PlaceText): readonly OfficialPlace[] {
  const provinces = provincesNamed(tree, province ?? '');
  const [own] = provinces;
  if (own === undefined || isBlank(ward)) return [];
  const stem = provinceStem(own.name);
  const wards = tree.wardsOfToday?.().get(mergedByName().whole.get(stem) ?? stem);
  const match = wards === undefined ? undefined : findPlace(wards, ward ?? '');
  if (match?.kind !== 'found') return [];
  return match.place.former.filter((place) => {
    const inside = provinces.find(({ name }) => name === place.province);
    if (inside === undefined || isBlank(district)) return inside !== undefined;
    return districtsNamed(inside, district ?? '').some(({ name }) => name === place.district);
  });
}

const isSame = (one: PlaceText, other: PlaceText) => placeLabel(one) === placeLabel(other);

/** The places of our list that have the names written, and the wards that a ward of today of that name was made of. */
function readings(tree: LocationTree, { province, district, ward }: PlaceText) {
  const written = province ?? '';
  const above = isBlank(district) && isThuDucCity(written) ? written : (district ?? '');
  const listed = provincesNamed(tree, written).flatMap((one) => placesInProvince(one, above, ward ?? ''));
  const former = formerWards(tree, { province, district: above, ward });
  return { listed, former };
}

/**
 * Every place of our list that names of today may mean; without a district, in any of the province. A ward of today
 * that has the name of a listed one elsewhere is both.
 */
export function placesOfToday(tree: LocationTree, written: PlaceText): readonly OfficialPlace[] {
  const { listed, former } = readings(tree, written);
  const isAmong = listed.some((place) => former.some((each) => isSame(each, place)));
  return isAmong || (listed.length > 0 && !isBlank(written.district)) ? listed : [...listed, ...former];
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
  if (isListed && !isCity && !isBlank(written.district)) return undefined;
  const candidates = placesOfToday(tree, written);
  const [place, another] = candidates;
  if (place === undefined) return undefined;
  if (another !== undefined) return { kind: 'ambiguous', candidates, missing: missingIn(tree, written) };
  return isListed && !isCity && isSame(asWritten, place) ? undefined : { kind: 'found', place };
}

function missingIn(tree: LocationTree, written: PlaceText): 'ward' | 'district' | 'former ward' {
  if (isBlank(written.ward)) return 'ward';
  return readings(tree, written).listed.length === 0 ? 'former ward' : 'district';
}

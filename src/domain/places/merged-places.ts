import { findPlace } from './place-index.ts';
import { foldedName, stemOf } from './place-name.ts';
import {
  type District,
  type LocationTree,
  matchDistrict,
  matchPlace,
  matchProvince,
  type OfficialPlace,
  type PlaceText,
  type Province,
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

const partsByStem = new Map(Object.entries(merged).map(([name, parts]) => [foldedName(name), parts]));

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
  const { stem } = stemOf(foldedName(own.place.name), 'province');
  const parts = (partsByStem.get(stem) ?? []).flatMap((name) => {
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

/** Every place of our list that names of today may mean; without a district, in any of the province. */
export function placesOfToday(tree: LocationTree, { province, district, ward }: PlaceText): readonly OfficialPlace[] {
  const written = province ?? '';
  const above = isBlank(district) && isThuDucCity(written) ? written : (district ?? '');
  return provincesNamed(tree, written).flatMap((one) => placesInProvince(one, above, ward ?? ''));
}

/** What a place with names that are newer than our list means there. */
export type MergedMatch =
  | { readonly kind: 'found'; readonly place: OfficialPlace }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly OfficialPlace[] };

/**
 * Finds a place whose names are newer than our list: in the city of Thủ Đức, or in a province that others were merged
 * into. Undefined if the list has the place as it is written, or none that fits.
 */
export function matchMerged(tree: LocationTree, written: PlaceText): MergedMatch | undefined {
  const isCity = [written.district, written.province].some((text) => isThuDucCity(text ?? ''));
  const asWritten = matchPlace(tree, written);
  const isListed = asWritten.kind === 'found';
  if (isListed && !isCity && !isBlank(written.district)) return undefined;
  const candidates = placesOfToday(tree, written);
  const [place, another] = candidates;
  if (place === undefined) return undefined;
  if (another !== undefined) return { kind: 'ambiguous', candidates };
  const isSame = isListed && !isCity && asWritten.district === place.district && asWritten.ward === place.ward;
  return isSame ? undefined : { kind: 'found', place };
}

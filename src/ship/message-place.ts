import {
  districtsNamed,
  isThuDucCity,
  placesOfToday,
  provincesNamed,
  sameNamed,
} from '../domain/places/merged-places.ts';
import { foldedName, provinceStem, stemOf, tight } from '../domain/places/place-name.ts';
import { abbreviates } from '../domain/places/place-suggest.ts';
import {
  districtsOfCountry,
  type LocationTree,
  type PlaceText,
  type Province,
  placeLabel,
} from '../domain/places/places.ts';

/** A word of a message; `begins` says that a comma, a line end or the like stands before it. */
export interface Word {
  readonly text: string;
  readonly begins: boolean;
}

/** A place in a message: which words name it, and its official names. */
export interface MessagePlace {
  /** The first word of the place, and the one behind it. */
  readonly from: number;
  readonly to: number;
  readonly province: string;
  readonly district?: string;
  readonly ward?: string;
  /** The ward of today as it is written, where the former one of its name is taken. */
  readonly wardOfToday?: string;
  /** Whether the ward of today that is written was made of others as well, which nobody knows. */
  readonly isPartial?: true;
  /** Its district belonged to another province than the one that is named: one of the named province counts more. */
  readonly isPart?: boolean;
}

const MOST_WORDS = 6;
const MARKS = /[,;|\n\t]+|\s-+\s/u;
/** Hyphens around a name with its unit, as in "P.12-Q.3-TPHCM". */
const HYPHENED =
  /-(?=(?:p|q|h|tp|tx|tt|x|phường|quận|huyện|xã|thành|tỉnh|phuong|quan|huyen|xa|thanh|tinh)(?:[.\s\d]|hcm))|(?<=(?<![\p{L}\d])(?:p|q|h|tp|tx|tt|x|phường|quận|huyện|xã)[.\s][^,;|\n-]{1,30})-(?=\p{L})/giu;
/** Names that have a hyphen of their own. */
const OWN_HYPHENS =
  /(?<!\p{L})(rịa|ria|thiên|thien|rang|hương|huong|ly|biang|viên|vien|trường|truong|mây|may|miếu|mieu)\s*-+\s*(?=v[ũu]ng|hu[ếe]|th[áa]p|[đd][àa]\s*l[ạa]t|l[ăa]ng\s*c[ôo]|qu[ốo]c\s*t[ửu])/giu;

/** The words of a text. */
export function wordsIn(text: string): Word[] {
  return text
    .replaceAll(OWN_HYPHENS, '$1 ')
    .replaceAll(HYPHENED, ', ')
    .split(MARKS)
    .flatMap((piece) =>
      piece
        .split(/\s+/u)
        .filter((word) => word !== '')
        .map((word, index) => ({ text: word, begins: index === 0 })),
    );
}

export const textOf = (words: readonly Word[], from: number, to: number): string =>
  words
    .slice(from, to)
    .map(({ text, begins }, index) => (index === 0 ? text : `${begins ? ', ' : ' '}${text}`))
    .join('');

/** The ways to begin a name that ends before `to`, the longest first; it is not divided by a comma. */
function startsOf(words: readonly Word[], to: number): number[] {
  const starts: number[] = [];
  for (let from = to - 1; from >= 0 && to - from <= MOST_WORDS; from -= 1) {
    starts.unshift(from);
    if (words[from]?.begins === true) break;
  }
  return starts;
}

/** Whether words name their unit ("p. Bến Nghé"), or are all that stands between two commas. */
const isMarked = (words: readonly Word[], from: number, level: 'district' | 'ward', text: string) =>
  words[from]?.begins === true || stemOf(foldedName(text), level).unit !== undefined;

/** Whether words that have no unit are the name of a district: "Tân Bình, HCM" is the district, not a ward of that name. */
function namesDistrict(tree: LocationTree, province: string, text: string): boolean {
  const [own] = provincesNamed(tree, province);
  return (
    own !== undefined && stemOf(foldedName(text), 'ward').unit === undefined && districtsNamed(own, text).length > 0
  );
}

/** How places are read: a ward of today is the former one of its name where that is said. */
export interface PlaceReading {
  readonly newWards?: 'same-name' | undefined;
  /** Whether all of a text is an address: a second whole place in it may be the one that is meant. */
  readonly isAddress?: boolean | undefined;
}

/** The places of our list that names of today mean. */
function placesMeant(tree: LocationTree, written: PlaceText & { readonly ward: string }, { newWards }: PlaceReading) {
  const places = placesOfToday(tree, written);
  const same = newWards === undefined || places.length < 2 ? undefined : sameNamed(tree, written);
  return same === undefined ? places : [{ ...same, wardOfToday: written.ward }];
}

function wardsBefore(
  tree: LocationTree,
  words: readonly Word[],
  place: MessagePlace,
  how: PlaceReading,
): MessagePlace[] {
  const { province, district } = place;
  return startsOf(words, place.from).flatMap((from): MessagePlace[] => {
    const ward = words
      .slice(from, place.from)
      .map((word) => word.text)
      .join(' ');
    if (!isMarked(words, from, 'ward', ward)) return [];
    if (district === undefined && namesDistrict(tree, province, ward)) return [];
    const found = placesMeant(tree, { province, district, ward }, how);
    return found.flatMap((each) =>
      // The province is exact where a district is written.
      district === undefined || each.province === province ? [{ ...place, ...each, from }] : [],
    );
  });
}

/** The city that a province has its name from, where the text says that it is one: "TP Thái Nguyên". */
const citiesOf = (province: Province, text: string) =>
  stemOf(foldedName(text), 'district').unit === 'thanh pho' && province.name.startsWith('Tỉnh')
    ? districtsNamed(province, text).map(({ name }) => name)
    : [];

/** The letters of a text and its marks, wherever these stand: "Hoá" is "Hóa", "Huệ" is not "Huế". */
function spelled(text: string) {
  const letters = text.toLowerCase().normalize('NFD');
  return { letters: letters.replaceAll(/\p{M}/gu, ''), marks: (letters.match(/\p{M}/gu) ?? []).sort().join('') };
}

/** Whether words within a piece are no province: the name of a ward ("phường Sài Gòn, TPHCM"), or spelled otherwise ("22 Nguyễn Huệ"). */
function isOther(words: readonly Word[], from: number, text: string, { name }: Province): boolean {
  if (words[from]?.begins !== false) return false;
  if (/^(?:p|phường)\.?$/iu.test(words[from - 1]?.text ?? '')) return true;
  const written = spelled(text);
  const own = spelled(name.split(' ').slice(-text.split(' ').length).join(' '));
  return written.marks !== '' && written.letters === own.letters && written.marks !== own.marks;
}

const THU_DUC = 'Quận Thủ Đức';

/** "Thủ Đức" may be the city of today: a ward of it may be of its other districts. */
const partsOfThuDuc = (province: Province, places: readonly MessagePlace[]): MessagePlace[] =>
  places
    .filter(({ district }) => district === THU_DUC)
    .flatMap((place) => districtsNamed(province, 'TP Thủ Đức').map(({ name }) => ({ ...place, district: name })));

/** The places whose province ends before `to`; a shorter name of a province within a longer one does not count. */
function placesEndingAt(tree: LocationTree, words: readonly Word[], to: number, how: PlaceReading): MessagePlace[] {
  for (const from of startsOf(words, to)) {
    const text = words
      .slice(from, to)
      .map((word) => word.text)
      .join(' ');
    const provinces = provincesNamed(tree, text);
    const [own] = provinces;
    if (own === undefined || isOther(words, from, text, own)) continue;
    const alone: MessagePlace = { from, to, province: own.name };
    if (isThuDucCity(text)) {
      const inCity = districtsNamed(own, text).map(({ name }) => ({ ...alone, district: name }));
      return [...inCity, ...inCity.flatMap((place) => wardsBefore(tree, words, place, how))];
    }
    const inDistrict = startsOf(words, from).flatMap((start): MessagePlace[] => {
      const district = words
        .slice(start, from)
        .map((word) => word.text)
        .join(' ');
      return provinces.flatMap((province) =>
        districtsNamed(province, district).map(({ name }) => {
          const isPart = province !== own;
          return { ...alone, from: start, province: province.name, district: name, ...(isPart && { isPart }) };
        }),
      );
    });
    const named = [...citiesOf(own, text).map((district) => ({ ...alone, district })), ...inDistrict];
    const around = [alone, ...named, ...partsOfThuDuc(own, inDistrict)];
    return [alone, ...named, ...around.flatMap((place) => wardsBefore(tree, words, place, how))];
  }
  return [];
}

/** The places of a ward and its district without their province, where the whole country has one such place. */
function placesWithoutProvince(tree: LocationTree, words: readonly Word[]): readonly MessagePlace[] {
  const all = words.flatMap((_, index) =>
    startsOf(words, index + 1).flatMap((from) => {
      const text = textOf(words, from, index + 1);
      const inDistrict = (/\p{L}/u.test(text) ? districtsOfCountry(tree, text) : []).map(({ province, district }) => ({
        from,
        to: index + 1,
        province: province.name,
        district: district.name,
      }));
      return inDistrict.flatMap((place) => wardsBefore(tree, words, place, {}));
    }),
  );
  return bestOf(all);
}

const levelsOf = ({ district, ward }: MessagePlace) => (district === undefined ? 0 : 1) + (ward === undefined ? 0 : 1);

/** The one place that words name best; several where they name more than one equally well; none if there is none. */
export const placesIn = (tree: LocationTree, words: readonly Word[], how: PlaceReading = {}): readonly MessagePlace[] =>
  bestOf(
    words.flatMap((_, index) => placesEndingAt(tree, words, index + 1, how)),
    how.isAddress,
  );

/** A word by which a text may mean a province: "ĐN", "KH.", "hp". */
const SHORT = /^\p{L}{2,3}\.?$/u;

/** The provinces that a word may be short for. */
const provincesShort = (tree: LocationTree, { text, begins }: Word): readonly Province[] =>
  SHORT.test(text) && (begins || text === text.toUpperCase())
    ? tree.provinces.filter(({ name }) => abbreviates(tight(foldedName(text)), provinceStem(name).split(' ')))
    : [];

/** The places of a ward and its district with an abbreviation of their province behind them: "Nam Dương, Hải Châu, ĐN". */
function placesOfShort(tree: LocationTree, words: readonly Word[], how: PlaceReading): readonly MessagePlace[] {
  const all = words.flatMap((word, at) =>
    provincesShort(tree, word).flatMap(({ name }) =>
      placesEndingAt(tree, words.with(at, { ...word, text: name }), at + 1, how),
    ),
  );
  return bestOf(all.filter(({ district, ward }) => district !== undefined && ward !== undefined));
}

/**
 * The places that words name. Without a province in words a ward and its district are one where only one province of that abbreviation has
 * them, or the whole country has them once and nothing behind them may be its province; `near` may be meant otherwise.
 */
export function placesNamed(
  tree: LocationTree,
  words: readonly Word[],
  how: PlaceReading,
): { readonly places: readonly MessagePlace[]; readonly near: readonly MessagePlace[] } {
  const places = placesIn(tree, words, how);
  if (places.length > 0) return { places, near: [] };
  const short = placesOfShort(tree, words, how);
  const near = short.length > 0 ? short : placesWithoutProvince(tree, words);
  const [only, another] = near;
  const next = only && words[only.to];
  const mayGoOn =
    next !== undefined &&
    (how.isAddress === true || /^\p{Lu}/u.test(next.text) || provincesShort(tree, next).length > 0);
  const isSure =
    only !== undefined && another === undefined && only.isPartial !== true && (short.length > 0 || !mayGoOn);
  return isSure ? { places: near, near: [] } : { places, near };
}

function bestOf(all: readonly MessagePlace[], isAddress = false): readonly MessagePlace[] {
  const rank = (place: MessagePlace) =>
    levelsOf(place) * 100 + (place.to - place.from) - (place.isPart === true ? 0.5 : 0);
  const most = Math.max(...all.map(rank));
  const best = all.filter((place) => rank(place) === most);
  const [first] = best;
  // Another place that is as whole, and stands elsewhere, is no part of it.
  const isApart = (place: MessagePlace) =>
    first !== undefined &&
    place.ward !== undefined &&
    levelsOf(place) >= levelsOf(first) &&
    place.province !== first.province &&
    (place.to <= first.from || place.from >= first.to);
  if (isAddress) best.push(...all.filter(isApart));
  return [...new Map(best.map((place) => [placeLabel(place), place])).values()];
}

/** The provinces that a part of a text may mean by its abbreviation, and the places that it means with the part before it. */
export interface ShortProvince {
  readonly written: string;
  readonly provinces: readonly string[];
  readonly places: readonly PlaceText[];
}

/** The abbreviations of provinces in the parts of a text: "Thanh Khê, ĐN", "Điện Bàn, Q. Nam"; undefined if there are none. */
export function shortProvinceIn(tree: LocationTree, parts: readonly string[]): ShortProvince | undefined {
  const found = parts.flatMap((written, at): ShortProvince[] => {
    const folded = foldedName(written);
    const hasInitial = /^(?:[a-z] [a-z]+|[a-z]+ [a-z])$/.test(folded);
    if (!hasInitial && !/^[a-z]{2,3}$/.test(folded)) return [];
    const named = tree.provinces.filter(({ name }) => abbreviates(tight(folded), provinceStem(name).split(' ')));
    const before = parts[at - 1] ?? '';
    const places = named.flatMap((province) =>
      districtsNamed(province, before).map((district) => ({ province: province.name, district: district.name })),
    );
    const isSaid =
      places.length > 0 || (at === parts.length - 1 && at > 0 && (hasInitial || written === written.toUpperCase()));
    return named.length > 0 && isSaid ? [{ written, provinces: named.map(({ name }) => name), places }] : [];
  });
  return found.at(-1);
}

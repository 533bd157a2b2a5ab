import { editDistance } from '../likeness.ts';
import { districtsNamed, isThuDucCity, placesOfToday, provincesNamed } from './merged-places.ts';
import { placesInAddress } from './place-in-address.ts';
import { findPlace, type IndexedPlace, type PlaceIndex } from './place-index.ts';
import { foldedName, provinceByOtherName, stemOf, tight, withoutLeadingZeros } from './place-name.ts';
import {
  type District,
  districtsOf,
  type LocationTree,
  matchDistrict,
  type Province,
  provincesOf,
  wardsOf,
  wardsOfProvince,
} from './places.ts';

/** A place to suggest, in official names, as deep as the text goes. */
export interface PlaceSuggestion {
  province: string;
  district?: string;
  ward?: string;
}

interface Scored<Value> {
  value: Value;
  score: number;
}

/** Longer text names no place; the limit keeps the distances cheap for any input. */
const longestText = 120;

/**
 * Entries of one level that `text` may mean, best first, at most `limit`: equal, matching by prefix, abbreviated by
 * initials, or misspelt by a few letters. Empty text returns the first entries, so that a wizard has a list to show.
 */
export function nearNames(index: PlaceIndex<unknown>, text: string, limit = 8): string[] {
  const names = best(near(index, text, ({ name }) => name));
  return [...new Set(names)].slice(0, limit);
}

/**
 * The entries of one level that a text means in the same way, at most `limit`: one that is abbreviated is not misspelt, and no entry is
 * named where so many others may be meant.
 */
export function namesMeant(index: PlaceIndex<unknown>, text: string, limit: number): string[] {
  const typed = readingsOf(index, text).map(tight);
  const scored = near(index, text, (entry) => entry);
  const least = Math.min(...scored.map(({ score }) => score));
  const isAbbreviated = ({ stem }: IndexedPlace<unknown>) =>
    typed.some((one) => one.length > 1 && abbreviates(one, stem.split(' ')));
  const hasInitial = /(?<!\p{L})\p{L}(?!\p{L})/u.test(text.normalize('NFC'));
  const meant = [
    scored.filter(({ score, value }) => score <= 1 || isAbbreviated(value)),
    scored.filter(({ score }) => score <= hasWord),
    hasInitial ? [] : scored.filter(({ score }) => score === least),
  ].find((some) => some.length > 0);
  const names = [...new Set(meant?.map(({ value }) => value.name))];
  return names.length > limit ? [] : names;
}

/**
 * Suggests places for fragments as people type them, smallest or largest first ("q2 hcm", "p thảo điền q2 tphcm", "ha
 * noi cau giay"), best first, at most `limit`. Without a province all provinces are searched, and wards only in the
 * districts that the text names.
 */
export function suggestPlaces(tree: LocationTree, text: string, limit = 8): PlaceSuggestion[] {
  return differing(suggested(tree, wordsOf(text))).slice(0, limit);
}

function suggested(tree: LocationTree, words: string[]): Scored<PlaceSuggestion>[] {
  if (words.length === 0) return [];
  const named = withProvince(tree, words);
  return named.length > 0 ? named : withoutProvince(tree, words);
}

/**
 * What somebody who is asked again may have meant: the places of `suggestPlaces`, and wards of exactly that name in any
 * province; if there are none, those whose district or province is misspelt by a letter or two, and those for the text
 * after a street and its comma.
 */
export function guessPlaces(tree: LocationTree, text: string, limit = 8): PlaceSuggestion[] {
  const words = wordsOf(text);
  const named = differing([...suggested(tree, words), ...wardsOfCountry(tree, words)]);
  if (named.length > 0) return named.slice(0, limit);
  const guessed = differing(misspeltOutside(tree, words));
  if (guessed.length > 0) return guessed.slice(0, limit);
  const comma = text.slice(0, longestText).indexOf(',');
  return comma < 0 ? [] : guessPlaces(tree, text.slice(comma + 1), limit);
}

/** A place, and the street that was written before it; empty if none was. */
export interface AddressSuggestion {
  readonly place: PlaceSuggestion;
  readonly street: string;
  /** Whether a ward of today was written that several were made into, none of them of its name: none is nearer than another. */
  readonly isOneOfSeveral: boolean;
}

/** Whether the words name a ward of today, with its unit, that was made of several of other names. */
const namesSeveral = (tree: LocationTree, words: string[]): boolean =>
  splits(words).some(({ outer, inner }) => {
    const ward = inner.join(' ');
    const { stem, unit } = stemOf(foldedName(ward), 'ward');
    if (unit === undefined || provincesNamed(tree, outer).length === 0) return false;
    const places = placesOfToday(tree, { province: outer, ward });
    const named = places.map((place) => stemOf(foldedName(place.ward ?? ''), 'ward'));
    return places.length > 1 && !named.some((one) => one.stem === stem && one.unit === unit);
  });

/** The guesses for the longest end of the text, after a comma, for which there are any; what precedes it is the street. */
function guessAddresses(tree: LocationTree, text: string, limit: number): AddressSuggestion[] {
  const parts = text.slice(0, longestText).split(',');
  for (const start of parts.keys()) {
    const places = guessPlaces(tree, parts.slice(start).join(' '), limit);
    const street = parts.slice(0, start).join(',').trim();
    if (places.length === 0) continue;
    const isOneOfSeveral = namesSeveral(tree, wordsOf(parts.slice(start).join(' ')));
    return places.map((place) => ({ place, street, isOneOfSeveral }));
  }
  return [];
}

/**
 * What somebody meant who typed or pasted a place, or a whole address on one line: `guessPlaces` with the street before
 * it. An address with all its levels in their order comes first.
 */
export function suggestAddresses(tree: LocationTree, text: string, limit = 8): AddressSuggestion[] {
  const written = placesInAddress(tree, text.slice(0, longestText));
  const { address1: street = '', ...place } = written ?? { province: '' };
  const exact = written === undefined ? [] : [{ place, street, isOneOfSeveral: false }];
  const guessed = guessAddresses(tree, text, limit);
  const all = written?.ward === undefined ? [...guessed, ...exact] : [...exact, ...guessed];
  return [...new Map(all.toReversed().map((each) => [JSON.stringify(each.place), each])).values()]
    .toReversed()
    .slice(0, limit);
}

const wordsOf = (text: string): string[] =>
  text
    .slice(0, longestText)
    .normalize('NFC')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const differing = (found: Scored<PlaceSuggestion>[]) => [
  ...new Map(best(found).map((place) => [JSON.stringify(place), place])).values(),
];

/** Takes some words as a possibly misspelt province, and the others as a possibly misspelt district. */
function misspeltOutside(tree: LocationTree, words: string[]): Scored<PlaceSuggestion>[] {
  return splits(words).flatMap(({ outer, inner }) => {
    if (inner.length === 0) return [];
    return slightlyWrong(provincesOf(tree), outer).flatMap(({ value: province, score }) =>
      [...districtsNear(province, inner, slightlyWrongDistricts), ...wardsAnywhere(province, inner)].map((found) => ({
        ...found,
        score: found.score + score,
      })),
    );
  });
}

/** The places that a text names, or misses by one letter; long names by two letters, or by their end. */
function slightlyWrong<Place>(index: PlaceIndex<Place>, text: string): Scored<Place>[] {
  const isLong = text.length >= 8;
  const isSlight = (score: number) =>
    score <= 1 || (isLong && score === begins) || (score > misspelt && score <= misspelt + (isLong ? 2 : 1));
  return near(index, text, ({ place }) => place).filter(({ score }) => isSlight(score));
}

const slightlyWrongDistricts = (province: Province, text: string) => slightlyWrong(districtsOf(province), text);

/** The districts that a text names exactly: several for the city of Thủ Đức. */
function rightly(province: Province, text: string): Scored<District>[] {
  if (isThuDucCity(text)) return districtsNamed(province, text).map((value) => ({ value, score: 0 }));
  const match = matchDistrict(province, text);
  return match.kind === 'found' ? [{ value: match.place, score: 0 }] : [];
}

/** Takes the last or the first words as the province and searches it for the rest. */
function withProvince(tree: LocationTree, words: string[]): Scored<PlaceSuggestion>[] {
  return splits(words).flatMap(({ outer, inner }) => {
    const [own, ...parts] = provincesNamed(tree, outer);
    if (own === undefined) return [];
    if (inner.length === 0) return [{ value: { province: own.name }, score: 0 }];
    const inParts = parts.flatMap((part) => [...districtsNear(part, inner), ...wardsAnywhere(part, inner)]);
    const certain = inParts.filter(({ score }) => score <= begins);
    const newer = placesOfToday(tree, { province: outer, ward: inner.join(' ') }).map(({ kind: _, ...value }) => ({
      value,
      score: begins,
    }));
    return [...districtsNear(own, inner), ...wardsAnywhere(own, inner), ...certain, ...newer];
  });
}

function withoutProvince(tree: LocationTree, words: string[]): Scored<PlaceSuggestion>[] {
  return [
    ...near(provincesOf(tree), words.join(' '), ({ name }) => ({ province: name })),
    ...tree.provinces.flatMap((province) => districtsNear(province, words)),
  ];
}

/**
 * The districts that the words may mean and, if some of the words name a district, the wards in it that the rest may
 * mean.
 */
function districtsNear(
  province: Province,
  words: string[],
  named: (province: Province, text: string) => Scored<District>[] = rightly,
): Scored<PlaceSuggestion>[] {
  const names = { province: province.name };
  const districts: Scored<PlaceSuggestion>[] = near(districtsOf(province), words.join(' '), ({ name }) => ({
    ...names,
    district: name,
  }));
  const wards = splits(words).flatMap(({ outer, inner }) => {
    if (inner.length === 0) return [];
    return named(province, outer).flatMap(({ value: district, score }) =>
      near(wardsOf(district), inner.join(' '), ({ name }) => ({ ...names, district: district.name, ward: name })).map(
        (found) => ({ ...found, score: found.score + score }),
      ),
    );
  });
  return [...districts, ...wards];
}

/** Wards of any district, by prefix only: by distance alone a province would offer dozens. */
function wardsAnywhere(province: Province, words: string[]): Scored<PlaceSuggestion>[] {
  const wards = near(wardsOfProvince(province), words.join(' '), ({ place }) => ({
    province: province.name,
    district: place.district.name,
    ward: place.ward.name,
  }));
  return wards.filter(({ score }) => score <= begins).map(({ value, score }) => ({ value, score: score + 1 }));
}

/** Letters that a ward is found by alone: fewer begin the names of dozens. */
const FEWEST_LETTERS = 5;

/** A name with its number as wards have it: "hai chau 1" is Hải Châu I; a number alone stays. */
const romanAtEnd = (text: string): string =>
  text.replace(
    /(?<=\p{L}{2,} )0?([1-5])$/u,
    (_, digit: string) => ['I', 'II', 'III', 'IV', 'V'][Number(digit) - 1] ?? '',
  );

/**
 * Wards of exactly that name, or whose name begins so; a number, which hundreds have for one, tells none of them.
 */
function wardsOfCountry(tree: LocationTree, words: string[]): Scored<PlaceSuggestion>[] {
  const text = romanAtEnd(words.join(' '));
  if (/\d/.test(text)) return [];
  const { stem } = stemOf(foldedName(text), 'ward');
  return tree.provinces.flatMap((province) => {
    const index = wardsOfProvince(province);
    const match = findPlace(index, text);
    const found = match.kind === 'found' ? [match.place] : match.kind === 'ambiguous' ? match.candidates : [];
    const begun =
      tight(stem).length < FEWEST_LETTERS ? [] : index.spellings.entries.filter((ward) => ward.stem.startsWith(stem));
    const scored = ({ district, ward }: (typeof found)[number], score: number) => ({
      value: { province: province.name, district: district.name, ward: ward.name },
      score,
    });
    return [...found.map((place) => scored(place, 1)), ...begun.map(({ place }) => scored(place, hasWord))];
  });
}

/** Every way to split words in two, the outer part at the end or (with something left) at the front. */
function splits(words: string[]): { outer: string; inner: string[] }[] {
  const cuts = words.map((_, at) => ({ outer: words.slice(at).join(' '), inner: words.slice(0, at) }));
  const fronts = words.slice(1).map((_, at) => ({
    outer: words.slice(0, at + 1).join(' '),
    inner: words.slice(at + 1),
  }));
  return [...cuts, ...fronts];
}

const begins = 2;
const hasWord = 3;
const misspelt = 3;
const anything = 9;
const otherUnit = 2;

/** What a text may be folded to: with its unit, without it, and another name for it. */
function readingsOf({ level }: PlaceIndex<unknown>, text: string): string[] {
  const folded = foldedName(text.slice(0, longestText));
  const { stem } = stemOf(folded, level);
  const other = level === 'province' ? (provinceByOtherName(folded) ?? provinceByOtherName(stem)) : undefined;
  const roman = level === 'ward' ? foldedName(romanAtEnd(stem)) : stem;
  return [...new Set([withoutLeadingZeros(folded), stem, other ?? stem, roman])];
}

function near<Place, Value>(
  index: PlaceIndex<Place>,
  text: string,
  toValue: (entry: IndexedPlace<Place>) => Value,
): Scored<Value>[] {
  const readings = readingsOf(index, text);
  // "P Thanh Xuân" is rather a ward of a city than the commune of that name.
  const { unit } = index.level === 'ward' ? stemOf(foldedName(text.slice(0, longestText)), 'ward') : {};
  return index.spellings.entries.flatMap((entry) => {
    const near = readings[0] === '' ? anything : Math.min(...readings.map((reading) => scoreOf(entry, reading)));
    const score = unit === undefined || entry.unit === unit ? near : near + otherUnit;
    return score === Number.POSITIVE_INFINITY ? [] : [{ value: toValue(entry), score }];
  });
}

/** Whether a text without spaces has the beginning of each word, as "qnam", "hbt" and "namtl" have. */
export function abbreviates(text: string, [word = '', ...others]: readonly string[]): boolean {
  if (others.length === 0) return text !== '' && word.startsWith(text);
  for (let length = 1; length <= word.length && word[length - 1] === text[length - 1]; length += 1)
    if (abbreviates(text.slice(length), others)) return true;
  return false;
}

/** How far an entry is from a folded text: 0 is equal, infinity means no match. */
function scoreOf(entry: IndexedPlace<unknown>, text: string): number {
  if (text === entry.stem || text === entry.folded) return 0;
  const typed = tight(text);
  const stem = tight(entry.stem);
  if (typed === stem) return 1;
  // "1" is a prefix of "10" and close to "11" only by accident: numbers are either equal or different.
  if (/^\d+$/.test(typed) || /^\d+$/.test(stem)) return Number.POSITIVE_INFINITY;
  if (entry.stem.startsWith(text)) return begins;
  if (typed.length > 1 && abbreviates(typed, entry.stem.split(' '))) return hasWord;
  if (` ${entry.stem}`.includes(` ${text}`)) return hasWord;
  const allowed = typed.length < 4 ? 1 : typed.length < 8 ? 2 : 3;
  const distance = editDistance(typed, stem, allowed);
  return distance <= allowed ? misspelt + distance : Number.POSITIVE_INFINITY;
}

function best<Value>(found: Scored<Value>[]): Value[] {
  return [...found].sort((left, right) => left.score - right.score).map(({ value }) => value);
}

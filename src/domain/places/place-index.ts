import {
  foldedName,
  otherSpellings,
  type PlaceLevel,
  plainName,
  provinceByOtherName,
  stemOf,
  tight,
  tonedName,
  withoutLeadingZeros,
} from './place-name.ts';

/**
 * The result of a search at one level: one place, none, or several that the text does not distinguish. A caller never
 * gets a silent choice between two places.
 */
export type PlaceMatch<Place> =
  | { kind: 'found'; place: Place }
  | { kind: 'ambiguous'; candidates: Place[] }
  | { kind: 'not_found' };

/** A place with its name in the spellings that the stages compare. */
export interface IndexedPlace<Place> {
  place: Place;
  name: string;
  folded: string;
  stem: string;
  unit: string | undefined;
}

/** The places of one level, looked up by any of the three spellings in constant time. */
export interface PlaceIndex<Place> {
  readonly level: PlaceLevel;
  readonly byPlain: ReadonlyMap<string, readonly Place[]>;
  /** The other spellings, read at their first use: most texts are official names. */
  readonly spellings: Spellings<Place>;
}

interface Spellings<Place> {
  readonly entries: readonly IndexedPlace<Place>[];
  readonly byFolded: ReadonlyMap<string, IndexedPlace<Place>[]>;
  readonly byStem: ReadonlyMap<string, IndexedPlace<Place>[]>;
  /** By the stem without spaces ("hanoi"), for provinces only: too many wards would collide. */
  readonly byTightStem: ReadonlyMap<string, IndexedPlace<Place>[]>;
}

/** Indexes `places` by the official name that `nameOf` returns; names are read once. */
export function indexPlaces<Place>(
  level: PlaceLevel,
  places: readonly Place[],
  nameOf: (place: Place) => string,
): PlaceIndex<Place> {
  let spellings: Spellings<Place> | undefined;
  return {
    level,
    byPlain: grouped(places, (place) => plainName(nameOf(place))),
    get spellings() {
      spellings ??= spellingsOf(level, places, nameOf);
      return spellings;
    },
  };
}

function spellingsOf<Place>(
  level: PlaceLevel,
  places: readonly Place[],
  nameOf: (place: Place) => string,
): Spellings<Place> {
  const entries = places.map((place): IndexedPlace<Place> => {
    const name = nameOf(place);
    const folded = foldedName(name);
    return { place, name, folded, ...stemOf(folded, level) };
  });
  return {
    entries,
    byFolded: grouped(entries, ({ folded }) => folded),
    byStem: grouped(entries, ({ stem }) => stem),
    byTightStem: grouped(level === 'province' ? entries : [], ({ stem }) => tight(stem)),
  };
}

/**
 * Finds the place that `text` names: the first of the three stages with a hit decides (decisions, section 9). If
 * several places hit, the typed unit decides ("TP Cao Lãnh" is not a Huyện), then the typed diacritics; otherwise the
 * result is ambiguous.
 */
export function findPlace<Place>(index: PlaceIndex<Place>, text: string): PlaceMatch<Place> {
  const official = index.byPlain.get(plainName(text)) ?? [];
  const [only] = official;
  if (only !== undefined && official.length === 1) return { kind: 'found', place: only };
  const folded = foldedName(text);
  if (folded === '') return { kind: 'not_found' };
  const typed = stemOf(folded, index.level);
  const { entries, byFolded } = index.spellings;
  const named = only === undefined ? [] : entries.filter(({ place }) => official.includes(place));
  const hits = named.length > 0 ? named : (byFolded.get(folded) ?? byStem(index, folded, typed.stem));
  if (hits.length <= 1) return settle(hits);
  const ofUnit = some(hits, ({ unit }) => unit === typed.unit);
  return settle(isAscii(text) ? ofUnit : some(ofUnit, (entry) => soundsAlike(entry, text)));
}

/**
 * The text without a prefix is first tried as it is, since some names begin like a prefix ("Phương Liên", "Xà Phìn", "P
 * Rao"). Both readings count; if both hit, the match is ambiguous until narrowing distinguishes them.
 */
function byStem<Place>(index: PlaceIndex<Place>, folded: string, stem: string): IndexedPlace<Place>[] {
  const keys = [...new Set([withoutLeadingZeros(folded), stem])];
  const hits = keys.flatMap((key) => index.spellings.byStem.get(key) ?? []);
  if (hits.length > 0) return hits;
  if (index.level !== 'province') {
    const other = new Set(keys.flatMap((key) => [otherNumeral(key), ...otherSpellings(key, index.level)]));
    return [...other].flatMap((key) => index.spellings.byStem.get(key) ?? []);
  }
  const others = keys.flatMap((key) => provinceByOtherName(key) ?? []);
  return [...new Set([...others, ...keys].flatMap((key) => index.spellings.byTightStem.get(tight(key)) ?? []))];
}

const roman = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'];

/** A folded name with its number in the other numerals: "hai chau 1" is "hai chau i". */
function otherNumeral(folded: string): string {
  return folded.replace(/(?<= )(?:[1-9]|10|[ivx]+)$/, (number) => {
    const value = roman.indexOf(number) + 1;
    return value > 0 ? String(value) : (roman[Number(number) - 1] ?? number);
  });
}

function settle<Place>(hits: IndexedPlace<Place>[]): PlaceMatch<Place> {
  const [first, second] = hits;
  if (!first) return { kind: 'not_found' };
  if (!second) return { kind: 'found', place: first.place };
  return { kind: 'ambiguous', candidates: hits.map(({ place }) => place) };
}

/** The hits that satisfy `test`, or all of them if none does: a hint narrows the choice but never empties it. */
function some<Item>(hits: Item[], test: (hit: Item) => boolean): Item[] {
  const left = hits.filter(test);
  return left.length > 0 ? left : hits;
}

/** Text without diacritics gives no hint about them: "cam thanh" may well mean "Cam Thành". */
function isAscii(text: string): boolean {
  return /^[\u0000-\u007f]*$/.test(text);
}

function soundsAlike(entry: IndexedPlace<unknown>, text: string): boolean {
  const words = entry.stem.split(' ').length;
  const stem = tonedName(entry.name).split(' ').slice(-words).join(' ');
  return ` ${tonedName(text)}`.endsWith(` ${stem}`);
}

/** Map.groupBy, which Node 20 lacks. */
function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

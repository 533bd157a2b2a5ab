/** The three levels of a place, as GetLocationList nests them (contract, Account, location, version). */
export type PlaceLevel = 'province' | 'district' | 'ward';

/**
 * The spellings of each administrative unit, folded, by level (decisions, section 9). The key is the unit as official
 * names write it; `huyen dao` is no unit of its own in the official names.
 */
const units: Record<PlaceLevel, Record<string, readonly string[]>> = {
  province: { tinh: ['tinh', 't'], 'thanh pho': ['thanh pho', 'tp', 't p'] },
  district: {
    quan: ['quan', 'q'],
    huyen: ['huyen dao', 'hd', 'h d', 'huyen', 'h'],
    'thanh pho': ['thanh pho', 'tp', 't p'],
    'thi xa': ['thi xa', 'tx', 't x'],
  },
  ward: { phuong: ['phuong', 'p'], xa: ['xa', 'x'], 'thi tran': ['thi tran', 'tt', 't t'] },
};

/** Longest first, so that "t p" is not read as "t"; only before a space or a digit, so that "t" spares "Thái Bình". */
const prefixes: Record<PlaceLevel, { unit: string; pattern: RegExp }[]> = {
  province: prefixPatterns('province'),
  district: prefixPatterns('district'),
  ward: prefixPatterns('ward'),
};

/** Short names of provinces that no rule yields, without spaces → the name without its prefix (decisions, section 9). */
export const provinceAliases: ReadonlyMap<string, string> = new Map([
  ['hn', 'ha noi'],
  ['hcm', 'ho chi minh'],
  ['tphcm', 'ho chi minh'],
  ['brvt', 'ba ria vung tau'],
]);

function prefixPatterns(level: PlaceLevel): { unit: string; pattern: RegExp }[] {
  return Object.entries(units[level])
    .flatMap(([unit, spellings]) => spellings.map((spelling) => ({ unit, spelling })))
    .sort((left, right) => right.spelling.length - left.spelling.length)
    .map(({ unit, spelling }) => ({ unit, pattern: new RegExp(`^${spelling}(?: |(?=\\d))`) }));
}

/** Stage 1 of the comparison: trimmed, lower case, composed (NFC). */
export function plainName(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** Stage 2: also without diacritics, đ as d, and each run of other characters one space. */
export function foldedName(text: string): string {
  return spaced(text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/[đð]/g, 'd'));
}

/** Stage 3: a folded name without its administrative prefix and leading zeros; `unit` is the prefix's, if any. */
export function stemOf(folded: string, level: PlaceLevel): { stem: string; unit: string | undefined } {
  const prefix = prefixes[level].find(({ pattern }) => pattern.test(folded));
  const stem = prefix ? folded.replace(prefix.pattern, '') : folded;
  return { stem: withoutLeadingZeros(stem), unit: prefix?.unit };
}

/** "phuong 01" → "phuong 1"; the zero of "10" and a lone "0" stay. */
export function withoutLeadingZeros(folded: string): string {
  return folded.replace(/(?<!\S)0+(?=\d)/g, '');
}

/**
 * A name with its diacritics but with each tone at the end of its word, for the two ways to place a tone ("Hòa",
 * "Hoà") are one word. Tells names apart that folding makes equal.
 */
export function tonedName(text: string): string {
  return spaced(
    text
      .toLowerCase()
      .normalize('NFD')
      .replace(/[\p{L}\p{M}]+/gu, (word) => word.replace(tones, '') + (word.match(tones) ?? []).join('')),
  );
}

const tones = /[\u0300\u0301\u0303\u0309\u0323]/g;

function spaced(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
}

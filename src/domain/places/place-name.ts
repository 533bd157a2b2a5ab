/** The three levels of a place, nested as in GetLocationList (contract, Account, location, version). */
export type PlaceLevel = 'province' | 'district' | 'ward';

/**
 * The folded spellings of each administrative unit, by level (decisions, section 9). The key is the unit as official
 * names spell it; `huyen dao` is not a separate unit in the official names.
 */
const units: Record<PlaceLevel, Record<string, readonly string[]>> = {
  province: { tinh: ['tinh', 't'], 'thanh pho': ['thanh pho', 'tp', 't p'] },
  district: {
    quan: ['quan', 'q'],
    huyen: ['huyen dao', 'hd', 'h d', 'huyen', 'h'],
    'thanh pho': ['thanh pho', 'tp', 't p'],
    'thi xa': ['thi xa', 'tx', 't x'],
  },
  ward: { phuong: ['phuong', 'p', 'f'], xa: ['xa', 'x'], 'thi tran': ['thi tran', 'tt', 't t'] },
};

/** English words for units, before or after a name: "District 1", "Tan Binh District". */
const englishUnits: Record<PlaceLevel, Record<string, string>> = {
  province: { province: 'tinh', city: 'thanh pho' },
  district: { district: 'huyen', city: 'thanh pho', town: 'thi xa' },
  ward: { ward: 'phuong', commune: 'xa', town: 'thi tran' },
};

/**
 * Longest first, so that "t p" is not read as "t"; only before a space or a digit, so that "t" does not match "Thái
 * Bình".
 */
const prefixes: Record<PlaceLevel, { unit: string; pattern: RegExp }[]> = {
  province: prefixPatterns('province'),
  district: prefixPatterns('district'),
  ward: prefixPatterns('ward'),
};

const suffixes: Record<PlaceLevel, { unit: string; pattern: RegExp }[]> = {
  province: suffixPatterns('province'),
  district: suffixPatterns('district'),
  ward: suffixPatterns('ward'),
};

/**
 * Other names of provinces that no rule derives, without spaces, keyed by the name without its prefix (decisions,
 * section 9).
 */
const provinceNames: Readonly<Record<string, readonly string[]>> = {
  'ha noi': ['hn'],
  'ho chi minh': ['hcm', 'tphcm', 'hcmc', 'saigon', 'sg', 'tpsg'],
  'ba ria vung tau': ['brvt', 'bariavt', 'baria', 'vungtau'],
  'thua thien hue': ['hue', 'tthue', 'tth', 'thuathien'],
  'dak lak': ['daclac', 'darlac', 'daklac', 'daclak'],
  'dak nong': ['dacnong'],
  'bac kan': ['baccan'],
};

const provinceByName: ReadonlyMap<string, string> = new Map(
  Object.entries(provinceNames).flatMap(([stem, names]) => names.map((name) => [name, stem])),
);

/**
 * The stem of the province for which a folded text is another name ("sai gon", "hue", "br-vt"); undefined if there is
 * none.
 */
export function provinceByOtherName(folded: string): string | undefined {
  return provinceByName.get(tight(folded));
}

/** Other names of districts that no rule derives, by what is typed, folded. */
const districtNames: Readonly<Record<string, string>> = {
  bmt: 'buon ma thuot',
  'buon me thuot': 'buon ma thuot',
  'ban me thuot': 'buon ma thuot',
  'phan rang': 'phan rang thap cham',
};

/** Where y and i are one vowel: alone behind a consonant at the end of a word, unlike those of "lay" and "lai". */
const lastVowel = (vowel: string) => new RegExp(`(?<=[b-df-hj-np-tvwxz]|qu)${vowel}(?= |$)`, 'g');

/** A folded name of a district or ward as it is written too: "quy nhon" is "qui nhon". */
export function otherSpellings(folded: string, level: PlaceLevel): string[] {
  const name = level === 'district' ? districtNames[folded] : undefined;
  const spelled = [folded.replace(lastVowel('y'), 'i'), folded.replace(lastVowel('i'), 'y')];
  return [...spelled.filter((one) => one !== folded), ...(name === undefined ? [] : [name])];
}

/** A folded name without spaces: "hanoi" and "ha noi" become equal. */
export function tight(folded: string): string {
  return folded.replaceAll(' ', '');
}

function prefixPatterns(level: PlaceLevel): { unit: string; pattern: RegExp }[] {
  const english = Object.entries(englishUnits[level]).map(([spelling, unit]) => ({ unit, spelling }));
  return Object.entries(units[level])
    .flatMap(([unit, spellings]) => spellings.map((spelling) => ({ unit, spelling })))
    .concat(english)
    .sort((left, right) => right.spelling.length - left.spelling.length)
    .map(({ unit, spelling }) => ({ unit, pattern: new RegExp(`^${spelling}(?: |(?=\\d))`) }));
}

function suffixPatterns(level: PlaceLevel): { unit: string; pattern: RegExp }[] {
  return Object.entries(englishUnits[level]).map(([word, unit]) => ({ unit, pattern: new RegExp(` ${word}$`) }));
}

/** Stage 1 of the comparison: trimmed, lower case, NFC. */
export function plainName(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** Stage 2: also without diacritics, đ as d, and each run of other characters replaced by one space. */
export function foldedName(text: string): string {
  return spaced(text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/[đð]/g, 'd'));
}

/** Stage 3: a folded name without its administrative words and leading zeros; `unit` is the unit they name, if any. */
export function stemOf(folded: string, level: PlaceLevel): { stem: string; unit: string | undefined } {
  const prefix = prefixes[level].find(({ pattern }) => pattern.test(folded));
  const named = prefix ? folded.replace(prefix.pattern, '') : folded;
  const suffix = suffixes[level].find(({ pattern }) => pattern.test(named));
  const stem = suffix ? named.replace(suffix.pattern, '') : named;
  return { stem: withoutLeadingZeros(stem), unit: prefix?.unit ?? suffix?.unit };
}

/** A province's name without its unit, folded: "Thành phố Đà Nẵng" is "da nang". */
export const provinceStem = (name: string): string => stemOf(foldedName(name), 'province').stem;

/** "phuong 01" → "phuong 1"; "10" and a lone "0" keep their zero. */
export function withoutLeadingZeros(folded: string): string {
  return folded.replace(/(?<!\S)0+(?=\d)/g, '');
}

/**
 * A name with its diacritics, but with each tone mark moved to the end of its word, since the two conventions for
 * placing it ("Hòa", "Hoà") mean the same word. Distinguishes names that folding makes equal.
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

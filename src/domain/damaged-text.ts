import { rememberingTexts } from './canonical-text.ts';
import { say } from './texts.ts';

/** What Vietnamese syllables begin with. */
const INITIALS = 'b|ch|c|d|đ|gh|gi|g|h|kh|k|l|m|ngh|ng|nh|n|ph|p|qu|q|r|s|th|tr|t|v|x';

/** What they end with, without a tone, by their first vowel. */
const RHYMES = [
  'a(?:ch|c|i|m|nh|ng|n|o|p|t|u|y)?',
  'ă(?:c|m|ng|n|p|t)',
  'â(?:c|m|ng|n|p|t|u|y)',
  'e(?:ch|c|m|ng|n|o|p|t)?',
  'ê(?:ch|m|nh|n|p|t|u)?',
  'i(?:a|ch|m|nh|n|p|t|u|ê(?:c|m|ng|n|p|t|u))?',
  'o(?:a(?:ch|c|i|m|nh|ng|n|o|p|t|y)?|ă(?:c|m|ng|n|t)|e(?:n|o|t)?|c|i|m|ng|n|p|t|oc|ong)?',
  'ô(?:c|i|m|ng|n|p|t)?',
  'ơ(?:i|m|n|p|t)?',
  'u(?:a|â(?:n|ng|t|y)|ê(?:ch|n|nh|u)?|ô(?:c|i|m|n|ng|t)|ơ|c|i|m|ng|n|p|t|y(?:a|ch|ê(?:n|t)|n|nh|p|t|u)?)?',
  'ư(?:a|c|i|ng|n|t|u|ơ(?:c|i|m|ng|n|p|t|u))?',
  'y(?:ê(?:m|n|ng|t|u)|m|n|nh|t)?',
].join('|');

const syllable = new RegExp(`^(?:${INITIALS})?(?:${RHYMES})$`);

/** The marks of the five tones. */
const tones = /[\u0300\u0301\u0303\u0309\u0323]/g;

/** The words of a text, of two letters or more and without tones. */
function wordsIn(text: string): readonly string[] {
  const plain = text.normalize('NFD').replaceAll(tones, '').normalize('NFC').toLowerCase();
  return plain.split(/[^\p{L}]+/u).filter((word) => word.length > 1);
}

/** How many words are built as Vietnamese syllables are. */
const syllablesOf = (words: readonly string[]): number => words.filter((word) => syllable.test(word)).length;

const syllablesIn = (text: string): number => syllablesOf(wordsIn(text));

/** Letters by the characters that stand for them, each pair apart by a blank. */
const table = (pairs: string): ReadonlyMap<string, string> =>
  new Map(pairs.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const));

/** TCVN3 (the fonts ".Vn…"): one character for each letter. */
const TCVN3 = table(
  '\u00adư µà ¸á ¶ả ·ã ¹ạ ¨ă »ằ ¾ắ ¼ẳ ½ẵ Æặ ©â Çầ Êấ Èẩ Éẫ Ëậ Ìè Ðé Îẻ Ïẽ Ñẹ ªê Òề Õế Óể Ôễ Öệ ×ì Ýí Øỉ Üĩ Þị ßò ãó áỏ âõ äọ «ô åồ èố æổ çỗ éộ ¬ơ êờ íớ ëở ìỡ îợ ïù óú ñủ òũ ôụ õừ øứ öử ÷ữ ùự úỳ ýý ûỷ üỹ þỵ ®đ §Đ ¡Ă ¢Â £Ê ¤Ô ¥Ơ ¦Ư',
);

/** VNI: a letter and a character for its marks. */
const VNI = table(
  'aøà aùá aûả aõã aïạ aââ aàầ aáấ aåẩ aãẫ aäậ aêă aèằ aéắ aúẳ aüẵ aëặ eøè eùé eûẻ eõẽ eïẹ eâê eàề eáế eåể eãễ eäệ oøò oùó oûỏ oõõ oïọ oâô oàồ oáố oåổ oãỗ oäộ ôøờ ôùớ ôûở ôõỡ ôïợ uøù uùú uûủ uõũ uïụ öøừ öùứ öûử öõữ öïự yøỳ yùý yûỷ yõỹ ôơ öư îỵ æỉ óĩ òị ñđ',
);

const tcvn3 = /[\u00a1-\u00fe]/g;
const vni = /[aeouyôö][\u00e0-\u00fc]|[ôöîæóòñ]/g;

/** Letters that only Unicode has: whoever wrote one did not use a font of former times. */
const ofToday = /[\u0102\u0103\u0110\u0111\u0128\u0129\u0168\u0169\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]/;
/** Characters of Latin-1 that are no letters, and stand for some in those fonts: without them no reading has more words. */
const symbols = /[\u00a1-\u00bf\u00d7\u00f7]/;
const mayBeLegacy = /\p{L}[\u00a1-\u00fe]|[\u00a1-\u00fe]\p{L}/u;
/** Units of measure, and not letters: 5 µm. */
const units = /(?<!\p{L})µ[a-z](?!\p{L})/giu;

/**
 * The encoding of the former fonts in which a text was written, if reading it by that makes more of its words Vietnamese
 * syllables than there are; undefined otherwise.
 */
export const legacyOf = (text: string): 'TCVN3' | 'VNI' | undefined =>
  ofToday.test(text) ? undefined : legacyIn(text.replaceAll(/\d+/g, '0'));

/** The same of a text whose numbers are all one, since streets and houses differ in them alone. */
const legacyIn = rememberingTexts((text): 'TCVN3' | 'VNI' | undefined => {
  if (!mayBeLegacy.test(text)) return undefined;
  const given = text.replaceAll(units, '');
  const words = wordsIn(given);
  const own = syllablesOf(words);
  if (own === words.length && !symbols.test(given)) return undefined;
  const byTcvn3 = syllablesIn(given.replaceAll(tcvn3, (one) => TCVN3.get(one) ?? one));
  const byVni = syllablesIn(given.toLowerCase().replaceAll(vni, (one) => VNI.get(one) ?? one));
  if (Math.max(byTcvn3, byVni) <= own) return undefined;
  return byTcvn3 > byVni ? 'TCVN3' : 'VNI';
});

/**
 * Characters that nobody sees and that make another text: NUL, soft hyphens, zero-width characters, marks of direction
 * and of bytes. A joiner holds an emoji together, and is taken only outside of one.
 */
const unseen = /[\0\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;
const joiners =
  /(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)[\u200c\u200d]|[\u200c\u200d](?!\p{Extended_Pictographic})/gu;
const mayHave = /[\0\u00ad\u061c\u200b-\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]/;

/** The text without characters that nobody sees; the same text if it has none. */
export function withoutUnseen(text: string): string {
  return mayHave.test(text) ? text.replaceAll(unseen, '').replaceAll(joiners, '') : text;
}

/** Whether a text has characters that nobody sees. */
export const hasUnseen = (text: string): boolean => withoutUnseen(text) !== text;

/** Bytes of UTF-8 that were read as Windows-1252: its characters from 0x80 to 0x9F, by code. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** The byte that Windows-1252 shows as a character; undefined if it has none. */
function byteOf(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
  const place = WINDOWS_1252.indexOf(character);
  return place < 0 ? undefined : 0x80 + place;
}

const VIETNAMESE = /[àáâãèéêìíòóôõùúýăđĩũơưạ-ỹ]/iu;
const mayBeMisread = /[\u00c2-\u00c6\u00e1\u00e2][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/;

/** Whether a text is UTF-8 that was read as Windows-1252: decoding it back gives valid text with Vietnamese letters. */
function isMisread(text: string): boolean {
  if (!mayBeMisread.test(text)) return false;
  const bytes = [...text].map(byteOf);
  if (bytes.some((byte) => byte === undefined)) return false;
  try {
    const whole = Uint8Array.from(bytes.flatMap((byte) => byte ?? []));
    return VIETNAMESE.test(new TextDecoder('utf-8', { fatal: true }).decode(whole));
  } catch {
    return false;
  }
}

const beyondAscii = /[^\0-\x7f]/;

/** Why a text cannot be what was written: characters were lost, or read in a wrong encoding; undefined if it can. */
export function damageOf(text: string): string | undefined {
  if (!beyondAscii.test(text)) return undefined;
  if (text.includes('\ufffd')) return say().damage.lost;
  if (isMisread(text)) return say().damage.misread;
  const legacy = legacyOf(text);
  return legacy && say().damage.legacy({ font: legacy });
}

/** Whether a message is about how a file was written, which is wrong in every cell of a column alike. */
export function isOfWholeColumn(message: string): boolean {
  const { masked, lost, misread, legacy } = say().damage;
  return [masked, lost, misread, legacy({ font: 'TCVN3' }), legacy({ font: 'VNI' })].includes(message);
}

/** Whether a marketplace hides a text: two or more `*`. */
export const isMasked = (text: string): boolean => text.includes('*') && /\*.*\*/s.test(text);

/** Fields of people, places and goods, by the last step of their path. */
export const isOfPeople = rememberingTexts((name) =>
  /(?:^|_)(?:name|phone)$|^(?:address1?|full|ward|district|province|recipient)$/.test(name),
);

/** What programs write where there is no value, and people in no text; "Nan" is a name. */
const NO_VALUE = /^(?:nan|NaN|NAN|<NA>|null|Null|NULL|NaT|undefined)$/;
/** The same in a name, of goods too, a phone number or an address. */
const NOTHING = /^(?:[nN][oO][nN][eE]|[nN]\/[aA]|[nN][iI][lL]|[-–—._…/\s]+)$/;

/** Whether a text of such a field is what is written where there is no value. */
export const isNoValue = (name: string, text: string): boolean =>
  NO_VALUE.test(text) || (NOTHING.test(text) && isOfPeople(name));

/** What people write for "the same as above", as a whole text. */
const DITTO =
  /^[-–—\s.(]*(?:nt|n\.t|đt|(?:y |giống )?như (?:(?:dòng|đơn|hàng|ô) )?trên|nhu (?:dong )?tren|(?:y|giống) trên|ditto|same as above|["“”″〃]|'')[-–—\s.)]*$/iu;

/** Whether a text stands for that of the row above it. */
export const isDitto = (text: string): boolean => DITTO.test(text.normalize('NFC'));

import { legacyOf } from './legacy-fonts.ts';

/**
 * Characters that nobody sees and that make another text: NUL, soft hyphens, zero-width characters, marks of direction
 * and of bytes. A joiner holds an emoji together, and is taken only outside of one.
 */
const unseen = /[\0\u00ad\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;
const joiners =
  /(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)[\u200c\u200d]|[\u200c\u200d](?!\p{Extended_Pictographic})/gu;
const mayHave = /[\0\u00ad\u200b-\u200d\u2060\ufeff\u202a-\u202e\u2066-\u2069]/;

/** The text without characters that nobody sees; the same text if it has none. */
export function withoutUnseen(text: string): string {
  return mayHave.test(text) ? text.replaceAll(unseen, '').replaceAll(joiners, '') : text;
}

/** Whether a text has characters that nobody sees. */
export const hasUnseen = (text: string): boolean => withoutUnseen(text) !== text;

/** What is said of a text that had some. */
export const UNSEEN_REMOVED = 'has characters that nobody sees; they are removed';

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
const mayBeMisread = /[\u00c2-\u00c6\u00e1\u00e2][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/u;

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

/** Why a text cannot be what was written: characters were lost, or read in a wrong encoding; undefined if it can. */
export function damageOf(text: string): string | undefined {
  if (text.includes('\ufffd')) return 'is damaged text: characters are lost; get the file once more, as UTF-8';
  if (isMisread(text)) return 'is damaged text: UTF-8 that was read in another encoding; save the file as UTF-8';
  const legacy = legacyOf(text);
  return legacy && `is written for a font of former times (${legacy}): convert it to Unicode`;
}

/** What is said of a text that a marketplace hides. */
export const MASKED = 'is hidden by the marketplace: write it in full';

/** Whether a message is about how a file was written, which is wrong in every cell of a column alike. */
export const isOfWholeColumn = (message: string): boolean =>
  message === MASKED || /^is (?:damaged text|written for a font of former times)\b/.test(message);

/** Whether a marketplace hides a text: two or more `*`. */
export const isMasked = (text: string): boolean => /\*.*\*/s.test(text);

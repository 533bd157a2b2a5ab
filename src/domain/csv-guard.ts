/**
 * What a spreadsheet takes for a formula: also after spaces, and in the full-width and small forms (OWASP, "CSV
 * Injection"); and our own mark.
 */
const formula = String.raw`(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]|[\t\r\n'])`;
const dangerous = new RegExp(`^${formula}`);
const plainNumber = /^-?\d+(?:\.\d+)?$/;
/** Also what a spreadsheet keeps as text; one that ends within the text is a quotation mark. */
const guarded = new RegExp(`^'(?=${formula}|\\d|[^']*$)`, 's');

/**
 * The text with a leading `'` where a spreadsheet would evaluate it. Numbers such as -5 stay; `unguard` reverses it.
 */
export function guard(text: string): string {
  return dangerous.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** Digits that a spreadsheet does not keep as typed: ids beyond its precision, phone numbers that begin with 0 or +. */
const storedDigits = /^(?:0\d+|\+\d{6,}|\d{12,})$/;
/** A text as other programs write it for Excel; a quote in it is doubled. */
const asText = /^="((?:[^"]|"")*)"$/;

/**
 * Writes the text so that Excel keeps it: digits that it would round or truncate become text, anything else is written
 * by `otherwise`.
 */
function forExcel(text: string, otherwise: (text: string) => string): string {
  return storedDigits.test(text) ? `="${text}"` : otherwise(text);
}

/** UTF-8 with this mark at its start is recognised by Excel, and without it is not. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** How csv is written: with formulas guarded unless `csvGuard` is false, and for Excel if it is asked for. */
export interface CsvStyle {
  /** False writes cells unchanged, even if a spreadsheet would run them as a formula. */
  readonly csvGuard?: boolean;
  /** Whether it is written for Excel: UTF-8 with a byte order mark, and digits as text. */
  readonly forExcel?: boolean;
}

/** The function that writes the text of a csv cell in this manner, before it is quoted. */
export function cellWriter({ csvGuard, forExcel: keepsDigits }: CsvStyle): (text: string) => string {
  const guarded = csvGuard === false ? (text: string) => text : guard;
  return keepsDigits === true ? (text) => forExcel(text, guarded) : guarded;
}

/**
 * The original text that was passed to `guard` or `forExcel`, or that another program marked as text: `="…"`, and a `'`
 * before it. Any other text, `'Hoa' size 3` included, is returned unchanged.
 */
export function unguard(text: string): string {
  // Both begin with one of these: most texts with neither.
  if (!text.startsWith("'") && !text.startsWith('=')) return text;
  return asText.exec(text)?.[1]?.replaceAll('""', '"') ?? text.replace(guarded, '');
}

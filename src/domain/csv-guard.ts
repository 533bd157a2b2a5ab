/**
 * What a spreadsheet takes for a formula: behind blanks, and in the full-width and small forms too (OWASP, "CSV
 * Injection"); and our own mark.
 */
const formula = String.raw`(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]|[\t\r\n'])`;
const dangerous = new RegExp(`^${formula}`);
const plainNumber = /^-?\d+(?:\.\d+)?$/;
const guarded = new RegExp(`^'(?=${formula})`);

/** The text with a `'` before it where a spreadsheet would run it. Numbers such as -5 stay; `unguard` takes it back. */
export function guard(text: string): string {
  return dangerous.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** Digits that a spreadsheet does not keep as a number: ids beyond its precision, phone numbers that begin with 0 or +. */
const keptDigits = /^(?:0\d+|\+\d{6,}|\d{12,})$/;
const asText = /^="([+\d]*)"$/;

/** The text as Excel keeps it: digits that it would round or cut as a text, anything else as `otherwise` writes it. */
export function forExcel(text: string, otherwise: (text: string) => string): string {
  return keptDigits.test(text) ? `="${text}"` : otherwise(text);
}

/** The text that `guard` or `forExcel` was given; any other text as it is, `'tis` included. */
export function unguard(text: string): string {
  return asText.exec(text)?.[1] ?? text.replace(guarded, '');
}

import { say } from '../texts.ts';
import { findJsonFault } from './json-fault.ts';

/**
 * Thrown for text that is not JSON. `line` and `column` are 1-based (UTF-16 units, a leading BOM not counted); the
 * message names the fault and its place and never quotes the text, which may hold secrets.
 */
export class JsonSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(fault: string, line: number, column: number) {
    super(say().json.at({ fault, line, column }));
    this.name = 'JsonSyntaxError';
    this.line = line;
    this.column = column;
  }
}

/**
 * Like JSON.parse, but an integer literal beyond the safe range becomes a string of its digits: ids have 19 digits and
 * must never be a JavaScript number (decisions, section 2). Numbers with a fraction or an exponent stay numbers. A
 * leading byte order mark is skipped. Throws JsonSyntaxError.
 */
export function parseJson(text: string): unknown {
  return readJson(text).value;
}

/** The value of `parseJson`, and whether the text may hold integers that became text. Throws JsonSyntaxError. */
export function readJson(text: string): { readonly value: unknown; readonly hadLongNumber: boolean } {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const hadLongNumber = holdsLongNumber(plain);
  try {
    return { value: JSON.parse(hadLongNumber ? quoteUnsafeIntegers(plain) : plain), hadLongNumber };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { fault, offset } = findJsonFault(plain);
    const before = plain.slice(0, offset).split(/\r\n|\r|\n/);
    throw new JsonSyntaxError(fault, before.length, (before.at(-1) ?? '').length + 1);
  }
}

/** Number of digits of the shortest integer beyond the safe range. */
const UNSAFE_DIGITS = 16;
const BEFORE_INTEGER = /[\s:,[-]/;

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/**
 * Whether a JSON text may hold an integer beyond the safe range, outside of its strings.
 *
 * Outside a string an integer follows the start, white space, or one of `:` `,` `[` `-`, and an unsafe one has at least
 * 16 digits: text without such a run can be parsed as it is. A quoted id is not a false positive, digits in prose may
 * be. A run that long includes one of every sixteenth position, so only those are checked.
 */
function holdsLongNumber(text: string): boolean {
  for (let at = UNSAFE_DIGITS - 1; at < text.length; at += UNSAFE_DIGITS) {
    if (!isDigit(text, at)) continue;
    let start = at;
    while (start > 0 && isDigit(text, start - 1)) start -= 1;
    while (isDigit(text, at)) at += 1;
    if (at - start >= UNSAFE_DIGITS && (start === 0 || BEFORE_INTEGER.test(text.charAt(start - 1)))) return true;
  }
  return false;
}

/**
 * The lookarounds keep invalid JSON invalid: a number as a key (`{1:2}`), with a leading zero, or inside a word is left
 * for JSON.parse to refuse, since quoting it would make the text valid.
 */
const longInteger = /(?<![^\s:,[])-?[1-9]\d{15,}(?![\d.eE]|\s*:)/g;

function quoteUnsafeIntegers(text: string): string {
  const pieces: string[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf('"', position);
    const end = open < 0 ? text.length : open;
    pieces.push(text.slice(position, end).replace(longInteger, quoteIfUnsafe));
    position = open < 0 ? end : endOfString(text, open);
    pieces.push(text.slice(end, position));
  }
  return pieces.join('');
}

function quoteIfUnsafe(digits: string): string {
  return Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`;
}

/** Index after the string that opens at `open`, or the end of the text if it never closes. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close >= 0) {
    let backslashes = 0;
    while (text[close - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return close + 1;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}

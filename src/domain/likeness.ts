import { say } from './texts.ts';

/**
 * Number of insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. Stops early
 * and returns `most + 1` once the distance exceeds `most`, so that long texts stay cheap.
 */
export function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...current) > most) return most + 1;
    before = above;
    above = current;
  }
  return Math.min(above[right.length] ?? 0, most + 1);
}

/**
 * The result of checking a text before it is sent: fine; unusual, which is reported but sent; or impossible, which is
 * refused. Notes and messages follow the field's name. `code` says of which kind a note is, and `meant` is the probable
 * intended text.
 */
export type Look =
  | { readonly kind: 'fine' }
  | { readonly kind: 'unusual'; readonly code: string; readonly note: string; readonly meant?: string }
  | { readonly kind: 'impossible'; readonly message: string };

export const fine: Look = { kind: 'fine' };

/** A text to report, by the code of what is said of it, with what was probably meant if that is known. */
export const unusual = (code: string, note: string, meant?: string): Look =>
  meant === undefined ? { kind: 'unusual', code, note } : { kind: 'unusual', code, note, meant };

/** A text to refuse. */
const impossible = (message: string): Look => ({ kind: 'impossible', message });

/** Separators allowed between the digits of a phone number. */
const MARKS = /[\s()./-]/gu;

/** What the service keeps behind the number of somebody who only tries it. */
const TEST_NUMBER = /-test$/;

const FEWEST_DIGITS = 7;
/** Most digits of a number with its country code (ITU-T E.164). */
const MOST_DIGITS = 15;

/** A mobile or landline number of the country, without its leading 0 or 84. */
const NATIONAL = /^(?:[35789]\d{8}|2\d{9})$/;
/** Call centre numbers; they cannot receive a parcel, but may be a shop's. */
const SERVICE_NUMBER = /^1[89]00\d{4,6}$/;

/** A phone number as its digits, in the way of the country: a leading 84 is a 0. */
export const nationalDigits = (text: string): string => text.replaceAll(/\D/g, '').replace(/^84(?=\d{9})/, '0');

/** A number with a decimal place, as programs write phone numbers that they took for amounts: 912345678.0. */
const DECIMAL = /^\s*-?\d{7,}\.\d$/;

/** The digits of a phone number before the decimals that a program gave it: 901234601.0, and 901234601,0. */
export const withoutDecimals = (text: string): string => text.replace(/^(\d{9,11})[.,]0$/, '$1');

/** A whole number with more behind a stroke: 0901234567/0912. */
const TWO_NUMBERS = /^(?:\D*\d){9,}\D*\/\D*\d/;

/** Whether a phone number was written by a program that took it for an amount: its point is none between digits. */
export const isDecimal = (text: string): boolean => DECIMAL.test(text);

/**
 * Checks a phone number as typed. Letters, and too few or too many digits, are impossible; a number without its leading
 * 0 and a foreign number are unusual. The number itself is sent as it was written.
 */
export function lookAtPhone(text: string): Look {
  const bare = text.trim().replace(TEST_NUMBER, '').replaceAll(MARKS, '');
  const digits = bare.replace(/^\+/, '');
  if (!/^\d+$/.test(digits)) return impossible(say().phone.characters);
  if (TWO_NUMBERS.test(text)) return impossible(say().phone.two);
  if (isDecimal(text)) return impossible(say().phone.decimal);
  if (digits.length < FEWEST_DIGITS)
    return impossible(say().phone.tooFew({ digits: digits.length, fewest: FEWEST_DIGITS }));
  if (digits.length > MOST_DIGITS) return impossible(say().phone.tooMany({ digits: digits.length, most: MOST_DIGITS }));
  if (bare.startsWith('+')) {
    if (!digits.startsWith('84')) return unusual('foreign_phone', say().phone.foreign);
    return NATIONAL.test(digits.slice(2)) ? fine : unusual('unusual_phone_84', say().phone.unusualBehind84);
  }
  if (SERVICE_NUMBER.test(digits)) return unusual('call_centre_phone', say().phone.callCentre);
  if (digits.startsWith('0') && NATIONAL.test(digits.slice(1))) return fine;
  if (digits.startsWith('84') && NATIONAL.test(digits.slice(2))) return fine;
  // Spreadsheets drop the leading 0; every number with it has at least ten digits, so this is unambiguous.
  if (/^[1-9]\d{8}$/.test(digits)) return unusual('phone_without_zero', say().phone.withoutZero, `0${digits}`);
  return unusual('unusual_phone', say().phone.unusual({ digits: digits.length, start: digits.slice(0, 2) }));
}

/** Year first with `-`, as in ISO 8601, or day first with any separator, as it is written in the country. */
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const DAY_FIRST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/;

/** The oldest plausible age. */
const MOST_YEARS = 130;

function exists(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * Checks a birthday as typed; `today` is like 2026-01-31. The service takes any text (decisions, section 1), so whatever
 * is no birthday is unusual, and never refused.
 */
export function lookAtBirthday(text: string, today: string): Look {
  const written = text.trim();
  const yearFirst = YEAR_FIRST.exec(written);
  const [, first, second, third] = yearFirst ?? DAY_FIRST.exec(written) ?? [];
  if (first === undefined) return /^\d{4}$/.test(written) ? fine : unusual('no_date', say().birthday.none);
  const [year = 0, month = 0, day = 0] = (yearFirst ? [first, second, third] : [third, second, first]).map(Number);
  if (!exists(year, month, day)) {
    if (!yearFirst && exists(year, day, month)) return unusual('month_first', say().birthday.monthFirst);
    return unusual('no_such_day', say().birthday.noSuchDay);
  }
  const iso = [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
  if (iso > today) return unusual('future_birthday', say().birthday.future);
  return year < Number(today.slice(0, 4)) - MOST_YEARS
    ? unusual('early_birthday', say().birthday.early({ years: MOST_YEARS }))
    : fine;
}

/** Something, an @, and a host with a dot: all that can be checked without asking the host. */
const ADDRESS =
  /^[^\s@<>(),;:"]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]*[\p{L}][\p{L}\p{N}-]*$/u;

/** The most common mail hosts, whose names are therefore mistyped most often. */
const hosts = ['gmail.com', 'yahoo.com', 'yahoo.com.vn', 'hotmail.com', 'outlook.com', 'icloud.com'];

/** The longest address (RFC 5321, a path of 256 including its angle brackets). */
const LONGEST_ADDRESS = 254;

/**
 * Checks an e-mail address as typed: one that cannot be valid is impossible, a host that nearly matches a known one is
 * unusual.
 */
export function lookAtEmail(text: string): Look {
  const address = text.trim();
  if (address.length > LONGEST_ADDRESS || !ADDRESS.test(address) || address.includes('..')) {
    return impossible(say().email.none);
  }
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1).toLowerCase();
  const near = hosts.includes(host) ? undefined : hosts.find((known) => editDistance(host, known, 1) <= 1);
  if (near === undefined) return fine;
  return unusual('unusual_email', say().email.atHost({ host }), `${address.slice(0, at)}@${near}`);
}

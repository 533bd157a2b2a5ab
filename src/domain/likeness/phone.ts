import { fine, impossible, type Look, unusual } from './likeness.ts';

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
  if (!/^\d+$/.test(digits)) return impossible('is not a phone number: it can only have digits, spaces and + ( ) . -');
  if (TWO_NUMBERS.test(text)) return impossible('is not a phone number: it may be two');
  if (isDecimal(text)) return impossible('is not a phone number: a program has added a decimal place');
  if (digits.length < FEWEST_DIGITS)
    return impossible(`is not a phone number: it has fewer than ${FEWEST_DIGITS} digits`);
  if (digits.length > MOST_DIGITS) return impossible(`is not a phone number: ${digits.length} digits are too many`);
  if (bare.startsWith('+')) {
    if (!digits.startsWith('84')) return unusual('foreign_phone', 'is a foreign number');
    return NATIONAL.test(digits.slice(2))
      ? fine
      : unusual('unusual_phone_84', 'is unusual for a number that begins with +84');
  }
  if (SERVICE_NUMBER.test(digits)) return unusual('call_centre_phone', 'is the number of a call centre');
  if (digits.startsWith('0') && NATIONAL.test(digits.slice(1))) return fine;
  if (digits.startsWith('84') && NATIONAL.test(digits.slice(2))) return fine;
  // Spreadsheets drop the leading 0; every number with it has at least ten digits, so this is unambiguous.
  if (/^[1-9]\d{8}$/.test(digits))
    return unusual('phone_without_zero', 'seems to have lost its leading 0', `0${digits}`);
  return unusual('unusual_phone', `is unusual: ${digits.length} digits, beginning with ${digits.slice(0, 2)}`);
}

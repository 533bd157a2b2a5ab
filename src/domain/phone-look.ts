import { fine, impossible, type Look, unusual } from './look.ts';

/** What may stand between the digits of a phone number. */
const MARKS = /[\s()./-]/gu;

const FEWEST_DIGITS = 7;
/** The most digits of a number with its country (ITU-T E.164). */
const MOST_DIGITS = 15;

/** A mobile number or a landline of the country, without its leading 0 or 84. */
const NATIONAL = /^(?:[35789]\d{8}|2\d{9})$/;
/** Numbers of call centres; they receive no parcel, but may be a shop's. */
const SERVICE_NUMBER = /^1[89]00\d{4,6}$/;

/**
 * Looks at a phone number as it is typed. Letters, too few and too many digits are impossible; a number that lost its
 * leading 0 and one of another country are unusual. The number itself is sent as it was written.
 */
export function lookAtPhone(text: string): Look {
  const bare = text.trim().replaceAll(MARKS, '');
  const digits = bare.replace(/^\+/, '');
  if (!/^\d+$/.test(digits)) return impossible('is not a phone number: it can only have digits, spaces and + ( ) . -');
  if (digits.length < FEWEST_DIGITS)
    return impossible(`is not a phone number: it has fewer than ${FEWEST_DIGITS} digits`);
  if (digits.length > MOST_DIGITS) return impossible(`is not a phone number: ${digits.length} digits are too many`);
  if (bare.startsWith('+')) {
    if (!digits.startsWith('84')) return unusual('is a foreign number');
    return NATIONAL.test(digits.slice(2)) ? fine : unusual('is unusual for a number that begins with +84');
  }
  if (SERVICE_NUMBER.test(digits)) return unusual('is the number of a call centre');
  if (digits.startsWith('0') && NATIONAL.test(digits.slice(1))) return fine;
  if (digits.startsWith('84') && NATIONAL.test(digits.slice(2))) return fine;
  // Spreadsheets take it off; every number with its 0 has ten digits or more, so that nothing else can be meant.
  if (/^[1-9]\d{8}$/.test(digits)) return unusual('seems to have lost its leading 0', `0${digits}`);
  return unusual(`is unusual: ${digits.length} digits, beginning with ${digits.slice(0, 2)}`);
}

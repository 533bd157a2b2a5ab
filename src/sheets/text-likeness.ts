import { isMasked, MASKED } from '../domain/damaged-text.ts';

/** Fields of people and places, which a marketplace hides behind asterisks. */
const isOfPeople = (name: string) =>
  /(?:^|_)(?:name|phone)$|^(?:address1?|full|ward|district|province|recipient)$/.test(name);

const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|thg ?\\d{1,2}';
/** What a spreadsheet makes of 12-3 and 3/12 where it writes a csv: the whole cell is a day of a month. */
const MADE_DAY = new RegExp(`^(?:\\d{1,2}-(?:${MONTHS})(?:-\\d{2,4})?|(?:${MONTHS})-\\d{2})$`, 'i');

/** Something unusual about a text that is sent nevertheless. */
interface Caution {
  readonly note: string;
  readonly code: string;
}

/** Why a text of a field is none of a person, whoever reads it; undefined if it may be one. */
export const hiddenIn = (name: string, text: string): string | undefined =>
  isOfPeople(name) && isMasked(text) ? MASKED : undefined;

/** What is unusual about a text: letters that were lost to "?", or a day where a text has none; undefined if nothing is. */
export function cautionOf(name: string, text: string, hasNoDays: boolean): Caution | undefined {
  if (isOfPeople(name) && /\p{L}\?\p{L}/u.test(text))
    return { note: 'has a "?" between letters: was a letter lost on its way?', code: 'lost_letter' };
  if (hasNoDays && MADE_DAY.test(text))
    return { note: 'looks like a date that a spreadsheet has made of it: is 12-3 or 3/12 meant?', code: 'made_a_date' };
  return undefined;
}

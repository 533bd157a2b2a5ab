import { momentOf } from '../declared/columns.ts';

const QUARTER_MS = 900_000;

/** The day of a moment, YYYY-MM-DD; empty for no moment. */
export type DayOf = (moment: unknown) => string;

/**
 * Days in a time zone. Every zone is a whole number of quarter hours away from UTC, so that one quarter hour is always
 * within one day. Throws a RangeError for an unknown zone.
 */
export function daysIn(timeZone: string): DayOf {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const known = new Map<number, string>();
  return (moment) => {
    const at = momentOf(moment);
    if (at === undefined) return '';
    const quarter = Math.floor(at / QUARTER_MS);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    if (known.size > 10_000) known.clear();
    const day = format.format(quarter * QUARTER_MS);
    known.set(quarter, day);
    return day;
  };
}

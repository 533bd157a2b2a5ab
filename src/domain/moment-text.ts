import { addDays, daysBetween, isDay, mondayOf } from './calendar.ts';

const MINUTE_MS = 60_000;
const units: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };

/** Ways to write a moment; ends messages about one that cannot be parsed. */
export const MOMENT_EXAMPLES =
  'a day such as 2026-02-03, 15/11/2026, today, yesterday or last-week, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m';

/** Days that people name by words: their first and last day, counted from today; a week begins on Monday. */
const named: Readonly<Record<string, (weekday: number) => readonly [first: number, last: number]>> = {
  today: () => [0, 0],
  yesterday: () => [-1, -1],
  'this-week': (weekday) => [-weekday, 6 - weekday],
  'last-week': (weekday) => [-weekday - 7, -weekday - 1],
};

/** A span of days in local time that a word names: its first moment, or its last with `end`. */
function namedMoment(text: string, now: number, end: boolean): number | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const span = Object.hasOwn(named, word) ? named[word] : undefined;
  if (span === undefined) return undefined;
  const today = new Date(now);
  const [first, last] = span((today.getDay() + 6) % 7);
  const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() + (end ? last + 1 : first));
  return end ? day.getTime() - 1 : day.getTime();
}

/**
 * Parses a moment as people write it, to milliseconds since 1970: a time with its zone, a day in local time (also as
 * 15/11/2026, the day first, or as a word), or a duration before `now`. A day means its first moment, or its last with `end`. Undefined for any other text, and for
 * days that do not exist.
 */
export function readMoment(text: string, now: number, end = false): number | undefined {
  const [, localDay = '', localMonth = '', localYear = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const written = localYear === '' ? text : `${localYear}-${localMonth.padStart(2, '0')}-${localDay.padStart(2, '0')}`;
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(written);
  if (day !== null) {
    const [year = 0, month = 0, date = 0] = day.slice(1).map(Number);
    const moment = end ? new Date(year, month - 1, date, 23, 59, 59, 999) : new Date(year, month - 1, date);
    return moment.getMonth() === month - 1 && moment.getDate() === date ? moment.getTime() : undefined;
  }
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/.test(text)) {
    const moment = Date.parse(text);
    return Number.isFinite(moment) ? moment : undefined;
  }
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return count === undefined ? namedMoment(text, now, end) : now - Number(count) * (units[unit] ?? 0);
}

/**
 * Parses a day as people write it, to YYYY-MM-DD: 2026-11-15, 15/11/2026 (the day first), or a word, counted from
 * `today`; a week means its first day, or its last with `end`. Undefined for any other text, and for days that do not exist.
 */
export function readDay(text: string, today: string, end = false): string | undefined {
  const [, date = '', month = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? [];
  const written = year === '' ? text.trim() : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (isDay(written)) return written;
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const span = Object.hasOwn(named, word) ? named[word] : undefined;
  return span === undefined ? undefined : addDays(today, span(daysBetween(mondayOf(today), today))[end ? 1 : 0]);
}

/** The first moment of the local day that contains `now`. */
export function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}

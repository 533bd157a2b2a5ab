import { addDays, dayInZone, daysBetween, isDay, mondayOf, startOfDayInZone } from './calendar.ts';
import { dayText } from './language.ts';
import { say } from './texts.ts';

const MINUTE_MS = 60_000;
const units: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };

/** Ways to write a moment. */
export const momentExamples = (): string => say().moments;

/** Days that people name by words: their first and last day, counted from today; a week begins on Monday. */
const named: Readonly<Record<string, (weekday: number) => readonly [first: number, last: number]>> = {
  today: () => [0, 0],
  yesterday: () => [-1, -1],
  'this-week': (weekday) => [-weekday, 6 - weekday],
  'last-week': (weekday) => [-weekday - 7, -weekday - 1],
};

/** Tells a person how a text was read. */
export type TellReading = (line: string) => void;

/**
 * Parses a moment as people write it, to milliseconds since 1970: a time with its zone, a day in the zone as `readDay`
 * takes it, or a duration before `now`. A day means its first moment, or its last with `end`. Undefined for any other
 * text, and for days that do not exist.
 */
export function readMoment(text: string, { now, timeZone, tell }: Asked, end = false): number | undefined {
  const day = readDay(text, dayInZone(now, timeZone), end, tell);
  if (day !== undefined) return end ? startOfDayInZone(addDays(day, 1), timeZone) - 1 : startOfDayInZone(day, timeZone);
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/.test(text)) {
    const moment = Date.parse(text);
    return Number.isFinite(moment) ? moment : undefined;
  }
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : now - Number(count) * (units[unit] ?? 0);
}

/**
 * Parses a day as people write it, to YYYY-MM-DD: 2026-11-15, 15/11/2026 (the day first), or a word, counted from
 * `today`; a week means its first day, or its last with `end`. 30/11 is the latest such day that is not in the future, where
 * a person can be told so. Undefined for any other text, and for days that do not exist.
 */
export function readDay(text: string, today: string, end = false, tell?: TellReading): string | undefined {
  const [, date = '', month = '', year = ''] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(text.trim()) ?? [];
  if (date !== '' && year === '')
    return tell && latestDay(`${month.padStart(2, '0')}-${date.padStart(2, '0')}`, today, tell);
  const written = year === '' ? text.trim() : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (isDay(written)) return written;
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const span = Object.hasOwn(named, word) ? named[word] : undefined;
  return span === undefined ? undefined : addDays(today, span(daysBetween(mondayOf(today), today))[end ? 1 : 0]);
}

/** A 29 February is found within so many years. */
const MOST_YEARS_BACK = 8;

/** The latest day of this month and date that is not after `today`, which is told; undefined if no year has it. */
function latestDay(monthAndDate: string, today: string, tell: TellReading): string | undefined {
  const years = Array.from({ length: MOST_YEARS_BACK + 1 }, (_, back) => Number(today.slice(0, 4)) - back);
  const day = years.map((year) => `${year}-${monthAndDate}`).find((one) => isDay(one) && one <= today);
  if (day !== undefined)
    tell(say().dayReadAs({ written: monthAndDate.split('-').reverse().join('/'), day: dayText(day) }));
  return day;
}

/** When a question is asked, in milliseconds since 1970, and in which zone its days are. */
export interface Asked {
  readonly now: number;
  readonly timeZone: string;
  readonly tell?: TellReading;
}

/** What a run is asked at. */
export const askedAt = ({ clock, settings, report }: Asking): Asked => ({
  now: clock.now(),
  timeZone: settings.tz.value,
  ...(report && { tell: (line: string) => report.notice(line) }),
});

interface Asking {
  readonly clock: { now(): number };
  readonly settings: { readonly tz: { readonly value: string } };
  readonly report?: { notice(line: string): void };
}

/** The last moment that a text covers, as `readMoment`; no duration or latest day of its name, which would be over. */
export function lastMomentOf(text: string, { now, timeZone }: Asked): number | undefined {
  return /^\d+[mhd]$/.test(text) ? undefined : readMoment(text, { now, timeZone }, true);
}

/** The first moment of the day of the zone that contains `now`. */
export function startOfDay(now: number, timeZone: string): number {
  return startOfDayInZone(dayInZone(now, timeZone), timeZone);
}

import { isDay, parseMoment, wallClock } from '../../domain/calendar.ts';

/** Days from the epoch of spreadsheets to that of Unix, in both systems. */
const EPOCH_DAYS = 25_569;
const EPOCH_DAYS_1904 = 24_107;
const DAY_SECONDS = 86_400;

/** Before 1 March 1900 the calendar of spreadsheets is not that of everybody else. */
const FIRST_DAY = 61;
/** After 31 December 9999 it ends. */
const LAST_DAY = 2_958_465;

/**
 * A date as 2026-11-21; with a time as 2026-11-21T08:30:00. A spreadsheet has no time zone. Undefined for a number that
 * it shows as no date, since its year would not have four digits.
 */
export function dayText(serial: number, from1904: boolean): string | undefined {
  // The time is stored as a fraction of a day, and a whole second is not exact in binary.
  const seconds = Math.round((serial - (from1904 ? EPOCH_DAYS_1904 : EPOCH_DAYS)) * DAY_SECONDS);
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  if (/^[+-]/.test(text)) return undefined;
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, -14) : text.slice(0, -5);
}

/** What a date shows, in milliseconds: a day (YYYY-MM-DD), or a moment (ISO 8601 with a zone) by the clocks of a zone. */
function shownIn(text: string, timeZone: string): number | undefined {
  if (isDay(text)) return Date.parse(text);
  const moment = parseMoment(text);
  return moment === undefined ? undefined : wallClock(moment, timeZone);
}

/**
 * The number by which spreadsheets know a day (YYYY-MM-DD), or a moment (ISO 8601 with a zone) as the clocks of a zone
 * show it, to the second; undefined for another text, and for a date that they do not know.
 */
export function serialOf(text: string, timeZone: string): number | undefined {
  const shown = shownIn(text, timeZone);
  if (shown === undefined) return undefined;
  const serial = Number((shown / 1000 / DAY_SECONDS + EPOCH_DAYS).toPrecision(15));
  return serial >= FIRST_DAY && serial < LAST_DAY + 1 ? serial : undefined;
}

/** A date or a time as people write it: 21/11/2026, 10:30, 21/11/2026 08:30; of the text that `dayText` returns. */
export function shownDay(text: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d)(?::\d\d)?)?$/.exec(text) ?? [];
  if (year === undefined) return text;
  // A time alone stands on the day before the first.
  const isTime = time !== undefined && Number(year) < 1905;
  return [isTime ? undefined : `${day}/${month}/${year}`, time].filter((part) => part !== undefined).join(' ');
}

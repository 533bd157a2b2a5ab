import { keysOf } from './json/keys-of.ts';
import { dayText } from './language.ts';
import { say } from './texts.ts';

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/**
 * Milliseconds of a duration like `30s`, `15m`, `44h1m` or `2d`, with units from days down to seconds; undefined for
 * any other text.
 */
export function parseDuration(text: string): number | undefined {
  const parts = /^(?=\d)(?:(?<d>\d{1,6})d)?(?:(?<h>\d{1,7})h)?(?:(?<m>\d{1,9})m)?(?:(?<s>\d{1,10})s)?$/.exec(
    text.trim(),
  );
  if (parts?.groups === undefined) return undefined;
  const { groups } = parts;
  const units = keysOf(UNITS);
  return units.reduce((sum, unit) => sum + Number(groups[unit] ?? 0) * UNITS[unit], 0);
}

const AGES = [
  ['daysAgo', UNITS.d],
  ['hoursAgo', UNITS.h],
  ['minutesAgo', UNITS.m],
] as const;

/** How long ago something was, in its largest unit: less than a minute ago, 1 hour ago, 3 days ago. */
export function agoText(milliseconds: number): string {
  for (const [text, length] of AGES) {
    const count = Math.floor(milliseconds / length);
    if (count > 0) return say()[text]({ count });
  }
  return say().justNow;
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * Milliseconds since 1970 of `2026-02-01T08:00:00Z`, of a time with an offset, or of a day in UTC; undefined for any
 * other text.
 */
export function parseMoment(text: string): number | undefined {
  const [moment, day] = MOMENT.exec(text.trim().toUpperCase()) ?? [];
  if (moment === undefined || day === undefined) return undefined;
  const dayStart = Date.parse(day);
  // Date would accept 30 February as a day in March.
  if (Number.isNaN(dayStart) || new Date(dayStart).toISOString().slice(0, 10) !== day) return undefined;
  const milliseconds = Date.parse(moment);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

const QUARTER_MS = 900_000;
/** No zone is further from UTC than this. */
const FARTHEST_QUARTERS = 64;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, made);
  return made;
}

/** The calendar day of a moment (milliseconds since 1970) in a zone, YYYY-MM-DD. Throws a RangeError for no zone. */
export function dayInZone(moment: number, timeZone: string): string {
  return formatOf(timeZone).format(moment);
}

/** Whether a text is the name of a zone. */
export function isZone(text: string): boolean {
  try {
    formatOf(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The zone of this machine's clocks, by its name in the IANA database. A TZ that is none, such as ICT-7, becomes one that
 * is as far from UTC. Asking takes longer than all other work of a short run, so that only what needs the name asks.
 */
export function machineZone(): string {
  const { timeZone: name } = Intl.DateTimeFormat().resolvedOptions();
  if (name === 'Asia/Saigon') return 'Asia/Ho_Chi_Minh';
  if (typeof name === 'string' && isZone(name)) return name;
  const hours = new Date(0).getTimezoneOffset() / 60;
  return Number.isInteger(hours) && hours !== 0 ? `Etc/GMT${hours > 0 ? '+' : ''}${hours}` : 'UTC';
}

/**
 * A moment (milliseconds since 1970) as the clocks of a zone, or of this machine, show it: 2026-11-22 08:05, in Vietnamese
 * 22/11 08:05.
 */
export function momentInZone(moment: number, timeZone?: string, to: 'minutes' | 'seconds' = 'minutes'): string {
  return partsInZone(moment, timeZone, to).join(' ');
}

/** The day and the time of a moment, as people write them. */
function partsInZone(moment: number, timeZone?: string, to: 'minutes' | 'seconds' = 'minutes'): [string, string] {
  const [day = '', time = ''] = new Date(wallClock(moment, timeZone)).toISOString().split('T');
  return [dayText(day, true), time.slice(0, to === 'seconds' ? 8 : 5)];
}

/** What names the zone of a moment: how far its clocks are ahead if they are never set, otherwise its name. */
export function zoneLabel(moment: number, timeZone?: string): string {
  const year = new Date(moment).getUTCFullYear();
  const [winter, summer, now] = [Date.UTC(year, 0, 1), Date.UTC(year, 6, 1), moment - (moment % 1000)].map(
    (at) => (wallClock(at, timeZone) - at) / 60_000,
  );
  if (winter !== summer || now === undefined || winter !== now) return timeZone ?? machineZone();
  const [hours, minutes] = [Math.floor(Math.abs(now) / 60), Math.abs(now) % 60];
  const past = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return now === 0 ? 'UTC' : `GMT${now < 0 ? '-' : '+'}${hours}${past}`;
}

/** What is quoted, an example, a command, or the value of a flag stays as it is. */
const moments =
  /`[^`]*`|"[^"]*"|(?<!--[\w-]+[ =]|(?:such as|like|như) )\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g;

/**
 * A sentence with the moments in it as the clocks of a zone, or of this machine, show them; the first names the zone, unless
 * that is named elsewhere.
 */
export function inClockTime(sentence: string, timeZone?: string, isNamedElsewhere = false): string {
  let isNamed = isNamedElsewhere;
  return sentence.replaceAll(moments, (found) => {
    const moment = /^\d/.test(found) ? Date.parse(found) : Number.NaN;
    if (Number.isNaN(moment)) return found;
    const name = isNamed ? '' : ` (${zoneLabel(moment, timeZone)})`;
    isNamed = true;
    const [day, time] = partsInZone(moment, timeZone);
    return `${say().atTime({ day, time })}${name}`;
  });
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * What the clocks of a zone, or of this machine, show at a moment (milliseconds since 1970), to the second, as the moment
 * at which those of UTC show it.
 */
export function wallClock(moment: number, timeZone?: string): number {
  if (timeZone === undefined) {
    const seconds = Math.floor(moment / 1000) * 1000;
    return seconds - new Date(seconds).getTimezoneOffset() * 60_000;
  }
  // The Swedish form is the ISO order with a space.
  const format =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timeZone, format);
  return Date.parse(`${format.format(moment).replace(' ', 'T')}Z`);
}

/**
 * The first moment of a calendar day in a zone, in milliseconds since 1970. Where the clocks skip midnight it is the
 * moment after. Every zone is whole quarter hours away from UTC.
 */
export function startOfDayInZone(day: string, timeZone: string): number {
  const middle = Date.parse(`${day}T00:00:00Z`) / QUARTER_MS;
  let before = middle - FARTHEST_QUARTERS;
  let after = middle + FARTHEST_QUARTERS;
  while (after - before > 1) {
    const half = Math.floor((before + after) / 2);
    if (dayInZone(half * QUARTER_MS, timeZone) < day) before = half;
    else after = half;
  }
  return after * QUARTER_MS;
}

/** Milliseconds of a day of 24 hours. */
export const DAY_MS = 86_400_000;

/** How the days of a span are gathered. */
export const periodLengths = ['day', 'week', 'month'] as const;

/** How long a period is. */
export type PeriodLength = (typeof periodLengths)[number];

/** A period of calendar days: its name, its first day, and the day after its last one, as YYYY-MM-DD. */
export interface Period {
  /** The day itself, the days of the week (2026-10-26 to 11-01) or the month (2026-11). */
  readonly name: string;
  readonly first: string;
  readonly next: string;
}

const atMidday = (day: string) => Date.parse(`${day}T12:00:00Z`);

/** Whether a text is a day that exists, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(atMidday(text)) && addDays(text, 0) === text;
}

/** The day that many days later, or earlier for a negative number. */
export function addDays(day: string, count: number): string {
  return new Date(atMidday(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** How many days there are from one day to another. */
export function daysBetween(since: string, until: string): number {
  return Math.round((atMidday(until) - atMidday(since)) / DAY_MS);
}

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(atMidday(day)).getUTCDay() + 6) % 7));
}

/** What a day shares with the other days of its period. */
const periodOf: Readonly<Record<PeriodLength, (day: string) => string>> = {
  day: (day) => day,
  week: mondayOf,
  month: (day) => day.slice(0, 7),
};

/**
 * The days of a week in words; the week itself, whether or not a span cuts it off: 2026-10-26 to 11-01, and
 * 2026-12-28 to 2027-01-03.
 */
const weekText = (monday: string): string => daysText(monday, addDays(monday, 6));

const daysText = (first: string, last: string): string =>
  first === last ? first : `${first} to ${first.slice(0, 4) === last.slice(0, 4) ? last.slice(5) : last}`;

/** The first day of the period of a day. */
export const firstOfPeriod = (day: string, length: PeriodLength): string =>
  length === 'month' ? `${day.slice(0, 7)}-01` : periodOf[length](day);

/** A period by its name, or the days of it that are left where a span of days, the last one included, cuts it short. */
export function cutPeriod(name: string, since: string, until: string): string {
  const [first = ''] = name.split(' ');
  const length = first.length === 7 ? 'month' : first === name ? 'day' : 'week';
  const begin = length === 'month' ? `${first}-01` : first;
  const last = { day: begin, week: addDays(begin, 6), month: addDays(firstOfPeriod(addDays(begin, 31), 'month'), -1) }[
    length
  ];
  if (since <= begin && last <= until) return name;
  return daysText(since > begin ? since : begin, until < last ? until : last);
}

/** The periods of a span of days, the last day excluded; the first and the last one may be cut off by the span. */
export function periodsIn(since: string, until: string, length: PeriodLength): Period[] {
  const periods: Period[] = [];
  const name = periodOf[length];
  for (let day = since; day < until; ) {
    const first = day;
    while (day < until && name(day) === name(first)) day = addDays(day, 1);
    periods.push({ name: length === 'week' ? weekText(name(first)) : name(first), first, next: day });
  }
  return periods;
}

import { DAY_MS } from '../domain/calendar.ts';

const QUARTER_MS = 900_000;
const HOURS_AROUND = 15;

const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The day so many days after another one; both are YYYY-MM-DD. */
export const dayAfter = (day: string, days: number): string => dayAt(Date.parse(day) + days * DAY_MS);

const isWorkingDay = (day: string) => ![0, 6].includes(new Date(Date.parse(day)).getUTCDay());

/** The day so many working days (Monday to Friday) before another one; both are YYYY-MM-DD. */
export function workingDaysBefore(day: string, count: number): string {
  let at = day;
  for (let left = count; left > 0; ) {
    at = dayAfter(at, -1);
    if (isWorkingDay(at)) left -= 1;
  }
  return at;
}

/** The first moment of a day (YYYY-MM-DD) in a time zone, ISO 8601 in UTC. `dayOf` tells the day of a moment there. */
export function startOfDay(day: string, dayOf: (moment: string) => string): string {
  const midnight = Date.parse(day);
  for (let at = midnight - HOURS_AROUND * 4 * QUARTER_MS; ; at += QUARTER_MS) {
    const moment = `${new Date(at).toISOString().slice(0, 19)}Z`;
    if (dayOf(moment) >= day) return moment;
  }
}

/** How many working days a carrier has to pay, and those of single carriers. */
export interface Grace {
  readonly days: number;
  readonly of: ReadonlyMap<string, number>;
}

/** Reads `7d`, or `7d,ghn=5d,ghtk=3d`; undefined for any other text. */
export function graceOf(text: string): Grace | undefined {
  let days = 7;
  const of = new Map<string, number>();
  for (const part of text.split(',')) {
    const [, carrier, count] = /^\s*(?:([^\s=,]+)\s*=\s*)?(\d{1,3})d?\s*$/.exec(part) ?? [];
    if (count === undefined) return undefined;
    if (carrier === undefined) days = Number(count);
    else of.set(carrier, Number(count));
  }
  return { days, of };
}

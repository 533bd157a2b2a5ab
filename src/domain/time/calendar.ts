const DAY_MS = 86_400_000;

/** How the days of a span are gathered. */
export const periodLengths = ['day', 'week', 'month'] as const;

/** How long a period is. */
export type PeriodLength = (typeof periodLengths)[number];

/** A period of calendar days: its name, its first day, and the day after its last one, as YYYY-MM-DD. */
export interface Period {
  /** The day itself, the ISO week (2026-W47) or the month (2026-11). */
  readonly name: string;
  readonly first: string;
  readonly next: string;
}

const atNoon = (day: string) => Date.parse(`${day}T12:00:00Z`);

/** Whether a text is a day that exists, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(atNoon(text)) && addDays(text, 0) === text;
}

/** The day that many days later, or earlier for a negative number. */
export function addDays(day: string, count: number): string {
  return new Date(atNoon(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** How many days there are from one day to another. */
export function daysBetween(since: string, until: string): number {
  return Math.round((atNoon(until) - atNoon(since)) / DAY_MS);
}

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(atNoon(day)).getUTCDay() + 6) % 7));
}

/** The ISO week of a day, for example 2026-W47: weeks begin on Monday, and the first one has the year's first Thursday. */
export function isoWeek(day: string): string {
  const thursday = addDays(mondayOf(day), 3);
  const year = thursday.slice(0, 4);
  const number = Math.floor(daysBetween(`${year}-01-01`, thursday) / 7) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}

const nameOf: Readonly<Record<PeriodLength, (day: string) => string>> = {
  day: (day) => day,
  week: isoWeek,
  month: (day) => day.slice(0, 7),
};

/** The periods of a span of days, the last day excluded; the first and the last one may be cut off by the span. */
export function periodsIn(since: string, until: string, length: PeriodLength): Period[] {
  const periods: Period[] = [];
  const name = nameOf[length];
  for (let day = since; day < until; ) {
    const first = day;
    while (day < until && name(day) === name(first)) day = addDays(day, 1);
    periods.push({ name: name(first), first, next: day });
  }
  return periods;
}

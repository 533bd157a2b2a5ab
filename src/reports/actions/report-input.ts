import type * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { invalidInput } from '../../client/refusal.ts';
import { flag, int, oneOf, requiring, text } from '../../contract/schema/scalars.ts';
import { addDays, dayInZone, isZone, type PeriodLength, periodLengths } from '../../domain/calendar.ts';
import { dayText } from '../../domain/language.ts';
import { readDay } from '../../domain/moment-text.ts';
import type { Report } from '../declared/report.ts';
import { reports } from '../declared/reports.ts';
import { say } from '../texts.ts';

/** The name that means every report. */
export const ALL = 'all';

const [first = '', ...rest] = reports.map(({ name }) => name);

const [firstListed = '', ...otherListed] = reports.flatMap(({ name, list }) => (list === undefined ? [] : [name]));

/** The reports that have a list, by name. */
export const listed: readonly [string, ...string[]] = [firstListed, ...otherListed];

/** The input of `report`. */
export const reportInput = requiring(
  { name: oneOf([first, ...rest, ALL], `one of ${[first, ...rest].join(', ')}, or ${ALL} with a directory`) },
  {
    since: text(
      'first day: 2026-11-15, 15/11/2026, today, yesterday, this-week, or last-week, which alone is that week; of 30 days when absent',
    ),
    until: text('last day, which is included; today when absent'),
    by: oneOf(periodLengths, 'how long a row of sales or cod is; day when absent'),
    tz: text('time zone of the days; that of the setting tz when absent'),
    chart: flag('draw a chart instead of the table'),
    width: int('width of the chart; that of the terminal when absent', 'columns'),
    ascii: flag('draw the chart with ASCII characters'),
    to: text('write to this file instead: html, xlsx, csv or jsonl; of all reports, this directory'),
    list: flag('list the records behind it instead: those of late, each with recipient, phone and days'),
    explain: flag('explain what the report counts instead'),
    sql: flag('print the SQL of the report instead; mirror sql runs it'),
  },
);

/** What `report` was given. */
export type ReportInput = z.output<typeof reportInput>;

/** The named reports, or the list of the named one. */
export function reportsNamed(name: string, isListed = false): readonly Report[] {
  if (name === ALL) return reports;
  const named = reports.filter((report) => report.name === name);
  return isListed ? named.flatMap(({ list }) => list ?? []) : named;
}

/**
 * The day that a text means to a report, YYYY-MM-DD; undefined for none: 0026-11-22 is a mistake in typing, not a day
 * without orders.
 */
export function reportDay(
  text: string,
  today: string,
  { report }: Pick<Ports, 'report'>,
  end = false,
): string | undefined {
  const day = readDay(text, today, end, (line) => report.notice(line));
  return day !== undefined && day >= '1900' && day < '2200' ? day : undefined;
}

/** Whether a text names several days of which the last is over. */
function isPastWeek(text: string, today: string): boolean {
  const [first, last] = [false, true].map((end) => readDay(text, today, end));
  return first !== last && last !== undefined && last < today;
}

interface Fault {
  readonly path: string;
  readonly message: string;
}

/** What cannot be asked of the named report. */
function unfitOf(given: ReportInput): Fault[] {
  const { name, list, to, by, width } = given;
  const [only, ...others] = reportsNamed(name);
  const one = others.length === 0 ? only : undefined;
  const faults: Fault[] = [];
  const texts = say().unfit;
  const unfit = (path: string, message: string) => faults.push({ path, message });
  for (const path of ['since', 'until'] as const)
    if (typeof given[path] === 'string' && one?.about === 'now') unfit(path, texts.now({ name: one.name }));
  if (typeof by === 'string' && one !== undefined && one.byPeriod !== true) unfit('by', texts.by({ name: one.name }));
  if (typeof width === 'number' && (width < 40 || width > 1000)) unfit('width', texts.width);
  if (list === true && !listed.includes(name)) unfit('list', texts.list({ names: listed.join(', ') }));
  if (name === ALL && typeof to !== 'string') unfit('to', texts.directory);
  return faults;
}

/** What the reports of an input are about, besides the report itself. */
interface Asked {
  readonly since: string | undefined;
  /** The day after the last one. */
  readonly until: string | undefined;
  readonly by: PeriodLength | undefined;
  readonly timeZone: string;
}

/** What the reports of an input are about. Throws a Refusal with every fault of days and lengths that they cannot have. */
export function askOf(given: ReportInput, ports: Pick<Ports, 'clock' | 'settings' | 'report'>): Asked {
  const { clock, settings } = ports;
  const { since, until, by, tz } = given;
  const texts = say().unfit;
  const isKnown = typeof tz !== 'string' || isZone(tz);
  const zone = isKnown && typeof tz === 'string' ? tz : settings.tz.value;
  const today = dayInZone(clock.now(), zone);
  const first = typeof since === 'string' ? reportDay(since, today, ports) : undefined;
  // Whoever names a week that is over means all of it, and nothing after it.
  const ending = until ?? (typeof since === 'string' && isPastWeek(since, today) ? since : undefined);
  const last = typeof ending === 'string' ? reportDay(ending, today, ports, true) : undefined;
  const faults: Fault[] = [
    ...(typeof since === 'string' && first === undefined ? [{ path: 'since', message: texts.day }] : []),
    ...(typeof until === 'string' && last === undefined ? [{ path: 'until', message: texts.day }] : []),
    ...(isKnown ? [] : [{ path: 'tz', message: texts.zone }]),
    ...unfitOf(given),
  ];
  if (faults.length === 0 && first !== undefined && last !== undefined && first > last)
    faults.push({ path: 'until', message: texts.beforeSince({ since: dayText(first) }) });
  if (faults.length > 0) throw invalidInput(faults);
  return {
    since: first,
    until: last === undefined ? undefined : addDays(last, 1),
    by: by ?? undefined,
    timeZone: zone,
  };
}

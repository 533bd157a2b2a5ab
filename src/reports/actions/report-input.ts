import type * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { invalidInput } from '../../client/refusal.ts';
import { flag, int, oneOf, requiring, text } from '../../contract/schema/scalars.ts';
import { isDay, type PeriodLength, periodLengths } from '../../domain/calendar.ts';
import { timeZone } from '../../settings/setting.ts';
import type { Report } from '../declared/report.ts';
import { reports } from '../declared/reports.ts';

/** The name that means every report. */
export const ALL = 'all';

const [first = '', ...rest] = reports.map(({ name }) => name);

/** The input of `report`. */
export const reportInput = requiring(
  { name: oneOf([first, ...rest, ALL], `one of ${[first, ...rest].join(', ')}, or ${ALL} with a directory`) },
  {
    since: text('first day, YYYY-MM-DD; 30 days before the end when absent'),
    until: text('the day after the last one, YYYY-MM-DD; tomorrow when absent'),
    by: oneOf(periodLengths, 'how long a row of sales or cod is; day when absent'),
    tz: text('time zone of the days; that of the setting tz when absent'),
    chart: flag('draw a chart instead of the table'),
    width: int('width of the chart; that of the terminal when absent', 'columns'),
    ascii: flag('draw the chart with ASCII characters'),
    to: text('write to this file instead: html, xlsx, csv or jsonl; of all reports, this directory'),
    explain: flag('explain what the report counts instead'),
    sql: flag('print the SQL of the report instead; mirror sql runs it'),
  },
);

/** What `report` was given. */
export type ReportInput = z.output<typeof reportInput>;

/** The named reports. */
export function reportsNamed(name: string): readonly Report[] {
  return name === ALL ? reports : reports.filter((report) => report.name === name);
}

/** What a day of a report must be. */
export const REPORT_DAY = 'must be a day that exists, from 1900 to 2199, such as 2026-11-22';

/** Whether a text is a day that a report can be about: 0026-11-22 is a mistake in typing, not a day without orders. */
export const isReportDay = (text: string) => isDay(text) && text >= '1900' && text < '2200';

/** Refuses days and lengths that a report cannot have. Throws a Refusal with every fault. */
export function checkReportInput(given: ReportInput): void {
  const faults: { path: string; message: string }[] = [];
  const fault = (path: string, message: string) => faults.push({ path, message });
  const [only, ...others] = reportsNamed(given.name);
  for (const path of ['since', 'until'] as const) {
    const day = given[path];
    if (typeof day === 'string' && !isReportDay(day)) fault(path, REPORT_DAY);
    if (typeof day === 'string' && others.length === 0 && only?.about === 'now')
      fault(path, `cannot be given: ${only.name} is about the present`);
  }
  const { since, until, tz, width } = given;
  if (faults.length === 0 && typeof since === 'string' && typeof until === 'string' && since >= until)
    fault('until', `must be after since, ${since}: the last day is the one before until`);
  if (typeof given.by === 'string' && others.length === 0 && only?.byPeriod !== true)
    fault('by', `cannot be given: the rows of ${only?.name} are not periods`);
  if (typeof tz === 'string' && timeZone.read(tz, { formats: [] }) === undefined)
    fault('tz', 'must be a time zone such as Asia/Ho_Chi_Minh');
  if (typeof width === 'number' && (width < 40 || width > 1000)) fault('width', 'must be from 40 to 1000');
  if (given.name === ALL && typeof given.to !== 'string') fault('to', 'is required: the directory for all reports');
  if (faults.length > 0) throw invalidInput(faults);
}

/** What the reports of an input are about, besides the report itself. */
export function askOf({ since, until, by, tz }: ReportInput, { settings }: Pick<Ports, 'settings'>) {
  return {
    since: since ?? undefined,
    until: until ?? undefined,
    by: (by ?? undefined) satisfies PeriodLength | undefined,
    timeZone: tz ?? settings.tz.value,
  };
}

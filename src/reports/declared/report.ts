import { cutPeriod, isDay, type Period } from '../../domain/calendar.ts';
import type { Chart } from '../../domain/chart.ts';
import { dayText, isVietnamese } from '../../domain/language.ts';
import { type ColumnWords, type ReportWords, say } from '../texts.ts';

/** What a column holds: `decimal` and `percent` have one digit after the point, everything else is whole or text. */
export type ReportColumnType = 'text' | 'period' | 'integer' | 'decimal' | 'percent';

/** A value of a report. */
export type ReportValue = string | number | null;

/** A row of a report, by the names of its columns. */
export type ReportRow = Readonly<Record<string, ReportValue>>;

/** One column of a report. */
export interface ReportColumn {
  readonly name: string;
  readonly type: ReportColumnType;
  /** What it counts. */
  readonly unit?: string;
  /** Whether its values are codes, which people read in words. */
  readonly isOfCodes?: boolean;
  /** Its total: the sum of its rows, or computed from the other totals; it has none when absent. */
  readonly total?: 'sum' | ((totals: ReportRow) => number | null);
  /** Whether a narrow terminal may leave it out. */
  readonly optional?: boolean;
  /** Whether half of a value would be of no use. */
  readonly isWhole?: boolean;
}

/** What the SQL of a report is written for: one shop, one span or moment, one dialect. */
export interface ReportScope {
  /** A table's name as SQL. */
  readonly table: (name: string) => string;
  /** A text as an SQL literal. */
  readonly text: (text: string) => string;
  /** A moment, in milliseconds since 1970, as an SQL literal that columns of moments compare with. */
  readonly moment: (at: number) => string;
  readonly shopId: string;
  /** The days from `since` to `until`, the last one excluded, as YYYY-MM-DD. */
  readonly since: string;
  readonly until: string;
  readonly periods: readonly Period[];
  /** The first moment of a day in the report's zone. */
  readonly startOf: (day: string) => number;
  /** The moment up to which the mirror is complete: the present, as far as it is known. */
  readonly now: number;
  /** The day of that moment in the report's zone. */
  readonly today: string;
  /** The seconds from one moment to another as SQL, whole and rounded down. */
  readonly seconds: (from: string, to: string) => string;
  /** Whether the rollups count days in the report's zone; otherwise the records are read. */
  readonly hasRollups: boolean;
}

/** The picture of a report: which column labels, and which columns are drawn. */
export interface ReportChart {
  readonly kind: Chart['kind'];
  readonly label: string;
  /** The column that tells rows of one label apart. */
  readonly apart?: string;
  readonly series: readonly string[];
  /** At most this many rows are drawn: the first ones. */
  readonly most?: number;
  /** Only rows with a value in this column are drawn. */
  readonly with?: string;
}

/** A report: everything that its printers need, as one declaration. */
export interface Report {
  readonly name: string;
  /** What people read of it and of its columns. */
  readonly words: () => ReportWords;
  /** The areas of the mirror that it reads. */
  readonly areas: readonly string[];
  /** Whether it is about the present moment, or about a span of days. */
  readonly about: 'now' | 'span';
  /** Whether its rows are periods, whose length can be chosen. */
  readonly byPeriod?: boolean;
  readonly columns: readonly ReportColumn[];
  readonly sql: (scope: ReportScope) => string;
  /** Makes its rows of those of the SQL, where SQL cannot: they are the report's own when absent. */
  readonly gather?: (rows: readonly Readonly<Record<string, unknown>>[]) => readonly ReportRow[];
  /** The records behind a figure of it, one a row: what `--list` shows instead. */
  readonly list?: Report;
  /** Whether it counts the cash that the platform has settled, whatever payment files say. */
  readonly isOfSettlement?: boolean;
  /** Which rows add up to the totals; all when absent. */
  readonly adds?: (row: ReportRow) => boolean;
  readonly chart: ReportChart;
}

/** What people read of a column of a report. */
export function columnWords({ words }: Pick<Report, 'words'>, name: string): ColumnWords {
  return words().columns[name] ?? { header: name, meaning: '' };
}

/** What people call a unit. */
export const unitWord = (unit: string): string => say().unit[unit] ?? unit;

/** A period as people write it: 22/11 in Vietnamese, and 26/10–01/11 for a week. */
function periodText(name: string): string {
  const [, year, month, day, lastYear, last] =
    /^(\d{4})-(\d{2})(?:-(\d{2})(?: to (?:(\d{4})-)?(\d{2}-\d{2}))?)?$/.exec(name) ?? [];
  if (!isVietnamese() || year === undefined) return name;
  if (day === undefined) return `${month}/${year}`;
  const first = `${year}-${month}-${day}`;
  if (last === undefined) return dayText(first, true);
  if (lastYear !== undefined) return `${dayText(first)}–${dayText(`${lastYear}-${last}`)}`;
  return `${day}/${month}–${dayText(`${year}-${last}`, true)}`;
}

/** The days of a report, the last one included; null for one about the present. */
interface Days {
  readonly since: string | null;
  readonly until: string | null;
}

/** A row as people read it: codes in words, and periods as they write them unless a spreadsheet has them as days. Of a period that `days` cut short, those that are left. */
export function rowInWords({ columns }: Report, row: ReportRow, days?: Days, { hasDays = false } = {}): ReportRow {
  const said = { ...row };
  for (const { name, type, isOfCodes } of columns) {
    const value = row[name];
    if (typeof value !== 'string') continue;
    if (isOfCodes === true) said[name] = say().value[value] ?? value;
    if (type !== 'period') continue;
    const left =
      typeof days?.since === 'string' && typeof days.until === 'string'
        ? cutPeriod(value, days.since, days.until)
        : value;
    said[name] = hasDays && isDay(left) ? left : periodText(left);
  }
  return said;
}

/** The picture of a report's rows. */
export function chartOf(report: Report, rows: readonly Readonly<Record<string, unknown>>[]): Chart {
  const { chart, columns } = report;
  const { kind, label, apart = label, series, most = Number.POSITIVE_INFINITY, with: needed } = chart;
  const drawn = (needed === undefined ? rows : rows.filter((row) => row[needed] !== null)).slice(0, most);
  const columnOf = (name: string) => columns.find((column) => column.name === name);
  const labels = drawn.map((row) => String(row[label] ?? '') || say().none);
  const isAlone = (text: string) => labels.indexOf(text) === labels.lastIndexOf(text);
  const apartOf = (row: (typeof drawn)[number], text: string) =>
    isAlone(text) || apart === label || !row[apart] ? text : `${text} · ${row[apart]}`;
  return {
    kind,
    title: report.words().chart,
    unit: unitWord(columnOf(series[0] ?? '')?.unit ?? ''),
    along: columnOf(label)?.type === 'period' ? 'periods' : 'names',
    labels: drawn.map((row, at) => apartOf(row, labels[at] ?? '')),
    series: series.map((name) => ({
      name: columnWords(report, name).header,
      values: drawn.map((row) => Number(row[name] ?? 0)),
    })),
  };
}

import type { Period } from '../../domain/calendar.ts';
import type { Chart } from '../../domain/chart.ts';

/** What a column holds: `decimal` and `percent` have one digit after the point, everything else is whole or text. */
export type ReportColumnType = 'text' | 'period' | 'integer' | 'decimal' | 'percent';

/** A value of a report. */
export type ReportValue = string | number | null;

/** A row of a report, by the names of its columns. */
export type ReportRow = Readonly<Record<string, ReportValue>>;

/** One column of a report. */
export interface ReportColumn {
  readonly name: string;
  /** Heading for people. */
  readonly header: string;
  readonly type: ReportColumnType;
  /** What it counts. */
  readonly unit?: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  /** Its total: the sum of its rows, or computed from the other totals; it has none when absent. */
  readonly total?: 'sum' | ((totals: ReportRow) => number | null);
  /** Whether a narrow terminal may leave it out. */
  readonly optional?: boolean;
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
  readonly title: string;
  readonly label: string;
  readonly series: readonly string[];
  /** At most this many rows are drawn: the first ones. */
  readonly most?: number;
  /** Only rows with a value in this column are drawn. */
  readonly with?: string;
}

/** A report: everything that its printers need, as one declaration. */
export interface Report {
  readonly name: string;
  readonly title: string;
  /** What it counts, in plain sentences. */
  readonly definition: readonly string[];
  /** The areas of the mirror that it reads. */
  readonly areas: readonly string[];
  /** Whether it is about the present moment, or about a span of days. */
  readonly about: 'now' | 'span';
  /** What is in a span of days by which of its dates: its heading says it. Only of a report about a span. */
  readonly dated?: string;
  /** Whether its rows are periods, whose length can be chosen. */
  readonly byPeriod?: boolean;
  readonly columns: readonly ReportColumn[];
  readonly sql: (scope: ReportScope) => string;
  /** Makes its rows of those of the SQL, where SQL cannot: they are the report's own when absent. */
  readonly gather?: (rows: readonly Readonly<Record<string, unknown>>[]) => readonly ReportRow[];
  /** The records behind a figure of it, one a row: what `--list` shows instead. */
  readonly list?: Report;
  /** Which rows add up to the totals; all when absent. */
  readonly adds?: (row: ReportRow) => boolean;
  readonly chart: ReportChart;
}

/** The picture of a report's rows. */
export function chartOf({ chart, columns }: Report, rows: readonly Readonly<Record<string, unknown>>[]): Chart {
  const { kind, title, label, series, most = Number.POSITIVE_INFINITY, with: needed } = chart;
  const drawn = (needed === undefined ? rows : rows.filter((row) => row[needed] !== null)).slice(0, most);
  const columnOf = (name: string) => columns.find((column) => column.name === name);
  return {
    kind,
    title,
    unit: columnOf(series[0] ?? '')?.unit ?? '',
    along: columnOf(label)?.type === 'period' ? 'periods' : 'names',
    labels: drawn.map((row) => String(row[label] ?? '') || 'none'),
    series: series.map((name) => ({
      name: columnOf(name)?.header ?? name,
      values: drawn.map((row) => Number(row[name] ?? 0)),
    })),
  };
}

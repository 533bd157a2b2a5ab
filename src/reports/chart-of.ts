import type { Chart } from '../domain/chart.ts';
import type { Report } from './declared/report.ts';

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

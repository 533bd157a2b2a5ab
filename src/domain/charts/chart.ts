/** A picture of numbers, as data; printers draw it as SVG or with the characters of a terminal. */
export interface Chart {
  /** Bars compare names, stacked bars compare what they consist of, lines show a course over periods. */
  readonly kind: 'bars' | 'stacked' | 'lines';
  readonly title: string;
  /** What the numbers count, for example parcels or currency units. */
  readonly unit: string;
  /** Whether the labels are names, or follow one another in time. */
  readonly along: 'names' | 'periods';
  readonly labels: readonly string[];
  /** Each has a value for each label. */
  readonly series: readonly ChartSeries[];
}

/** One line, one bar of each label, or one part of each stacked bar. */
export interface ChartSeries {
  readonly name: string;
  readonly values: readonly number[];
}

/** The sum of a label's parts, of which a stacked bar draws those above 0. */
export function stackOf({ series }: Chart, index: number): number {
  return series.reduce((sum, { values }) => sum + Math.max(0, values[index] ?? 0), 0);
}

/** The smallest and the largest number that a chart draws; 0 is always between them. */
export function extentOf(chart: Chart): readonly [least: number, most: number] {
  const numbers =
    chart.kind === 'stacked'
      ? chart.labels.map((_, index) => stackOf(chart, index))
      : chart.series.flatMap(({ values }) => values);
  return [Math.min(0, ...numbers), Math.max(0, ...numbers)];
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A period as an axis names it: 22 Nov for a day, W47 for a week, Nov 2026 for a month; a name stays as it is. */
export function axisLabel(label: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(label) ?? [];
  if (year === undefined) return label.replace(/^\d{4}-(?=W\d{2}$)/, '');
  const name = months[Number(month) - 1] ?? '';
  return day === undefined ? `${name} ${year}` : `${Number(day)} ${name}`;
}

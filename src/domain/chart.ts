import { dayText, decimalText, isVietnamese } from './language.ts';
import { say } from './texts.ts';

/** A picture of numbers, as data; printers draw it as SVG or with the characters of a terminal. */
export interface Chart {
  /** Bars compare names, stacked bars compare what they consist of, lines show a course over periods. */
  readonly kind: 'bars' | 'stacked' | 'lines';
  readonly title: string;
  /** What the numbers count, for example parcels or ₫. */
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

/** The same in Vietnamese, where a week has its days already: 22/11, 26/10 for 26/10–01/11, 11/2026. */
function axisLabelInVietnamese(label: string, hasYear: boolean): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(label) ?? [];
  if (day !== undefined) return dayText(label, !hasYear);
  if (year !== undefined) return `${month}/${year}`;
  return label.replace(/^(\d\d\/\d\d)(?:(\/\d{4})–.*|–\d\d\/\d\d(\/\d{4})?)$/, '$1$2$3');
}

function axisLabel(label: string, hasYear: boolean): string {
  if (isVietnamese()) return axisLabelInVietnamese(label, hasYear);
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2})(?: to [\d-]+)?)?$/.exec(label) ?? [];
  if (year === undefined) return label;
  const name = months[Number(month) - 1] ?? '';
  return day === undefined ? `${name} ${year}` : `${Number(day)} ${name}${hasYear ? ` ${year}` : ''}`;
}

/**
 * Periods as an axis names them: 22 Nov for a day, its first day for a week, Nov 2026 for a month, and days with their
 * year where there are two years; a name stays as it is.
 */
export function axisLabels(labels: readonly string[]): string[] {
  const years = new Set(labels.map((label) => /^\d{4}(?=-)|(?<=\/)\d{4}/.exec(label)?.[0]));
  return labels.map((label) => axisLabel(label, years.size > 1));
}

const steps = [1, 2, 5, 10];

/**
 * Round numbers that cover a range, 0 among them: steps of 1, 2 or 5 and their multiples by 10, at most `most` of them.
 * Counts have no fractions, so no step is below 1.
 */
export function roundTicks(least: number, greatest: number, most: number): number[] {
  const range = Math.max(greatest, 0) - Math.min(least, 0);
  const rough = Math.max(1, range / Math.max(1, most - 1));
  const power = 10 ** Math.floor(Math.log10(rough));
  const covers = (step: number) => Math.ceil(Math.max(greatest, 0) / step) - Math.floor(Math.min(least, 0) / step);
  const fits = [...steps, 20, 50].map((step) => step * power).find((step) => step >= rough && covers(step) < most);
  const step = fits ?? 100 * power;
  const first = Math.floor(Math.min(least, 0) / step);
  const last = Math.max(first + 1, Math.ceil(Math.max(greatest, 0) / step));
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

const sizes = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
] as const;

/** A number in few characters, for axes: 950, 1.5k, 20M, in Vietnamese 1,5k and 20 tr. Rounded to three digits. */
export function shortNumber(value: number): string {
  const magnitude = Math.abs(value);
  const at = sizes.findIndex(([size]) => magnitude >= size);
  const unitAt = (place: number) => say().chart[sizes[place]?.[1] ?? 'thousand'];
  if (at < 0) return decimalText(Math.round(value * 10) / 10);
  const size = sizes[at]?.[0] ?? 1;
  const rounded = Number((value / size).toPrecision(3));
  // 999,999 is 1M, not 1000k.
  if (Math.abs(rounded) >= 1000 && at > 0) return decimalText(rounded / 1000) + unitAt(at - 1);
  return decimalText(rounded) + unitAt(at);
}

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A course in a line of text, a block for each value; the lowest block is 0, and below. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, 0);
  const level = (value: number) => (most === 0 ? 0 : Math.round((Math.max(0, value) / most) * (blocks.length - 1)));
  return values.map((value) => blocks[level(value)] ?? '').join('');
}

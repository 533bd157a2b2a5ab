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

const sizes: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** A number in few characters, for axes: 950, 1.5k, 20M. Rounded to three digits. */
export function shortNumber(value: number): string {
  const magnitude = Math.abs(value);
  const at = sizes.findIndex(([size]) => magnitude >= size);
  if (at < 0) return String(Math.round(value * 10) / 10);
  const size = sizes[at]?.[0] ?? 1;
  const rounded = Number((value / size).toPrecision(3));
  // 999,999 is 1M, not 1000k.
  if (Math.abs(rounded) >= 1000 && at > 0) return `${rounded / 1000}${sizes[at - 1]?.[1]}`;
  return `${rounded}${sizes[at]?.[1]}`;
}

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A course in a line of text, a block for each value; the lowest block is 0, and below. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, 0);
  const level = (value: number) => (most === 0 ? 0 : Math.round((Math.max(0, value) / most) * (blocks.length - 1)));
  return values.map((value) => blocks[level(value)] ?? '').join('');
}

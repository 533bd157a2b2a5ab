import { axisLabels, type Chart, extentOf, roundTicks, shortNumber } from './chart.ts';
import {
  at,
  type Canvas,
  drawing,
  escaped,
  everySoMany,
  FONT_SIZE,
  legend,
  lineFrom,
  numberText,
  textAt,
  widthOf,
} from './chart-frame.ts';

/** How many series can be told apart. */
export const MOST_SERIES = 5;

/** The style of charts, for the style sheet of a page: the colours of its text, and of its system's theme. */
export const chartLook = /* css */ `.chart { --first: #1d5fa8; --second: #a85400; --third: #0a7257; --fourth: #8a3b86; --fifth: #6b6f76; display: block; width: 100%; height: auto; }
.chart text { fill: currentColor; font: 12px system-ui, sans-serif; }
.chart .grid, .chart .axis { stroke: currentColor; stroke-width: 1; stroke-opacity: 0.2; } .chart .axis { stroke-opacity: 0.7; }
.chart .c1 { fill: var(--first); } .chart .c2 { fill: var(--second); } .chart .c3 { fill: var(--third); } .chart .c4 { fill: var(--fourth); } .chart .c5 { fill: var(--fifth); }
.chart .mark { stroke: Canvas; stroke-width: 1.5; fill: none; } .chart .dot { fill: Canvas; } .chart .edge { stroke: Canvas; stroke-width: 1; }
.chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.chart .l1 { stroke: var(--first); } .chart .l2 { stroke: var(--second); stroke-dasharray: 7 3; } .chart .l3 { stroke: var(--third); stroke-dasharray: 2 3; } .chart .l4 { stroke: var(--fourth); stroke-dasharray: 9 3 2 3; } .chart .l5 { stroke: var(--fifth); stroke-dasharray: 4 4; }
@media (prefers-color-scheme: dark) { .chart { --first: #6cabf0; --second: #eb9950; --third: #45c29c; --fourth: #d18bcd; --fifth: #a9aeb7; } }
`;

const marks: readonly string[] = [
  '',
  '<path d="M-1 7L7 -1M3 11L11 3M-1 -1L1 -3" class="mark"/>',
  '<circle cx="2" cy="2" r="1.2" class="dot"/><circle cx="6" cy="6" r="1.2" class="dot"/>',
  '<path d="M0 4H8" class="mark"/>',
  '<path d="M4 0V8M0 4H8" class="mark"/>',
];

/** The patterns of a drawing: what is told apart by colour is told apart without it, too. */
export function patterns(id: string, count: number): string {
  const own = marks.slice(0, count).map((mark, index) => {
    const ground = `<rect width="8" height="8" class="c${index + 1}"/>`;
    return `<pattern id="${id}-${index + 1}" width="8" height="8" patternUnits="userSpaceOnUse">${ground}${mark}</pattern>`;
  });
  return `<defs>${own.join('')}</defs>`;
}

/** What an area of a series is filled with. */
export const fillOf = (id: string, series: number): string => `fill="url(#${id}-${(series % MOST_SERIES) + 1})"`;

/** Draws the sample of a series for a legend: a small area filled as its bars are. */
export const swatchOf =
  (id: string) =>
  (series: number, x: number, y: number): string =>
    `<rect x="${at(x)}" y="${at(y)}" width="14" height="12" ${fillOf(id, series)}/>`;

const PLOT_HEIGHT = 200;
const MOST_TICKS = 6;

/** Where the numbers of a chart over periods are drawn. */
interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The centre of a label, and the room it has. */
  x(index: number): number;
  readonly step: number;
  y(value: number): number;
  /** The grid, the numbers beside it, and the labels below. */
  readonly axes: string;
}

function plotOf(chart: Chart, { width }: Canvas, top: number): Plot {
  const ticks = roundTicks(...extentOf(chart), MOST_TICKS);
  const [lowest = 0] = ticks;
  const highest = ticks.at(-1) ?? 1;
  const left = Math.max(...ticks.map((tick) => widthOf(shortNumber(tick)))) + 8;
  const right = width - 2;
  const bottom = top + PLOT_HEIGHT;
  const step = (right - left) / Math.max(1, chart.labels.length);
  const x = (index: number) => left + (index + 0.5) * step;
  const y = (value: number) => bottom - ((value - lowest) / (highest - lowest)) * PLOT_HEIGHT;
  const grid = ticks.map(
    (tick) =>
      lineFrom([left, y(tick)], [right, y(tick)], tick === 0 ? 'axis' : 'grid') +
      textAt([left - 6, y(tick) + FONT_SIZE / 3], shortNumber(tick), 'end'),
  );
  const labels = axisLabels(chart.labels);
  const each = everySoMany(labels, right - left);
  const names = labels.map((label, index) => {
    if (index % each !== 0) return '';
    // The outermost ones stay inside the drawing.
    const half = widthOf(label) / 2;
    return textAt([Math.min(Math.max(x(index), half), right - half), bottom + FONT_SIZE + 5], label, 'middle');
  });
  return { left, right, top, bottom, x, step, y, axes: grid.join('') + names.join('') };
}

const unitLine = (unit: string) => ({ text: textAt([0, FONT_SIZE], unit), height: 20 });

function bar(series: string, label: string, value: number): string {
  return `<title>${escaped(`${label}${series === '' ? '' : `, ${series}`}: ${numberText(value)}`)}</title>`;
}

/** Stacked bars, or the bars of one series, over periods. */
export function columnsSvg(chart: Chart, canvas: Canvas): string {
  const { id } = canvas;
  const { series, labels, unit, title } = chart;
  const names = legend(series, canvas, swatchOf(id));
  const head = unitLine(unit);
  const plot = plotOf(chart, canvas, names.height + head.height + 4);
  const thick = Math.max(1, plot.step * 0.72);
  const drawn = labels.map((label, index) => {
    let below = 0;
    return series
      .map(({ name, values }, order) => {
        const value = values[index] ?? 0;
        const from = series.length > 1 ? below : 0;
        if (value === 0 || (series.length > 1 && value < 0)) return '';
        below += value;
        const [high, low] = [plot.y(Math.max(from + value, from)), plot.y(Math.min(from + value, from))];
        const place = `x="${at(plot.x(index) - thick / 2)}" y="${at(high)}" width="${at(thick)}" height="${at(low - high)}"`;
        return `<rect ${place} ${fillOf(id, order)} class="edge">${bar(series.length > 1 ? name : '', label, value)}</rect>`;
      })
      .join('');
  });
  const inside = `<g transform="translate(0 ${at(names.height)})">${head.text}</g>${names.text}${plot.axes}${drawn.join('')}`;
  return drawing(canvas, plot.bottom + 24, title, patterns(id, series.length) + inside);
}

const points = 3;

/** The sign of a series on its line: a circle, a square, a diamond, and so on. */
function sign(series: number, x: number, y: number, title: string): string {
  const turned = series % 3 === 2 ? ` transform="rotate(45 ${at(x)} ${at(y)})"` : '';
  const style = `class="c${series + 1}"`;
  if (series % 3 === 0) return `<circle cx="${at(x)}" cy="${at(y)}" r="${points}" ${style}>${title}</circle>`;
  const place = `x="${at(x - points)}" y="${at(y - points)}" width="${2 * points}" height="${2 * points}"`;
  return `<rect ${place} ${style}${turned}>${title}</rect>`;
}

/** Lines over periods, each with a dash and a sign of its own. */
export function linesSvg(chart: Chart, canvas: Canvas): string {
  const { series, labels, unit, title } = chart;
  const sample = (index: number, x: number, y: number) =>
    lineFrom([x, y + 6], [x + 14, y + 6], `line l${index + 1}`) + sign(index, x + 7, y + 6, '');
  const names = legend(series, canvas, sample);
  const head = unitLine(unit);
  const plot = plotOf(chart, canvas, names.height + head.height + 4);
  const drawn = series.map(({ name, values }, order) => {
    const places = labels.map((_, index) => `${at(plot.x(index))},${at(plot.y(values[index] ?? 0))}`);
    const signs = labels.map((label, index) => {
      const value = values[index] ?? 0;
      return sign(order, plot.x(index), plot.y(value), bar(series.length > 1 ? name : '', label, value));
    });
    return `<polyline points="${places.join(' ')}" class="line l${order + 1}"/>${signs.join('')}`;
  });
  const inside = `<g transform="translate(0 ${at(names.height)})">${head.text}</g>${names.text}${plot.axes}${drawn.join('')}`;
  return drawing(canvas, plot.bottom + 24, title, inside);
}

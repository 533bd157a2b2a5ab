import { axisLabels, type Chart, extentOf, roundTicks, shortNumber, stackOf } from './chart.ts';
import { columnsSvg, fillOf, linesSvg, MOST_SERIES, patterns, swatchOf } from './chart-columns.ts';
import {
  at,
  type Canvas,
  cutTo,
  drawing,
  escaped,
  FONT_SIZE,
  legend,
  lineFrom,
  numberText,
  textAt,
  widthOf,
} from './chart-frame.ts';

const ROW = 28;
const BAR = 18;
/** The part of the width that names may take before their bars. */
const BESIDE = 0.36;
/** The height of a name above its bar. */
const NAME = 16;
const EDGE = 6;

/**
 * Bars of names, one below the other: each with its value behind it and its name before it, or above it where the drawing
 * is too narrow for the longest name.
 */
function rowsSvg(chart: Chart, canvas: Canvas): string {
  const { id, width } = canvas;
  const { series, labels, kind, title, unit } = chart;
  const { text: legendText, height } = legend(series, canvas, swatchOf(id));
  const [least, most] = extentOf(chart);
  const barValue = (index: number) => (kind === 'stacked' ? stackOf(chart, index) : (series[0]?.values[index] ?? 0));
  const roomOfValue = Math.max(0, ...labels.map((_, index) => widthOf(numberText(barValue(index))))) + 8;
  const names = axisLabels(labels);
  const isAbove = names.some((name) => widthOf(name) > width * BESIDE);
  const shown = names.map((name) => cutTo(name, isAbove ? width - EDGE : width * BESIDE));
  const left = isAbove ? EDGE : Math.max(0, ...shown.map(widthOf)) + 8;
  const row = isAbove ? ROW + NAME : ROW;
  const right = Math.max(left + 40, width - roomOfValue);
  const ticks = roundTicks(least, most, Math.max(2, Math.min(6, Math.floor((right - left) / 60))));
  const [lowest = 0] = ticks;
  const x = (value: number) => left + ((value - lowest) / ((ticks.at(-1) ?? 1) - lowest)) * (right - left);
  const top = height + 20;
  const bottom = top + labels.length * row;
  const grid = ticks.map(
    (tick) =>
      lineFrom([x(tick), top], [x(tick), bottom], tick === 0 ? 'axis' : 'grid') +
      textAt([x(tick), bottom + FONT_SIZE + 4], shortNumber(tick), 'middle'),
  );
  const rows = labels.map((label, index) => {
    const y = top + (index + 1) * row - (ROW + BAR) / 2;
    let before = 0;
    const parts = series.map(({ name, values }, order) => {
      const value = values[index] ?? 0;
      if (value === 0 || (kind === 'stacked' && value < 0)) return '';
      const [from, to] = [x(kind === 'stacked' ? before : 0), x(before + value)];
      if (kind === 'stacked') before += value;
      const said = `${label}${series.length > 1 ? `, ${name}` : ''}: ${numberText(value)}`;
      const place = `x="${at(Math.min(from, to))}" y="${at(y)}" width="${at(Math.abs(to - from))}" height="${BAR}"`;
      return `<rect ${place} ${fillOf(id, order)} class="edge"><title>${escaped(said)}</title></rect>`;
    });
    const value = barValue(index);
    const behind = textAt([x(Math.max(0, value)) + 5, y + BAR - 5], numberText(value));
    const name = shown[index] ?? '';
    const named = isAbove ? textAt([left, y - 5], name) : textAt([left - 6, y + BAR - 5], name, 'end');
    return named + parts.join('') + behind;
  });
  const head = textAt([left, height + FONT_SIZE], unit);
  return drawing(
    canvas,
    bottom + FONT_SIZE + 10,
    title,
    patterns(id, series.length) + legendText + head + grid.join('') + rows.join(''),
  );
}

/** Draws a chart as inline SVG, whose style is `chartLook`; series beyond the fifth are left out. */
export function chartSvg(whole: Chart, canvas: Canvas): string {
  const chart = { ...whole, series: whole.series.slice(0, MOST_SERIES) };
  if (chart.kind === 'lines') return linesSvg(chart, canvas);
  return chart.along === 'periods' ? columnsSvg(chart, canvas) : rowsSvg(chart, canvas);
}

/** A course without axes, as large as a word; its title says what it shows. */
export function sparkSvg(values: readonly number[], title: string, canvas: Canvas): string {
  const height = 28;
  const most = Math.max(...values, 1);
  const step = canvas.width / Math.max(1, values.length);
  const bars = values.map((value, index) => {
    const high = (Math.max(0, value) / most) * height;
    return `<rect x="${at(index * step)}" y="${at(height - high)}" width="${at(Math.max(1, step * 0.75))}" height="${at(high)}" class="c1"/>`;
  });
  return drawing(canvas, height, title, bars.join(''));
}

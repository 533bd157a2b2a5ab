import type { Chart } from '../chart.ts';
import { columnsSvg, linesSvg } from './columns.ts';
import { rowsSvg } from './rows.ts';
import { type Canvas, drawing } from './svg-frame.ts';
import { MOST_SERIES } from './svg-look.ts';
import { at } from './svg-text.ts';

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

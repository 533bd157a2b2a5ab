import { formatMoney } from '../../domain/amounts/money.ts';
import { type Chart, extentOf, shortNumber, stackOf } from '../../domain/chart.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { displayWidth, truncate } from '../../platform/terminal/text-width.ts';
import type { ChartStyle } from './chart-lines.ts';
import { linesText } from './chart-lines.ts';
import { type StyleName, styled } from './style.ts';
import { say } from './texts.ts';

/** Below this width nothing can be drawn beside a name and a number. */
const LEAST_WIDTH = 40;

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** What each part of a stacked bar is filled with: told apart without colour. */
const fills = ['█', '▒', '░', '▚', '═'];
const asciiFills = ['#', '=', '-', '+', '.'];
const colours: readonly StyleName[] = ['cyan', 'yellow', 'green', 'red', 'dim'];

/** What a series is drawn with, in any kind of chart. */
export const seriesColour = (series: number): StyleName => colours[series % colours.length] ?? 'cyan';

/** A number beside its bar; whole ones in full. */
export function valueText(value: number): string {
  return Number.isSafeInteger(value) ? formatMoney(value) : String(value);
}

/** A text padded to a width of columns. */
const padded = (text: string, width: number, isRight = false): string => {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return isRight ? blanks + text : text + blanks;
};

/** A bar of a length in columns, in eighths of a column where the terminal can. */
function bar(length: number, ascii: boolean): string {
  if (ascii) return '#'.repeat(Math.round(length));
  const parts = Math.round(length * 8);
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** How many columns each part of a bar takes: together as many as the whole, and none of them lost by rounding. */
function partLengths(values: readonly number[], scale: number): number[] {
  let end = 0;
  let drawn = 0;
  return values.map((value) => {
    end += Math.max(0, value) * scale;
    const length = Math.round(end) - drawn;
    drawn += length;
    return length;
  });
}

function barsText(chart: Chart, { width, colour, ascii }: ChartStyle): string[] {
  const { labels, series, kind } = chart;
  const isStacked = kind === 'stacked';
  const values = labels.map((_, index) => (isStacked ? stackOf(chart, index) : (series[0]?.values[index] ?? 0)));
  const [, most] = extentOf(chart);
  const long = values.map(valueText);
  // Where names and full numbers leave no room for bars, the numbers are shortened.
  const isTight = Math.max(0, ...long.map(displayWidth)) > width / 3;
  const numbers = isTight ? values.map(shortNumber) : long;
  const numberWidth = Math.max(0, ...numbers.map(displayWidth));
  const names = labels.map((label) => truncate(makeSafe(label), Math.floor(width * 0.4)));
  const nameWidth = Math.max(0, ...names.map(displayWidth));
  const room = Math.max(1, width - nameWidth - numberWidth - 2);
  const scale = most > 0 ? room / most : 0;
  const marks = ascii ? asciiFills : fills;
  return names.map((name, index) => {
    const lengths = isStacked
      ? partLengths(
          series.map((one) => one.values[index] ?? 0),
          scale,
        )
      : [];
    const drawn = isStacked
      ? lengths.map((length, part) => styled((marks[part] ?? '').repeat(length), seriesColour(part), colour)).join('')
      : styled(bar(Math.max(0, values[index] ?? 0) * scale, ascii), seriesColour(0), colour);
    const shown = isStacked
      ? lengths.reduce((sum, length) => sum + length, 0)
      : displayWidth(bar(Math.max(0, values[index] ?? 0) * scale, ascii));
    const gap = ' '.repeat(Math.max(0, room - shown));
    return `${padded(name, nameWidth)} ${drawn}${gap} ${padded(numbers[index] ?? '', numberWidth, true)}`;
  });
}

/** The names of the series beside what they are drawn with, in as many lines as they need. */
function legendText({ series }: Chart, marks: readonly string[], { width, colour }: ChartStyle): string[] {
  const lines: { text: string; width: number }[] = [];
  for (const [index, { name }] of series.entries()) {
    const mark = marks[index % marks.length] ?? '';
    const taken = displayWidth(mark) + 1 + displayWidth(name);
    const entry = `${styled(mark, seriesColour(index), colour)} ${name}`;
    const last = lines.at(-1);
    if (last === undefined || last.width + 3 + taken > width) lines.push({ text: entry, width: taken });
    else {
      last.text += `   ${entry}`;
      last.width += 3 + taken;
    }
  }
  return lines.map(({ text }) => text);
}

/** A chart as lines of text, none wider than asked for, but at least 40 columns. */
export function chartText(chart: Chart, asked: ChartStyle): string[] {
  const style = { ...asked, width: Math.max(LEAST_WIDTH, asked.width) };
  const heading = truncate(
    makeSafe(`${chart.title} (${style.ascii && chart.unit === '₫' ? 'VND' : chart.unit})`),
    style.width,
  );
  const head = [styled(heading, 'bold', style.colour)];
  if (chart.labels.length === 0) return [...head, say().nothing];
  if (chart.kind === 'lines') return [...head, ...linesText(chart, style)];
  const marks = style.ascii ? asciiFills : fills;
  const legend = chart.series.length > 1 ? legendText(chart, marks, style) : [];
  return [...head, ...legend, ...barsText(chart, style)];
}

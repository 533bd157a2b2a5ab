import { formatMoney } from '../../domain/amounts/money.ts';
import { axisLabels, type Chart, extentOf, roundTicks, shortNumber, stackOf } from '../../domain/chart.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { displayWidth, truncate } from '../../platform/terminal/text-width.ts';
import { type StyleName, styled } from './style.ts';
import { say } from './texts.ts';

/** How a chart is drawn with characters. */
export interface ChartStyle {
  /** Columns that a line may take. */
  readonly width: number;
  readonly colour: boolean;
  /** Whether only characters of ASCII are used. */
  readonly ascii: boolean;
}

/** Lines of the plot: it has to leave room for a prompt on a small terminal. */
const HEIGHT = 13;
const MOST_TICKS = 5;

const marks = ['●', '■', '◆', '▲', '○'];
const asciiMarks = ['*', 'o', 'x', '+', '@'];

/** The cells of a plot, row by row from the top; each is a character, dressed or not. */
class Cells {
  readonly #rows: string[][];

  constructor(width: number, height: number) {
    this.#rows = Array.from({ length: height }, () => Array.from({ length: width }, () => ' '));
  }

  put(x: number, y: number, cell: string, over = true): void {
    const row = this.#rows[y];
    if (row?.[x] !== undefined && (over || row[x] === ' ')) row[x] = cell;
  }

  line(y: number): string {
    return this.#rows[y]?.join('') ?? '';
  }
}

/** The labels below the plot: as many as there is room for, evenly, none touching another. */
function labelLine(labels: readonly string[], width: number, x: (index: number) => number): string {
  const names = axisLabels(labels).map((label) => makeSafe(label));
  const widest = Math.max(1, ...names.map(displayWidth));
  const each = Math.max(1, Math.ceil(((widest + 2) * labels.length) / width));
  let line = '';
  for (const [index, name] of names.entries()) {
    if (index % each !== 0) continue;
    const start = Math.min(Math.max(0, x(index) - Math.floor(displayWidth(name) / 2)), width - displayWidth(name));
    if (line !== '' && start < displayWidth(line) + 1) continue;
    line = line.padEnd(line.length + Math.max(0, start - displayWidth(line))) + name;
  }
  return line;
}

/** Lines over periods as text: a mark for each value, dots between them, round numbers beside the plot. */
function linesText(chart: Chart, { width, colour, ascii }: ChartStyle): string[] {
  const { labels, series } = chart;
  const ticks = roundTicks(...extentOf(chart), MOST_TICKS);
  const [lowest = 0] = ticks;
  const highest = ticks.at(-1) ?? 1;
  const numbers = ticks.map(shortNumber);
  const left = Math.max(...numbers.map(displayWidth)) + 2;
  const room = width - left;
  const cells = new Cells(room, HEIGHT);
  const x = (index: number) => Math.round(((index + 0.5) * room) / labels.length - 0.5);
  const y = (value: number) => HEIGHT - 1 - Math.round(((value - lowest) / (highest - lowest)) * (HEIGHT - 1));
  for (const [order, { values }] of series.entries()) {
    const dress = (cell: string) => styled(cell, order % 2 === 0 ? 'cyan' : 'yellow', colour);
    const mark = (ascii ? asciiMarks : marks)[order % marks.length] ?? '*';
    for (let index = 1; index < labels.length; index += 1) {
      const [from, to] = [values[index - 1] ?? 0, values[index] ?? 0];
      const [begin, end] = [x(index - 1), x(index)];
      for (let step = begin + 1; step < end; step += 1) {
        const value = from + ((to - from) * (step - begin)) / (end - begin);
        cells.put(step, y(value), dress(ascii ? '.' : '·'), false);
      }
    }
    for (const [index] of labels.entries()) cells.put(x(index), y(values[index] ?? 0), dress(mark));
  }
  const tickAt = new Map(ticks.map((tick, index) => [y(tick), numbers[index] ?? '']));
  const plot = Array.from({ length: HEIGHT }, (_, row) => {
    const number = tickAt.get(row) ?? '';
    const axis = ascii ? (number === '' ? '|' : '+') : number === '' ? '│' : '┤';
    return `${number.padStart(left - 2)} ${axis}${cells.line(row)}`.trimEnd();
  });
  const legend =
    series.length > 1
      ? [series.map(({ name }, index) => `${(ascii ? asciiMarks : marks)[index % marks.length]} ${name}`).join('   ')]
      : [];
  return [...legend, ...plot, `${' '.repeat(left)}${labelLine(labels, room, x)}`.trimEnd()];
}

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

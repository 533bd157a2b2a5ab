import { axisLabel, type Chart, extentOf, roundTicks, shortNumber } from '../../domain/chart.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { displayWidth } from '../../platform/terminal/text-width.ts';
import { styled } from './style.ts';

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
  const names = labels.map((label) => makeSafe(axisLabel(label)));
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
export function linesText(chart: Chart, { width, colour, ascii }: ChartStyle): string[] {
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

import type { ChartSeries } from '../chart.ts';
import { at, cutTo, escaped, FONT_SIZE, textAt, widthOf } from './svg-text.ts';

/** A drawing surface. */
export interface Canvas {
  readonly width: number;
  /** Unique in the page: what patterns and titles are referred to by. */
  readonly id: string;
}

const SWATCH = 14;
const LEGEND_LINE = 20;

/**
 * The names of several series beside samples of them, in as many lines as they need; `sample` draws one at a position.
 * One series alone needs no name: the title has it.
 */
export function legend(
  series: readonly ChartSeries[],
  { width }: Pick<Canvas, 'width'>,
  sample: (series: number, x: number, y: number) => string,
): { readonly text: string; readonly height: number } {
  if (series.length < 2) return { text: '', height: 0 };
  let x = 0;
  let y = 0;
  const parts = series.map(({ name }, index) => {
    const shown = cutTo(name, width - SWATCH - 6);
    const taken = SWATCH + 6 + widthOf(shown) + 16;
    if (x > 0 && x + taken > width) {
      x = 0;
      y += LEGEND_LINE;
    }
    const drawn = sample(index, x, y + 2) + textAt([x + SWATCH + 6, y + FONT_SIZE], shown);
    x += taken;
    return drawn;
  });
  return { text: parts.join(''), height: y + LEGEND_LINE + 4 };
}

/** A drawing with its accessible name, and with what it shows below that. */
export function drawing({ width, id }: Canvas, height: number, title: string, inside: string): string {
  const size = `viewBox="0 0 ${at(width)} ${at(height)}"`;
  const name = `<title id="${id}-title">${escaped(title)}</title>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="chart" ${size} role="img" aria-labelledby="${id}-title">${name}${inside}</svg>`;
}

/** Which labels of an axis are drawn: every so manieth, so that none touches its neighbour. */
export function everySoMany(labels: readonly string[], room: number): number {
  const widest = Math.max(0, ...labels.map(widthOf)) + 8;
  return Math.max(1, Math.ceil((widest * labels.length) / Math.max(1, room)));
}

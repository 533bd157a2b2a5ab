import type { ChartSeries } from './chart.ts';
import { isVietnamese } from './language.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text in an element or a quoted attribute of SVG; control characters, which XML cannot hold, are left out. */
export function escaped(text: string): string {
  return text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

/** Size of every text in a chart, in units of the drawing. */
export const FONT_SIZE = 12;

const isWide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{3fffd}]/u;

/** About how wide a text is drawn; rather too wide than too narrow, since the reader's font is not known. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text.normalize('NFC'))
    width += FONT_SIZE * (isWide.test(character) ? 1 : /[MWmw@%]/.test(character) ? 0.95 : 0.62);
  return width;
}

/** A text that is not wider than that, with an ellipsis where it was cut. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const segments = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.slice(0, 200))];
  while (segments.length > 1 && widthOf(`${segments.map(({ segment }) => segment).join('')}…`) > width) segments.pop();
  return `${segments.map(({ segment }) => segment).join('')}…`;
}

/** A coordinate with few digits. */
export const at = (value: number): string => String(Math.round(value * 10) / 10);

/** A whole number with thousands separators; a broken one with one digit. */
export const numberText = (value: number): string =>
  value.toLocaleString(isVietnamese() ? 'vi-VN' : 'en-US', { maximumFractionDigits: 1 });

/** A line of text; `anchor` says which end of it stands at x. */
export function textAt(
  [x, y]: readonly [number, number],
  text: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
): string {
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}">${escaped(text)}</text>`;
}

/** A line. */
export function lineFrom(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  name: string,
): string {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" class="${name}"/>`;
}

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

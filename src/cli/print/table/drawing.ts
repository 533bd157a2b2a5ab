import { displayWidth } from '../../../platform/terminal/text-width.ts';

/** Horizontal alignment of a cell in its column. */
export type Alignment = 'left' | 'right';

/** Spaces between two columns. */
const gap = '  ';

/**
 * A row as a line: two spaces between columns, no trailing spaces. A cell wider than its column shifts the rest.
 * `dress` may add zero-width sequences around a cell.
 */
export function rowLine(
  cells: readonly string[],
  widths: readonly number[],
  alignments: readonly Alignment[],
  dress: (cell: string, index: number) => string = (cell) => cell,
): string {
  let line = '';
  for (const [index, cell] of cells.entries()) {
    const blanks = ' '.repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell)));
    line += `${index === 0 ? '' : gap}${alignments[index] === 'right' ? blanks + dress(cell, index) : dress(cell, index) + blanks}`;
  }
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  return line.slice(0, end);
}

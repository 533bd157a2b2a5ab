import { displayWidth, isPrintableAscii } from '../../../platform/terminal/text-width.ts';

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

/** A table that has an end: cells of our width, and what is put around each. */
export interface BoundedTable {
  readonly rows: readonly (readonly string[])[];
  /** Width of each column in cells of the terminal; a wider cell shifts the rest of its line. */
  readonly widths: readonly number[];
  readonly alignments: readonly Alignment[];
  /** Adds sequences without a width to a cell. */
  readonly dress?: (cell: string, row: number, column: number) => string;
}

/** No frame: two spaces between columns, and nothing else. */
const bare = {
  ...Object.fromEntries(
    ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
      [side, `${side}-left`, `${side}-mid`, `${side}-right`].map((part) => [part, '']),
    ),
  ),
  middle: '  ',
};

/** Letters whose width the library measures as we do: Latin ones, composed, Vietnamese ones among them. */
const isMeasuredAlike = (cell: string) =>
  isPrintableAscii(cell) || /^[ -~\u00a1-\u00ac\u00ae-\u024f\u1e00-\u1eff–—…₫]*$/.test(cell);

/**
 * The lines of a table, without spaces at their ends. cli-table3 draws it, loaded with the first one; a table with
 * other scripts, emoji or marks, whose widths it measures in another way, or with a cell that it would cut, is drawn
 * line by line.
 */
export async function boundedLines({ rows, widths, alignments, dress }: BoundedTable): Promise<string[]> {
  const dressed = (cell: string, row: number, column: number) => dress?.(cell, row, column) ?? cell;
  if (rows.length === 0 || widths.length === 0) return rows.map(() => '');
  const fits = (cell: string, column: number) => isMeasuredAlike(cell) && displayWidth(cell) <= (widths[column] ?? 0);
  if (!rows.every((row) => row.every(fits))) {
    return rows.map((row, at) => rowLine(row, widths, alignments, (cell, column) => dressed(cell, at, column)));
  }
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    chars: bare,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
    colAligns: [...alignments],
  });
  for (const [at, row] of rows.entries()) table.push(row.map((cell, column) => dressed(cell, at, column)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

import { displayWidth, isPrintableAscii } from './width.ts';

/** Side of its column that a cell stands on. */
export type Alignment = 'left' | 'right';

/** Lines of rows whose cells are no wider than `widths`: two spaces between the columns, no blanks at the ends. */
export type Draw = (rows: readonly string[][], widths: readonly number[], alignments: readonly Alignment[]) => string[];

/** Loads cli-table3. It lays the cells out; what is wide is decided here. */
export async function loadDraw(): Promise<Draw> {
  const { default: Table } = await import('cli-table3');
  return (rows, widths, alignments) => {
    const table = new Table({
      chars: noLines,
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
      colWidths: [...widths],
      colAligns: [...alignments],
    });
    for (const row of rows) table.push(row.map(standIn));
    const lines = table.toString().split('\n');
    return lines.map((line, index) => withCells(line.trimEnd(), rows[index] ?? [], widths, alignments));
  };
}

/** Blanks between two columns. */
const gap = '  ';

const noLines = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: gap },
};

/**
 * cli-table3 measures with string-width 4, which is right for Vietnamese (U+0300 to U+036F) but counts a column for
 * other marks, for joined Korean letters and for newer emoji missing one; and its time grows with the square of a cell
 * that is not plain ASCII. So such a cell is laid out as a run of one letter as long as the cell is wide.
 */
function standIn(cell: string): string {
  return isPrintableAscii(cell) ? cell : 'x'.repeat(displayWidth(cell));
}

/** The line with the cells in the places of their stand-ins: in plain ASCII a column is a character. */
function withCells(
  line: string,
  cells: readonly string[],
  widths: readonly number[],
  alignments: readonly Alignment[],
): string {
  const pieces: string[] = [];
  let column = 0;
  let written = 0;
  for (const [index, cell] of cells.entries()) {
    const width = widths[index] ?? 0;
    if (!isPrintableAscii(cell)) {
      const own = displayWidth(cell);
      const start = alignments[index] === 'right' ? column + width - own : column;
      pieces.push(line.slice(written, start), cell);
      written = start + own;
    }
    column += width + gap.length;
  }
  return [...pieces, line.slice(written)].join('');
}

import { displayWidth, isPrintableAscii } from './width.ts';

/** Side of its column that a cell stands on. */
export type Alignment = 'left' | 'right';

/** Lines of rows whose cells are no wider than `widths`: two spaces between the columns, no blanks at the ends. */
export type Draw = (rows: readonly string[][], widths: readonly number[], alignments: readonly Alignment[]) => string[];

/** Loads cli-table3. It lays the cells out; what is wide is decided here. */
export async function loadDraw(): Promise<Draw> {
  const { default: Table } = await import('cli-table3');
  return (rows, widths, alignments) => {
    const standIns = new StandIns();
    const table = new Table({
      chars: noLines,
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
      colWidths: [...widths],
      colAligns: [...alignments],
    });
    for (const row of rows) table.push(row.map((cell) => standIns.hide(cell)));
    const lines = table.toString().split('\n');
    return lines.map((line) => standIns.show(line.trimEnd()));
  };
}

const noLines = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};

/** First code point of the last but one private-use plane: 65,534 characters that cli-table3 takes as one column. */
const first = 0xf0000;

/**
 * cli-table3 measures with string-width 4, which is right for Vietnamese (U+0300 to U+036F) but counts a column for
 * other marks, for joined Korean letters and for newer emoji missing one. So a cell that is not plain ASCII is laid
 * out as a run of one stand-in character as long as the cell is wide, and takes its place again in the line.
 */
class StandIns {
  readonly #hidden: string[] = [];

  hide(cell: string): string {
    if (isPrintableAscii(cell)) return cell;
    this.#hidden.push(cell);
    return String.fromCodePoint(first + this.#hidden.length - 1).repeat(displayWidth(cell));
  }

  show(line: string): string {
    return line.replace(/([\u{f0000}-\u{ffffd}])\1*/gu, (run) => this.#hidden[(run.codePointAt(0) ?? 0) - first] ?? '');
  }
}

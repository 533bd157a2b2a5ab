import type { CellFault } from '../../../sheets/source-row.ts';

/** Something unusual about a cell of a row that is sent nevertheless; `code` says of which kind. */
export type CellWarning = CellFault & Required<Pick<CellFault, 'code'>>;

/** So many of each are kept; all are counted. */
const MOST_KEPT = 10_000;

const isWarning = (note: CellFault): note is CellWarning => note.code !== undefined;

/** What is said of the cells of rows: how they were read, and what is unusual about them. */
export class Remarks {
  /** Values that were read differently from how they are written, the first ones. */
  readonly readings: CellFault[] = [];
  /** What is unusual, the first cells. */
  readonly warnings: CellWarning[] = [];
  /** In how many rows there is a warning of a kind, by its code. */
  readonly rowsOf = new Map<string, number>();
  readingCount = 0;
  warningCount = 0;

  /** Adds what is said of the cells of one row. */
  add(notes: readonly CellFault[]): void {
    const warnings = notes.filter(isWarning);
    const readings = notes.filter((note) => !isWarning(note));
    for (const code of new Set(warnings.map((one) => one.code)))
      this.rowsOf.set(code, (this.rowsOf.get(code) ?? 0) + 1);
    this.readingCount += readings.length;
    this.warningCount += warnings.length;
    this.readings.push(...readings.slice(0, MOST_KEPT - this.readings.length));
    this.warnings.push(...warnings.slice(0, MOST_KEPT - this.warnings.length));
  }
}

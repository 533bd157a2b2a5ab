import type { CellFault } from '../../sheets/source-row.ts';

/** Something unusual about a cell of a row that is sent nevertheless; `code` says of which kind. */
export type CellWarning = CellFault & Required<Pick<CellFault, 'code'>>;

/** The kind of a row whose parcel may have gone to its phone before: each row is shown, however many there are. */
export const SENT_TO_PHONE = 'sent_to_phone';

/** The kind of a note that is not understood: each has its own words. */
export const UNREAD_NOTE = 'unread_note';

/** So many readings, and warnings of a kind, are kept; all are counted. */
const MOST_KEPT = 10_000;
/** So many rows with warnings of a kind are kept. */
const MOST_ROWS = 100;

/** The warnings of one kind. */
export interface WarningKind {
  readonly code: string;
  /** The first cells. */
  readonly cells: CellWarning[];
  /** How many there are. */
  count: number;
  /** In how many rows. */
  inRows: number;
  /** The numbers of the first of these. */
  readonly rows: number[];
}

const isWarning = (note: CellFault): note is CellWarning => note.code !== undefined;

/** What is said of the cells of rows: how they were read, and what is unusual about them. */
export class Remarks {
  /** Values that were read differently from how they are written, the first ones. */
  readonly readings: CellFault[] = [];
  readingCount = 0;
  readonly #kinds = new Map<string, WarningKind>();

  /** What is unusual, by its kind, in the order of the first cell of each. */
  get kinds(): readonly WarningKind[] {
    return [...this.#kinds.values()];
  }

  /** What is unusual, of each kind the first cells. */
  get warnings(): readonly CellWarning[] {
    return this.kinds.flatMap(({ cells }) => cells);
  }

  /** Adds what is said of the cells of one row. */
  add(row: number, notes: readonly CellFault[]): void {
    if (notes.length === 0) return;
    const readings = notes.filter((note) => !isWarning(note));
    this.readingCount += readings.length;
    this.readings.push(...readings.slice(0, MOST_KEPT - this.readings.length));
    const warnings = notes.filter(isWarning);
    for (const warning of warnings) {
      const kind = this.#kindOf(warning.code);
      kind.count += 1;
      if (kind.cells.length < MOST_KEPT) kind.cells.push(warning);
    }
    for (const code of new Set(warnings.map((one) => one.code))) {
      const kind = this.#kindOf(code);
      kind.inRows += 1;
      if (kind.rows.length < MOST_ROWS) kind.rows.push(row);
    }
  }

  #kindOf(code: string): WarningKind {
    const known = this.#kinds.get(code);
    if (known !== undefined) return known;
    const kind: WarningKind = { code, cells: [], count: 0, inRows: 0, rows: [] };
    this.#kinds.set(code, kind);
    return kind;
  }
}

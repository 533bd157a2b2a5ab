import { createHash } from 'node:crypto';
import type { PaymentKind } from '../../domain/amounts/payment-kinds.ts';
import { type Cell, columnLetters, type SheetLine } from '../../sheets/formats/sheet.ts';
import { shownNumber } from '../../sheets/ruined-number.ts';
import { textOf } from '../../sheets/service/cells.ts';
import { normalForm } from '../../sheets/service/layout.ts';
import { numberIn } from '../../sheets/values.ts';
import { say } from '../texts.ts';
import { type PaymentLine, parcelOf, plainCell } from './payment-cells.ts';
import { isAmount, type PlacedColumn } from './place-columns.ts';
import type { Opened } from './recognise.ts';
import type { Written } from './row-reader.ts';

/** The sums of a column as they may be meant by a row of sums. */
interface ColumnSums {
  /** All rows so far, and those since the last row of sums. */
  all: number;
  since: number;
  /** The same without rows that repeat another. */
  allOnce: number;
  sinceOnce: number;
}

/** Adds up the columns of a payment file, to compare them with its rows of sums. */
export class Sums {
  readonly #columns = new Map<number, ColumnSums>();

  #of({ index }: PlacedColumn): ColumnSums {
    const known = this.#columns.get(index);
    if (known !== undefined) return known;
    const fresh = { all: 0, since: 0, allOnce: 0, sinceOnce: 0 };
    this.#columns.set(index, fresh);
    return fresh;
  }

  /** Adds a row. */
  add(written: readonly Written[], isRepeated: boolean): void {
    for (const { column, amount } of written) {
      const sums = this.#of(column);
      sums.all += amount;
      sums.since += amount;
      if (isRepeated) continue;
      sums.allOnce += amount;
      sums.sinceOnce += amount;
    }
  }

  /** Compares a row of sums, and begins the next part of the file; what differs, in words. */
  compare(
    reported: readonly Written[],
  ): { readonly column: PlacedColumn; readonly amount: number; readonly problem: () => string }[] {
    const wrong = reported.flatMap(({ column, amount }) => {
      const sums = this.#of(column);
      if ([sums.all, sums.since, sums.allOnce, sums.sinceOnce].includes(amount)) return [];
      const facts = { sum: sums.all, gap: amount - sums.all };
      const problem = () => say().cell.sum(facts);
      return [{ column, amount, problem }];
    });
    for (const sums of this.#columns.values()) {
      sums.since = 0;
      sums.sinceOnce = 0;
    }
    return wrong;
  }
}

/** How many characters of a hash stand for the cells of a row. */
const HASH_LENGTH = 22;

/** The headers, folded, of a column that only numbers the rows. */
const COUNTERS = new Set(['stt', 'tt', 'so tt', 'so thu tu', 'no', 'row']);

/** A line where it was read first. */
interface First {
  readonly kind: PaymentKind;
  readonly amount: number;
  readonly cell: string;
}

/** What a row of a file repeats of those before it. */
export interface RowRepeats {
  /** A hash of all its cells, except for the number of the row in the file. */
  readonly cells: string;
  /** The cell of the same amount of an equal row before it; undefined for one that counts. */
  duplicateOf(line: PaymentLine): string | undefined;
}

/** Finds the rows of a file that are equal in all cells, on whichever of its sheets. */
export class RepeatedRows {
  readonly #rows = new Map<string, readonly First[]>();
  readonly #amounts = new Map<string, string>();
  /** Cells with an amount that a row before has as well for its parcel and day, in a row that differs: both count. */
  readonly alike: string[] = [];

  /** Looks at a row with its lines; `before` stands before its cells. */
  look(opened: Opened, line: SheetLine, lines: readonly PaymentLine[], before: string): RowRepeats {
    const cells = hashOf(opened, line, 'but its number');
    // Two debts of a session that differ in their number alone are two; a parcel is paid once.
    const isOfParcel = lines.some((one) => parcelOf(one) !== '#');
    const key = isOfParcel ? cells : hashOf(opened, line, 'and its number');
    const known = this.#rows.get(key);
    const firsts = lines.map(({ kind, amount, cell }) => ({ kind, amount, cell: before + cell }));
    if (known === undefined) {
      this.#rows.set(key, firsts);
      this.#addAlike(lines, before);
    }
    return {
      cells,
      duplicateOf: ({ kind, amount }) => known?.find((one) => one.kind === kind && one.amount === amount)?.cell,
    };
  }

  #addAlike(lines: readonly PaymentLine[], before: string): void {
    for (const line of lines) {
      if (line.amount === 0) continue;
      const key = `${line.kind} ${line.amount} ${parcelOf(line)}\0${line.session ?? ''}`;
      const first = this.#amounts.get(key);
      if (first === undefined) this.#amounts.set(key, before + line.cell);
      else this.alike.push(say().file.like({ cell: before + line.cell, first }));
    }
  }
}

/** A hash of what a row has under which header. */
function hashOf(
  { heads, placed, grid }: Opened,
  { cells }: SheetLine,
  all: 'and its number' | 'but its number',
): string {
  const amounts = new Set(placed.columns.filter(isAmount).map(({ index }) => index));
  const parts = cells.flatMap((given, index) => {
    const cell = plainCell(given, grid.mayBeGuarded);
    const text = amounts.has(index) ? String(numberIn(cell) ?? textOf(cell)) : textOf(shown(cell));
    const head = normalForm(heads[index] ?? '');
    if (text === '' || (all === 'but its number' && COUNTERS.has(head))) return [];
    return [`${head === '' ? columnLetters(index) : head}\0${text}`];
  });
  return createHash('sha256').update(parts.sort().join('\0\0')).digest('base64url').slice(0, HASH_LENGTH);
}

const shown = (cell: Cell): Cell => (typeof cell === 'number' ? shownNumber(cell) : cell);

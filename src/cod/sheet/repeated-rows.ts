import { createHash } from 'node:crypto';
import type { PaymentKind } from '../../domain/amounts/payment-kinds.ts';
import { numberIn } from '../../sheets/account/sums.ts';
import type { Cell, SheetLine } from '../../sheets/formats/sheet.ts';
import { textOf } from '../../sheets/service/cells.ts';
import { normalForm } from '../../sheets/service/normal-form.ts';
import { shownNumber } from '../../sheets/shown-number.ts';
import { columnLetters } from '../../sheets/xlsx/column-letters.ts';
import { plainCell } from './payment-cells.ts';
import type { PaymentLine } from './payment-line.ts';
import { parcelOf } from './payment-line.ts';
import { isAmount } from './place-columns.ts';
import type { Opened } from './recognise.ts';

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
      else this.alike.push(`${before}${line.cell} like ${first}`);
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

import { readAmountText } from '../../domain/amounts/amount-text.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import type { Cell, SheetLine } from '../formats/sheet.ts';
import { normalForm } from '../service/normal-form.ts';
import { shownNumber } from '../shown-number.ts';

/** A whole cell that names a sum; a count may follow, as in "Tổng: 42 đơn". */
const WORD =
  /^(?:tong(?: (?:cong|so|tien|thu|thu ho|cod|don))?|cong|total|grand total|subtotal|sum)(?: \d+(?: [a-z]+)?)?$/;

/** Whether a whole cell is a word of sums: "Tống Văn Hải" and "SUM-0001" are none. */
export function isWordOfSums(cell: Cell | undefined): boolean {
  // Where a number follows without a colon or a blank, it is a code.
  return typeof cell === 'string' && !/^\s*\p{L}+[-_/]/u.test(cell) && WORD.test(normalForm(cell));
}

/** The number of a cell of amounts or quantities; undefined if it is none. */
export function numberIn(cell: Cell | undefined): number | undefined {
  if (typeof cell === 'number') return shownNumber(cell);
  const text = String(cell ?? '').trim();
  if (text === '') return undefined;
  const amount = readAmountText(text);
  return amount.ok ? amount.amount : undefined;
}

/** What the lines above add up to, in one column. */
interface Column {
  all: number;
  shown: number;
  allSince: number;
  shownSince: number;
}

const sumsOf = ({ all, shown, allSince, shownSince }: Column) => [allSince, shownSince, all, shown];

/** Adds up columns of amounts and quantities, to know a row of sums by its numbers, and to compare it. */
export class RunningSums {
  readonly #columns: ReadonlyMap<number, Column>;
  #lines = 0;

  constructor(columns: readonly number[]) {
    this.#columns = new Map(columns.map((index) => [index, { all: 0, shown: 0, allSince: 0, shownSince: 0 }]));
  }

  add({ cells, isHidden }: SheetLine): void {
    this.#lines += 1;
    for (const [index, column] of this.#columns) {
      const number = numberIn(cells[index]) ?? 0;
      column.all += number;
      column.allSince += number;
      if (isHidden === true) continue;
      column.shown += number;
      column.shownSince += number;
    }
  }

  /** Whether the numbers of a line are what the lines above add up to: in two columns, or in the only one. */
  fits({ cells }: SheetLine): boolean {
    const equal = [...this.#columns].filter(([index, column]) => {
      const number = numberIn(cells[index]);
      return number !== undefined && number !== 0 && sumsOf(column).includes(number);
    });
    return this.#lines > 1 && equal.length >= Math.min(2, this.#columns.size) && equal.length > 0;
  }

  /** Ends a part of the sheet with a row of sums; what differs from the lines above, by column, in words. */
  compare({ cells }: SheetLine): readonly { readonly index: number; readonly message: string }[] {
    const wrong = [...this.#columns].flatMap(([index, column]) => {
      const number = numberIn(cells[index]);
      if (number === undefined || sumsOf(column).includes(number)) return [];
      const message = `the row of sums has ${formatMoney(number)}, and the rows above add up to ${formatMoney(column.allSince)}`;
      return [{ index, message }];
    });
    for (const column of this.#columns.values()) {
      column.allSince = 0;
      column.shownSince = 0;
    }
    return wrong;
  }
}

import { formatMoney } from '../../domain/amounts/money.ts';
import type { PlacedColumn } from './place-columns.ts';
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
    told: readonly Written[],
  ): { readonly column: PlacedColumn; readonly amount: number; readonly problem: string }[] {
    const wrong = told.flatMap(({ column, amount }) => {
      const sums = this.#of(column);
      if ([sums.all, sums.since, sums.allOnce, sums.sinceOnce].includes(amount)) return [];
      const gap = amount - sums.all;
      const problem = `the rows above add up to ${formatMoney(sums.all)}: ${formatMoney(Math.abs(gap))} ${gap > 0 ? 'is missing' : 'is too much'}`;
      return [{ column, amount, problem }];
    });
    for (const sums of this.#columns.values()) {
      sums.since = 0;
      sums.sinceOnce = 0;
    }
    return wrong;
  }
}

import { smallCash } from '../../domain/amounts/cash-on-delivery.ts';
import type { Account, RowQuestion } from '../account/account.ts';
import type { Answers } from '../account/questions.ts';
import { placeText, SheetError } from '../formats/sheet.ts';
import { say } from '../texts.ts';

/** Less than this is no amount that anybody pays for goods or collects: it may be one in thousands. */
const LEAST = 1_000;
/** The same of cash that a carrier collects; in thousands, an amount below this is one in a column with such. */
const LEAST_CASH = 10_000;
const MOST_CELLS_REPORTED = 5;

/** What the amounts of one column are. */
class AmountColumn {
  readonly name: string;
  readonly small: string[] = [];
  /** Those of them that were read in thousands, and may have all their digits: 1200 beside 350000. */
  readonly doubtful: string[] = [];
  /** Whether it has an amount to collect anywhere: where it has none, a blank cell is like all others. */
  readonly filled = { isMeant: false };
  /** The first cell that was read as the total of its order since it is blank. */
  firstBlank: string | undefined;
  readonly #asksBesideLarger: boolean;
  #hasLarge = false;

  constructor(name: string, asksBesideLarger: boolean) {
    this.name = name;
    this.#asksBesideLarger = asksBesideLarger;
  }

  /** Whether all of its amounts are small. */
  get isSmall(): boolean {
    return this.small.length > 0 && !this.#hasLarge;
  }

  /** Whether its small amounts are asked about. */
  get isMeant(): boolean {
    return this.isSmall || (this.#asksBesideLarger && this.isMixed);
  }

  get isMixed(): boolean {
    return this.small.length > 0 && this.#hasLarge;
  }

  addLarge(): void {
    this.#hasLarge = true;
  }
}

/** How an amount counts: in thousands, if that was said; what is to be asked, or is wrong with it. */
interface Counted {
  readonly amount: number;
  readonly note?: string;
  readonly message?: string;
  readonly ask?: RowQuestion;
}

/**
 * Watches the columns of amounts of a sheet: of those below 1,000, and of cash below 10,000, it is asked whether they are thousands;
 * then 1200 beside 250 is one, too. Of fees of carriers, which
 * may be small beside larger ones, only where all are.
 * Cash below 1,000 is never collected.
 */
export class SmallAmounts {
  readonly #unit: 'thousand' | 'one' | undefined;
  readonly #ofCarriers: boolean;
  readonly #columns = new Map<string, AmountColumn>();

  constructor(unit: 'thousand' | 'one' | undefined, { ofCarriers = false } = {}) {
    this.#unit = unit;
    this.#ofCarriers = ofCarriers;
  }

  /** Counts an amount of a field in a column, or in the records' field itself. */
  count(field: string, cell: string, amount: number, name = field): Counted {
    const column = this.#columnOf(name);
    if (amount === 0) return { amount };
    column.filled.isMeant = true;
    const isCash = field.endsWith('cod_amount') && !this.#ofCarriers;
    const least = isCash || (this.#unit === 'thousand' && !this.#ofCarriers) ? LEAST_CASH : LEAST;
    if (Math.abs(amount) >= least) {
      column.addLarge();
      return { amount };
    }
    column.small.push(cell);
    const ask: RowQuestion = { id: 'unit', name, cell, of: column, answer: this.#unit };
    if (this.#unit !== 'thousand') {
      const message = smallCash(field, amount);
      return { amount, ask, ...(message !== undefined && { message }) };
    }
    // Fees of carriers may be small beside larger ones.
    if (this.#ofCarriers || Math.abs(amount) >= LEAST) column.doubtful.push(cell);
    return { amount: amount * LEAST, ask, note: say().line.thousands({ amount: amount * LEAST }) };
  }

  /** Takes notice of an amount with a unit of its own. */
  fill(name: string): void {
    this.#columnOf(name).filled.isMeant = true;
  }

  /** What is asked about a blank cell where cash is due, and was answered. */
  blankIn(name: string, cell: string, answer: Answers['blank_cash']): RowQuestion {
    const column = this.#columnOf(name);
    if (answer === 'total') column.firstBlank ??= cell;
    return { id: 'blank_cash', name, cell, of: column.filled, answer };
  }

  #columnOf(name: string): AmountColumn {
    const column = this.#columns.get(name) ?? new AmountColumn(name, !this.#ofCarriers);
    this.#columns.set(name, column);
    return column;
  }

  /** A sum of the amounts in a column so far as they count. */
  sumOf(name: string, sum: number): number {
    return this.#unit === 'thousand' && this.#columns.get(name)?.isSmall === true ? sum * LEAST : sum;
  }

  /**
   * Warns of small amounts beside larger ones, a sentence for each column; throws a SheetError for a column of larger amounts
   * in which one that was read in thousands may have all its digits, and for one that has no cash anywhere, where the total was to be collected for blank cells beside some.
   */
  finish(account: Account): void {
    for (const { name, filled, firstBlank } of this.#columns.values()) {
      if (filled.isMeant || firstBlank === undefined) continue;
      const message = say().line.cashNowhere({ column: name, cell: placeText(firstBlank) });
      throw new SheetError(message, { code: 'cells_wrong', hint: say().line.cashNowhereHint });
    }
    for (const { name, small, doubtful } of [...this.#columns.values()].filter((column) => column.isMixed)) {
      const cells = (this.#unit === 'thousand' ? doubtful : small).slice(0, MOST_CELLS_REPORTED).map(placeText);
      if (this.#unit === 'thousand') {
        if (cells.length === 0) continue;
        const message = say().line.mixedThousands({ column: name, cells });
        throw new SheetError(message, { code: 'cells_wrong', hint: say().line.mixedThousandsHint });
      }
      const isMore = small.length > MOST_CELLS_REPORTED;
      account.warn('small_amounts', say().line.smallAmounts({ column: name, cells, isMore }));
    }
  }
}

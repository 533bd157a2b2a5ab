import { smallCash } from '../../domain/amounts/cash-on-delivery.ts';
import type { Account, RowQuestion } from '../account/account.ts';
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
  /** Its cells without an amount where one is due. */
  readonly blank: string[] = [];
  isFilled = false;
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
    column.isFilled = true;
    if (amount === 0) return { amount };
    const isCash = field.endsWith('cod_amount') && !this.#ofCarriers;
    const least = isCash || (this.#unit === 'thousand' && !this.#ofCarriers) ? LEAST_CASH : LEAST;
    if (Math.abs(amount) >= least) {
      column.addLarge();
      return { amount };
    }
    column.small.push(cell);
    const ask: RowQuestion = { id: 'unit', name, cell, of: column, answer: this.#unit };
    if (this.#unit === 'thousand')
      return { amount: amount * LEAST, ask, note: say().line.thousands({ amount: amount * LEAST }) };
    const message = smallCash(field, amount);
    return { amount, ask, ...(message !== undefined && { message }) };
  }

  /** Takes notice of a blank cell where an amount is due. */
  addBlank(name: string, cell: string): void {
    this.#columnOf(name).blank.push(cell);
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
   * Warns of small amounts beside larger ones, and of blank cells beside filled ones, a sentence for each column; throws a SheetError for a column that was read in
   * thousands and has larger amounts as well.
   */
  finish(account: Account): void {
    for (const { name, blank } of [...this.#columns.values()].filter(({ isFilled }) => isFilled)) {
      const cells = blank.slice(0, MOST_CELLS_REPORTED).map(placeText);
      if (blank.length > 0)
        account.warn('cash_blank', say().line.blankCash({ column: name, cells, count: blank.length }));
    }
    for (const { name, small } of [...this.#columns.values()].filter((column) => column.isMixed)) {
      const cells = small.slice(0, MOST_CELLS_REPORTED).map(placeText);
      if (this.#unit === 'thousand') {
        const message = say().line.mixedThousands({ column: name, cells });
        throw new SheetError(message, { code: 'cells_wrong', hint: say().line.mixedThousandsHint });
      }
      const isMore = small.length > MOST_CELLS_REPORTED;
      account.warn('small_amounts', say().line.smallAmounts({ column: name, cells, isMore }));
    }
  }
}

import { smallCash } from '../../domain/amounts/cash-on-delivery.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import { isPaymentKind, type PaymentKind, paymentKinds } from '../../domain/amounts/payment-kinds.ts';
import type { RowQuestion } from '../../sheets/account/account.ts';
import type { Cell, Grid, SheetLine } from '../../sheets/formats/sheet.ts';
import { columnLetters } from '../../sheets/formats/sheet.ts';
import { spokenOf } from '../../sheets/mapping/export-statuses.ts';
import { isWordOfSums } from '../../sheets/rows/data-lines.ts';
import type { SmallAmounts } from '../../sheets/rows/small-amounts.ts';
import { type Read, textOf } from '../../sheets/service/cells.ts';
import { normalForm } from '../../sheets/service/layout.ts';
import { say as sheetsSay } from '../../sheets/texts.ts';
import { cautionOf } from '../../sheets/values.ts';
import { say } from '../texts.ts';
import type { PaymentCaution, PaymentLine, PaymentReading } from './payment-cells.ts';
import { IN_WORDS, plainCell, readAmount, readCode } from './payment-cells.ts';
import { isAmount, type Placed, type PlacedColumn } from './place-columns.ts';
import type { Opened } from './recognise.ts';

/** A cell that is wrong, by its column. */
export interface Wrong {
  readonly column: PlacedColumn;
  readonly value: () => string;
  /** Said when somebody reads it: what is stored of it is in English. */
  readonly problem: () => string;
}

/** An amount as a cell has it. */
export interface Written {
  readonly column: PlacedColumn;
  readonly amount: number;
}

/** What a row of a payment file is. */
export type RowReading =
  /** Neither a parcel nor an amount: a title, a signature, the header again. */
  | { readonly kind: 'text' }
  /** The sums of other rows. */
  | { readonly kind: 'sums'; readonly written: readonly Written[]; readonly wrong: readonly Wrong[] }
  | {
      readonly kind: 'row';
      /** Its lines; none if it could not be read. Their days are read when the whole file is known. */
      readonly lines: readonly PaymentLine[];
      /** The amounts that could be read, for comparison with a row of sums. */
      readonly written: readonly Written[];
      readonly wrong: readonly Wrong[];
      readonly isRead: boolean;
    };

/** How the amounts of a row count for the shop. */
interface Counted {
  readonly kind: PaymentKind;
  readonly amount: number;
  readonly column: PlacedColumn;
}

/** What the cells of a row say, before it is known what that amounts to. */
interface RowParts {
  readonly code: string;
  readonly id: string;
  readonly session: string;
  readonly written: readonly Written[];
  readonly wrong: readonly Wrong[];
}

/** A code without a capital, as somebody has typed it. */
const SMALL_CODE = /^(?=.*[a-z])(?=.*\d)[a-z\d.-]+$/;

/** An id of a shipment of ours. */
const OWN_ID = /^\d{19}$/;

/** Whether several words where a parcel would be are those of a sum, as "Tổng trang 1" and "Lũy kế" are; "Công nợ" and "Công đóng gói" are not. */
const isSumInWords = (text: string) =>
  IN_WORDS.test(text) &&
  /^(?:tong|cong(?! no)|luy ke|total|grand total|subtotal|sum)\b/.test(normalForm(text)) &&
  !/^\P{L}*công\b/iu.test(text.normalize('NFC'));

/** Kinds that a row may have without a parcel: they belong to the session. */
const ofSessions: ReadonlySet<PaymentKind> = new Set(['debt', 'transfer', 'compensation', 'other']);

/** Words for what the shop and the carrier owe each other from before; such a row is about no parcel. */
const isWordOfDebt = (cell: Cell) =>
  /\b(?:cong no|no cu|no ky truoc|no phien truoc|can tru|bu tru)\b/.test(normalForm(textOf(cell)));

/** Words of a carrier, without accents, by which a parcel was not delivered, or its cash not collected or not paid. */
const UNPAID = [
  /(?<!\b(?:khong|chua|ko) )\b(?:chuyen hoan|(?:da|dang|cho|bi) (?:chuyen )?hoan$|hoan (?:hang|ve|tra|lai|kho|don|shop)|tra hang|huy)\b/,
  /\b(?:dang|cho) (?:giao|phat|van chuyen|luan chuyen|trung chuyen|lay)\b|\b(?:giao|phat) (?:hang )?(?:that bai|khong thanh cong)\b/,
  /\b(?:khong|chua|ko) (?:duoc )?(?:giao|phat|lay|thu|tra|chuyen|thanh toan|tt|doi soat|nhan)(?: duoc)?(?: (?:hang|cod|tien|ho|cho shop))*$/,
  /\b(?:that lac|mat hang|boom|bom)\b|^ton$|\b(?:cancel|return|fail|undeliver)|\b(?:in transit|delivering|unpaid|not paid|not collected)\b/,
];

/** Whether a text of a payment file says that the cash of its parcel was not paid. */
const saysUnpaid = (text: string) =>
  text
    .split(/[,;.()\n|–]+|\s-\s/u)
    .map(normalForm)
    .some((clause) => UNPAID.some((words) => words.test(clause)));

const signed = (kind: PaymentKind, written: number) => (written === 0 ? 0 : paymentKinds[kind] * written);

/** An amount as it counts for the shop, whatever confirms it. */
const asCounted = (one: Counted): Counted =>
  one.column.negative === true ? one : { ...one, amount: signed(one.kind, one.amount) };

const sumOf = (amounts: readonly { readonly amount: number }[]) => amounts.reduce((sum, { amount }) => sum + amount, 0);

/** What a reading says is wrong, in the language that is spoken when it is asked. */
const messageOf = (read: () => Read<unknown>) => () => {
  const again = read();
  return again.kind === 'wrong' ? again.message : '';
};

/** Reads the rows of a payment file by the columns of its layout. */
export class RowReader {
  readonly #columns: readonly PlacedColumn[];
  readonly #amounts: readonly PlacedColumn[];
  readonly #placed: Placed;
  readonly #grid: Pick<Grid, 'mayBeGuarded' | 'sheet'>;
  readonly #small: SmallAmounts;
  /** Cells that were read otherwise than they are written. */
  readonly readings: PaymentReading[] = [];
  /** What is unusual about cells that count nevertheless. */
  readonly cautions: PaymentCaution[] = [];
  /** What a person has to say about its amounts. */
  readonly asks: RowQuestion[] = [];
  /** How many rows say what is paid for them, and the cells of those in which it does not follow from their amounts. */
  nets = 0;
  readonly gaps: string[] = [];
  /** How many rows with an amount say nothing of that, and the cells of those which keep more than their cash. */
  plain = 0;
  readonly turned: string[] = [];
  /** How many rows have a code and an id, and the cells of the codes of those in which each is in the other's place. */
  named = 0;
  readonly swapped: string[] = [];

  /** The columns of no field in which a carrier says what became of a parcel. */
  readonly #telling: readonly number[];

  /** `small` watches the columns of amounts, of all sheets of the file. */
  constructor({ placed, grid, heads }: Pick<Opened, 'placed' | 'grid' | 'heads'>, small: SmallAmounts) {
    this.#placed = placed;
    const used = new Set(placed.columns.map(({ index }) => index));
    this.#telling = [...heads].flatMap((head = '', index) =>
      !used.has(index) && ['state', 'note'].includes(spokenOf(head) ?? '') ? [index] : [],
    );
    this.#columns = placed.columns;
    this.#amounts = placed.columns.filter(isAmount);
    this.#grid = grid;
    this.#small = small;
  }

  cell({ cells }: SheetLine, { index }: PlacedColumn): Cell {
    return plainCell(cells[index], this.#grid.mayBeGuarded);
  }

  #column(field: PlacedColumn['field']): PlacedColumn | undefined {
    return this.#columns.find((one) => one.field === field);
  }

  /** What a line is. */
  read(line: SheetLine): RowReading {
    const wrong: Wrong[] = [];
    const code = this.#text(line, 'shipping_code', wrong);
    const id = this.#text(line, 'fulfillment_id', wrong);
    const session = this.#text(line, 'session', wrong);
    const isOfSums = this.#isSums(line, code, id);
    this.#compareNames(line, code, id);
    const written: Written[] = [];
    for (const column of this.#amounts) {
      const cell = this.cell(line, column);
      const read = readAmount(cell, column);
      if (read.kind === 'wrong')
        wrong.push({ column, value: () => textOf(cell), problem: messageOf(() => readAmount(cell, column)) });
      if (read.kind !== 'value') continue;
      this.#noteReading(line, column, read.note);
      const counted = isOfSums ? this.#summed(column, read.value) : this.#countedIn(line, column, read.value);
      written.push({ column, amount: counted.amount });
      if (counted.message !== undefined)
        wrong.push({ column, value: () => textOf(cell), problem: () => smallCash('cod_amount', read.value) ?? '' });
    }
    const isNamed = code !== '' || id !== '';
    if (isOfSums) {
      return written.length > 0 ? { kind: 'sums', written, wrong } : { kind: 'text' };
    }
    const lacksAmounts = written.length === 0;
    if (lacksAmounts && (!isNamed || this.#isHeaderAgain(line))) {
      const isText = wrong.every(({ value }) => !/\d/.test(value())) || this.#isHeaderAgain(line);
      if (isText) return { kind: 'text' };
    }
    return this.#row(line, { code, id, session, written, wrong });
  }

  /** A carrier's code is no id of ours, nor the other way round. */
  #compareNames(line: SheetLine, code: string, id: string): void {
    const column = this.#column('shipping_code');
    if (column === undefined || code === '' || id === '') return;
    this.named += 1;
    if (OWN_ID.test(code) && !OWN_ID.test(id)) this.swapped.push(this.#nameOf(line, column));
  }

  /** A sum as it counts: one of amounts in thousands is in thousands. */
  #summed({ title, unit }: PlacedColumn, amount: number): { readonly amount: number; readonly message?: string } {
    return { amount: unit === undefined ? this.#small.sumOf(title, amount) : amount };
  }

  /** An amount as it counts: one below 1,000 may be in thousands, and no cash is so small. */
  #countedIn(line: SheetLine, column: PlacedColumn, amount: number) {
    const kind = column.field === 'amount' ? this.#kind(line) : column.field;
    const field = kind === 'cod' ? 'cod_amount' : column.field;
    if (column.unit !== undefined) return { amount, message: smallCash(field, amount) };
    const cell = this.#nameOf(line, column);
    const counted = this.#small.count(field, cell, amount, column.title);
    this.#noteReading(line, column, counted.note);
    if (counted.ask !== undefined) this.asks.push(counted.ask);
    return counted;
  }

  #nameOf({ line }: SheetLine, { index }: PlacedColumn): string {
    const { sheet } = this.#grid;
    return `${sheet === undefined ? '' : `${sheet}!`}${columnLetters(index)}${line}`;
  }

  #noteReading(line: SheetLine, column: PlacedColumn, message: string | undefined): void {
    if (message === undefined) return;
    const cell = `${columnLetters(column.index)}${line.line}`;
    this.readings.push({ cell, value: String(this.cell(line, column)).trim(), message });
  }

  #text(line: SheetLine, field: 'shipping_code' | 'fulfillment_id' | 'session', wrong: Wrong[]): string {
    const column = this.#column(field);
    if (column === undefined) return '';
    const isOfDays = field === 'session';
    const cell = (isOfDays ? undefined : line.shown?.get(column.index)) ?? this.cell(line, column);
    const isDay = !isOfDays && line.days?.includes(column.index) === true;
    const readAgain = () =>
      isDay ? ({ kind: 'wrong', message: sheetsSay().cell.ruinedDay } as const) : readCode(cell, column);
    const read = readAgain();
    if (read.kind === 'wrong') wrong.push({ column, value: () => textOf(cell), problem: messageOf(readAgain) });
    if (read.kind !== 'value') return '';
    this.#noteReading(line, column, read.note);
    // Carriers write their codes in capitals.
    const value = field === 'shipping_code' && SMALL_CODE.test(read.value) ? read.value.toUpperCase() : read.value;
    if (value !== read.value) this.#noteReading(line, column, say().cell.readAs({ value }));
    const caution = cautionOf(field, value, !isOfDays);
    if (caution !== undefined) {
      const { note: message, code } = caution;
      const at = `${columnLetters(column.index)}${line.line}`;
      this.cautions.push({ row: line.line, cell: at, value, message: `${column.title} ${message}`, code });
    }
    return value;
  }

  /** A sum is named so where a parcel would be, or anywhere in a row without a parcel. */
  #isSums({ cells }: SheetLine, code: string, id: string): boolean {
    const named = code === '' ? id : code;
    return named === '' ? cells.some(isWordOfSums) : isWordOfSums(named) || isSumInWords(named);
  }

  /** The header of a page further down. */
  #isHeaderAgain(line: SheetLine): boolean {
    return this.#amounts.every((column) => normalForm(textOf(this.cell(line, column))) === normalForm(column.title));
  }

  #row(line: SheetLine, { code, id, session: own, written, wrong }: RowParts): RowReading {
    const unread = (...more: readonly Wrong[]): RowReading => ({
      kind: 'row',
      lines: [],
      written,
      wrong: [...wrong, ...more],
      isRead: false,
    });
    const lost = wrong.filter(({ column }) => column.field !== 'fulfillment_id' || code === '');
    if (lost.length > 0) return unread();
    const debt = this.#debt(line, code === '' ? id : code, written);
    if (debt !== undefined) {
      const more = { session: own === '' ? this.#placed.layout.session : own, shippingCode: '', fulfillmentId: '' };
      return { kind: 'row', lines: [{ ...debt, ...more }], written, wrong, isRead: true };
    }
    const counted = this.#counted(line, written);
    const names = this.#column('shipping_code') ?? this.#column('fulfillment_id');
    const named = code === '' ? id : code;
    const isParcel = named !== '' && !IN_WORDS.test(named);
    // Whoever fills in the cash of a row without a parcel is asked for that next.
    const isBlankCash = 'problem' in counted && counted.column.field === 'cod' && written.length > 0;
    if ('problem' in counted && (isParcel || !isBlankCash)) return unread(counted);
    const isOfSession =
      !('problem' in counted) &&
      counted.every(({ kind, amount }) => ofSessions.has(kind) || (named !== '' && amount === 0)) &&
      counted.some(({ amount }) => amount !== 0);
    if (!isParcel && !isOfSession && names !== undefined) {
      const problem = () => {
        const amounts = this.#shown(written);
        return named === '' ? say().cell.blankParcel({ amounts }) : say().cell.noParcel({ amounts });
      };
      return unread({ column: names, value: () => named, problem });
    }
    if ('problem' in counted) return unread(counted);
    const paid = this.#paid(line, counted, written);
    if ('problem' in paid) return unread(paid);
    const checked = this.#checked(line, paid, written);
    if (checked.counted === undefined) return unread(checked.wrong);
    const session = own === '' ? this.#placed.layout.session : own;
    const lines = checked.counted.flatMap(({ kind, amount, column }): PaymentLine[] =>
      amount === 0 && (kind !== 'cod' || !isParcel)
        ? []
        : [
            {
              cell: `${columnLetters(column.index)}${line.line}`,
              session,
              shippingCode: isParcel ? code : '',
              fulfillmentId: isParcel ? id : '',
              kind,
              amount,
              day: undefined,
              duplicateOf: undefined,
              cells: '',
            },
          ],
    );
    const more = checked.wrong === undefined ? wrong : [...wrong, checked.wrong];
    return { kind: 'row', lines, written, wrong: more, isRead: true };
  }

  /**
   * The amounts of a row without the cash of which it says that it was not paid, if what is paid for the row says so, too; what is wrong
   * with it where nothing says it.
   */
  #paid(line: SheetLine, counted: readonly Counted[], written: readonly Written[]): readonly Counted[] | Wrong {
    const index = this.#telling.find((one) => saysUnpaid(textOf(line.cells[one])));
    const cash = counted.find(({ kind, amount }) => kind === 'cod' && amount > 0);
    if (index === undefined || cash === undefined) return counted;
    const value = textOf(line.cells[index]);
    const net = written.find(({ column }) => column.field === 'net')?.amount;
    const sum = (all: readonly Counted[]) => sumOf(all.map(asCounted));
    const rest = counted.map((one) => (one === cash ? { ...one, amount: 0 } : one));
    const note = (message: string, code: string) => {
      const cell = `${columnLetters(cash.column.index)}${line.line}`;
      this.cautions.push({ row: line.line, cell, value, message: `${cash.column.title} ${message}`, code });
    };
    if (net === sum(rest)) {
      note(say().cell.unpaid({ value: JSON.stringify(value) }), 'cash_unpaid');
      return rest;
    }
    if (net === sum(counted)) {
      note(say().cell.paidAllTheSame({ value: JSON.stringify(value) }), 'cash_paid_all_the_same');
      return counted;
    }
    const problem = () => say().cell.paidOrNot({ value: JSON.stringify(value) });
    return { column: cash.column, value: () => formatMoney(cash.amount), problem };
  }

  /** A debt of the session, in a row that is named so where a parcel would be, or anywhere without a parcel. */
  #debt({ cells, line }: SheetLine, name: string, written: readonly Written[]) {
    if (!(name === '' ? cells.some(isWordOfDebt) : isWordOfDebt(name))) return undefined;
    const net = written.find(({ column }) => column.field === 'net');
    const amounts = written.filter(({ column, amount }) => column.field !== 'net' && amount !== 0);
    const [one] = net === undefined ? amounts : [net];
    if (one === undefined || (net === undefined && amounts.length > 1)) return undefined;
    const { column, amount } = one;
    // What is paid for the row, and what is below zero, is as the carrier counts it; any other amount is by its column.
    const isPlain = column.field === 'net' || amount < 0 || column.negative === true;
    const kind = isPaymentKind(column.field) ? column.field : 'debt';
    if (!isPlain && paymentKinds[kind] > 0) return undefined;
    const cell = `${columnLetters(column.index)}${line}`;
    const none = { day: undefined, duplicateOf: undefined, cells: '' };
    return { cell, kind: 'debt' as const, amount: isPlain ? amount : signed(kind, amount), ...none };
  }

  #shown(written: readonly Written[]): string {
    const reported = written.filter(({ amount }) => amount !== 0);
    return (
      reported.map(({ column, amount }) => `${column.title} ${formatMoney(amount)}`).join(', ') || say().cell.noAmounts
    );
  }

  /** The amounts of a row by kind, or what is wrong with it. */
  #counted(line: SheetLine, written: readonly Written[]): readonly Counted[] | Wrong {
    const counted: Counted[] = [];
    for (const { column, amount } of written) {
      const { field } = column;
      if (field === 'net') continue;
      const kind = field === 'amount' ? this.#kind(line) : field;
      if (typeof kind === 'string' && isPaymentKind(kind)) counted.push({ kind, amount, column });
      else if (typeof kind === 'object') return kind;
    }
    const [cash] = this.#amounts.filter(({ field }) => field === 'cod');
    const hasNet = written.some(({ column }) => column.field === 'net');
    const isBlank = cash !== undefined && counted.every(({ kind }) => kind !== 'cod');
    if (isBlank && (counted.length === 0 || !hasNet)) {
      return { column: cash, value: () => '', problem: () => say().cell.blankCash };
    }
    const [amount] = this.#amounts;
    if (counted.length === 0 && amount !== undefined)
      return { column: amount, value: () => '', problem: () => say().cell.blankAmount };
    return isBlank ? [{ kind: 'cod', amount: 0, column: cash }, ...counted] : counted;
  }

  /** The kind that a column of its own tells. */
  #kind(line: SheetLine): PaymentKind | Wrong {
    const column = this.#column('kind');
    if (column === undefined) return this.#placed.layout.kind ?? 'other';
    const value = textOf(this.cell(line, column));
    const words = Object.entries(column.words ?? {}).find(([word]) => normalForm(word) === normalForm(value))?.[1];
    const kind = words ?? value.toLowerCase();
    return isPaymentKind(kind) ? kind : { column, value: () => value, problem: () => say().cell.noKind };
  }

  /** Whether a carrier keeps more of a row than it collects: most rows do so only where two columns are swapped. */
  #compareSides(line: SheetLine, counted: readonly Counted[]): void {
    const column = this.#column('cod');
    if (column === undefined || counted.every(({ amount }) => amount === 0)) return;
    this.plain += 1;
    const of = (isMeant: (kind: PaymentKind) => boolean) => sumOf(counted.filter(({ kind }) => isMeant(kind)));
    const cash = of((kind) => kind === 'cod');
    const kept = cash > 0 ? of((kind) => kind !== 'cod') : of((kind) => kind === 'provisional');
    if (kept < 0 && cash + kept < 0) this.turned.push(this.#nameOf(line, column));
  }

  /**
   * Amounts as they count, compared with what is paid for the row. An amount below zero in a column that usually is above
   * it is taken only if that confirms it: as a fee given back, or as a fee that is written as a deduction.
   */
  #checked(
    line: SheetLine,
    counted: readonly Counted[],
    written: readonly Written[],
  ):
    | { readonly counted: readonly Counted[]; readonly wrong?: Wrong }
    | { readonly counted?: undefined; readonly wrong: Wrong } {
    const usual = counted.map(asCounted);
    if (written.every(({ column }) => column.field !== 'net')) this.#compareSides(line, usual);
    const below = counted.find(({ amount, column }) => amount < 0 && column.negative !== true);
    const net = written.find(({ column }) => column.field === 'net');
    if (net !== undefined) this.nets += 1;
    if (net !== undefined && sumOf(usual) === net.amount) return { counted: usual };
    if (below !== undefined) {
      const asWritten = counted.map((one, index) => (one.amount < 0 ? one : (usual[index] ?? one)));
      if (net !== undefined && sumOf(asWritten) === net.amount) return { counted: asWritten };
      const value = () => textOf(this.cell(line, below.column));
      const problem = () => say().cell.belowZero;
      return { wrong: { column: below.column, value, problem } };
    }
    if (net === undefined) return { counted: usual };
    const gap = net.amount - sumOf(usual);
    const value = () => textOf(this.cell(line, net.column));
    const problem = () => say().cell.gap({ sum: sumOf(usual), gap });
    this.gaps.push(this.#nameOf(line, net.column));
    const rest: Counted = { kind: 'unexplained', amount: gap, column: net.column };
    return { counted: [...usual, rest], wrong: { column: net.column, value, problem } };
  }
}

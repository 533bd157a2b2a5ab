import { formatMoney, readAmountText } from '../../domain/amounts/money.ts';
import type { PaymentKind } from '../../domain/amounts/payment-kinds.ts';
import { unguard } from '../../domain/csv-guard.ts';
import { isMasked } from '../../domain/damaged-text.ts';
import type { LeftOut, SheetAccount, SheetWarning } from '../../sheets/account/account.ts';
import type { Cell } from '../../sheets/formats/sheet.ts';
import { dayOf, mappedCell } from '../../sheets/mapping/mapping.ts';
import { notWhole, shownNumber } from '../../sheets/ruined-number.ts';
import { type Read, readText, textOf } from '../../sheets/service/cells.ts';
import { say } from '../texts.ts';
import type { PlacedColumn } from './place-columns.ts';

/** One amount of one kind for one parcel. */
export interface PaymentLine {
  /** The cell that it was read from, such as H12. */
  readonly cell: string;
  /** The payment session; undefined if the file does not say. */
  readonly session: string | undefined;
  /** The carrier's code of the parcel; empty if the file has none. */
  readonly shippingCode: string;
  /** Our id of the shipment as the file has it; empty if it has none. */
  readonly fulfillmentId: string;
  readonly kind: PaymentKind;
  /** As it counts for the shop: what the carrier keeps is below zero. */
  readonly amount: number;
  /** The day that the file tells of the parcel, YYYY-MM-DD; undefined without one. */
  readonly day: string | undefined;
  /** The cell of the same amount in a row before it that is equal in all cells: this one is not counted. */
  readonly duplicateOf: string | undefined;
  /** A hash of all cells of its row, except for the number of the row in the file. */
  readonly cells: string;
}

/** What is wrong with a cell of a payment file. */
export interface PaymentProblem {
  readonly sheet: string | null;
  readonly row: number;
  readonly cell: string;
  readonly value: string;
  readonly problem: string;
}

/** A cell that is read otherwise than it is written. */
export interface PaymentReading {
  readonly cell: string;
  readonly value: string;
  readonly message: string;
}

/** Something unusual about a cell that counts nevertheless; `code` says of which kind. */
export interface PaymentCaution extends PaymentReading {
  readonly row: number;
  readonly code: string;
}

/** A payment file as it was read. */
export interface PaymentFile {
  /** The name of the layout. */
  readonly layout: string;
  readonly carrier: string | undefined;
  readonly sheet: string | null;
  /** Lines of its sheets, the header and blank ones excepted: those with a row, and those that are left out. */
  readonly allLines: number;
  readonly leftOut: readonly LeftOut[];
  readonly sheets: readonly SheetAccount[];
  readonly readings: readonly PaymentReading[];
  /** What is unusual about the file as a whole, and about its cells. */
  readonly warnings: readonly SheetWarning[];
  readonly cautions: readonly PaymentCaution[];
  /** Rows with a parcel or an amount, whether they could be read or not. */
  readonly rows: number;
  /** Rows that could not be read: nothing in them is counted. */
  readonly unread: number;
  /** Rows without a parcel and without an amount, such as titles. */
  readonly textRows: readonly number[];
  /** Rows that hold the sums of others. */
  readonly sumRows: readonly number[];
  readonly lines: readonly PaymentLine[];
  readonly problems: readonly PaymentProblem[];
  /** The same in the language that is spoken when it is called. */
  readonly problemsNow: () => readonly PaymentProblem[];
  /** What a person should know, and nothing is wrong with. */
  readonly notes: readonly string[];
}

/** What tells the lines of one parcel from those of another: its code, otherwise our id. */
export const parcelOf = ({ shippingCode, fulfillmentId }: Pick<PaymentLine, 'shippingCode' | 'fulfillmentId'>) =>
  shippingCode === '' ? `#${fulfillmentId}` : shippingCode;

const wrong = (message: string) => ({ kind: 'wrong', message }) as const;

/** A cell of a file whose cells our own csv may have escaped. */
export const plainCell = (cell: Cell | undefined, mayBeGuarded: boolean): Cell =>
  mayBeGuarded && typeof cell === 'string' ? unguard(cell) : (cell ?? '');

/** An amount as it is written, exactly; a dash is none. */
export function readAmount(cell: Cell, { words, unit }: PlacedColumn): Read<number> {
  const mapped = mappedCell(cell, { field: 'amount', words, unit });
  if (!mapped.ok) return wrong(mapped.message);
  const text = textOf(mapped.cell);
  if (text === '' || /^[-–—]$/.test(text)) return { kind: 'blank' };
  if (typeof mapped.cell === 'number') {
    const fraction = notWhole(mapped.cell);
    return fraction === undefined ? { kind: 'value', value: shownNumber(mapped.cell) } : wrong(fraction);
  }
  // Books of accounts write what is below zero in parentheses.
  const [, inside] = /^\(\s*([^-\s].*?)\s*\)$/.exec(text) ?? [];
  const amount = readAmountText((inside === undefined ? text : `-${inside}`).replace(/(?<=\d)\s*d$/i, ''));
  if (!amount.ok) return wrong(amount.message);
  if (inside !== undefined)
    return { kind: 'value', value: amount.amount, note: say().cell.readAs({ value: formatMoney(amount.amount) }) };
  return { kind: 'value', value: amount.amount, ...(amount.note === undefined ? {} : { note: amount.note }) };
}

/** Two words of letters alone: no code of a parcel. */
export const IN_WORDS = /(?<!\S)\p{L}+\s+\p{L}+(?!\S)/u;

/** A code, an id or a session as text; one that is hidden is wrong, and one that a spreadsheet has turned into a rounded number is wrong. */
export function readCode(cell: Cell, { after }: PlacedColumn): Read<string> {
  const read = readText(cell);
  if (read.kind !== 'value') return read;
  if (isMasked(read.value)) return wrong(say().cell.masked);
  if (after === undefined) return read;
  const value = read.value.slice(read.value.lastIndexOf(after) + after.length).trim();
  return value === '' ? wrong(say().cell.lacksCode({ mark: JSON.stringify(after) })) : { ...read, value };
}

/** The day of a cell without a time that stands beside it; a date of a spreadsheet is like 2026-11-21. */
export function paymentDayText(cell: Cell): string {
  const text = textOf(cell);
  if (/^\d{4}-\d\d-\d\d(?:T|$)/.test(text)) return text.slice(0, 10);
  return text
    .replace(/^\d{1,2}:\d{2}(?::\d{2})?\s*,?\s*/, '')
    .replace(/\s*,?\s*\d{1,2}:\d{2}(?::\d{2})?$/, '')
    .trim();
}

/** A day in one of several layouts, YYYY-MM-DD; undefined if it is none. */
export function readPaymentDay(text: string, layout: string): string | undefined {
  return /^\d{4}[-/.]/.test(text) ? dayOf(text, 'YYYY-MM-DD') : dayOf(text, layout);
}

/** How the days of a column are written: by the layout, unless all of them only fit another of its ways. */
export interface DayColumn {
  /** The day of a text, YYYY-MM-DD; undefined if it is none. */
  read(text: string): string | undefined;
  /** What a person should know. */
  readonly notes: readonly string[];
  /** The layout that a text should have had. */
  expected(text: string): string;
}

const hasLongYear = (text: string) => /\d{4}/.test(text);

/** Decides how the days of a column are written, from all of them. */
export function dayColumn({ dates = ['DD/MM/YYYY'], title }: PlacedColumn, texts: readonly string[]): DayColumn {
  const notes: string[] = [];
  const chosen = new Map<boolean, string>();
  for (const isLong of [true, false]) {
    const own = dates.filter((way) => way.includes('YYYY') === isLong);
    // What writes the day before the month does so with a short year as well.
    const short = isLong || dates[0]?.startsWith('D') !== true ? [] : dates.map((way) => way.replace('YYYY', 'YY'));
    const ways = own.length > 0 ? own : short;
    const given = texts.filter((text) => hasLongYear(text) === isLong && text !== '');
    const usual = ways[0];
    const fitting = ways.find((way) => given.every((text) => readPaymentDay(text, way) !== undefined));
    if (usual === undefined) continue;
    chosen.set(isLong, fitting ?? usual);
    if (fitting !== undefined && fitting !== usual) {
      notes.push(say().cell.otherDays({ title, layout: fitting, usual }));
    }
  }
  const expected = (text: string) => chosen.get(hasLongYear(text)) ?? dates[0] ?? '';
  return { notes, expected, read: (text) => (text === '' ? undefined : readPaymentDay(text, expected(text))) };
}

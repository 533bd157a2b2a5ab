import { readAmountText } from '../../domain/amounts/amount-text.ts';
import { unguard } from '../../domain/csv-guard.ts';
import { isMasked } from '../../domain/damage/damaged-text.ts';
import type { Cell } from '../../sheets/formats/sheet.ts';
import { dayOf, mappedCell } from '../../sheets/mapping/mapping.ts';
import { notWhole, shownNumber } from '../../sheets/ruined-number.ts';
import { type Read, readText, textOf } from '../../sheets/service/cells.ts';
import type { PlacedColumn } from './place-columns.ts';

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
  const amount = readAmountText(text.replace(/(?<=\d)\s*d$/i, ''));
  if (!amount.ok) return wrong(amount.message);
  return { kind: 'value', value: amount.amount, ...(amount.note === undefined ? {} : { note: amount.note }) };
}

const MASKED_CODE = 'is hidden by asterisks: write it in full';

/** A code, an id or a session as text; one that is hidden is wrong, and one that a spreadsheet has turned into a rounded number is wrong. */
export function readCode(cell: Cell, { after }: PlacedColumn): Read<string> {
  const read = readText(cell);
  if (read.kind !== 'value') return read;
  if (isMasked(read.value)) return wrong(MASKED_CODE);
  if (after === undefined) return read;
  const value = read.value.slice(read.value.lastIndexOf(after) + after.length).trim();
  return value === ''
    ? wrong(`ends with ${JSON.stringify(after)}, after which the code of the parcel is expected`)
    : { ...read, value };
}

/** The day of a cell without a time that stands beside it; a date of a spreadsheet is like 2026-11-21. */
export function dayText(cell: Cell): string {
  const text = textOf(cell);
  if (/^\d{4}-\d\d-\d\d(?:T|$)/.test(text)) return text.slice(0, 10);
  return text
    .replace(/^\d{1,2}:\d{2}(?::\d{2})?\s*,?\s*/, '')
    .replace(/\s*,?\s*\d{1,2}:\d{2}(?::\d{2})?$/, '')
    .trim();
}

/** A day in one of several layouts, YYYY-MM-DD; undefined if it is none. */
export function readDay(text: string, layout: string): string | undefined {
  return /^\d{4}-/.test(text) ? dayOf(text, 'YYYY-MM-DD') : dayOf(text, layout);
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
    const ways = dates.filter((way) => way.includes('YYYY') === isLong);
    const own = texts.filter((text) => hasLongYear(text) === isLong && text !== '');
    const usual = ways[0];
    const fitting = ways.find((way) => own.every((text) => readDay(text, way) !== undefined));
    if (usual === undefined) continue;
    chosen.set(isLong, fitting ?? usual);
    if (fitting !== undefined && fitting !== usual) {
      notes.push(`${title}: the dates are written like ${fitting}, not like ${usual} as usual; they are read so`);
    }
  }
  const expected = (text: string) => chosen.get(hasLongYear(text)) ?? dates[0] ?? '';
  return { notes, expected, read: (text) => (text === '' ? undefined : readDay(text, expected(text))) };
}

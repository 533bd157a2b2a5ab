import { decimalsOrThousands } from '../domain/amounts/money.ts';
import type { Cell } from './formats/sheet.ts';
import { say } from './texts.ts';

/**
 * A number of a spreadsheet as it is shown and compared there, with 15 digits: what a formula leaves behind them
 * (350000 × 1.1 is 385000.00000000006) is binary noise. A whole number keeps all its digits.
 */
export const shownNumber = (number: number): number =>
  Number.isInteger(number) ? number : Number(number.toPrecision(15));

/** Why a number of a spreadsheet is no amount, whose point is a decimal one; undefined if it is whole. */
export function notWhole(number: number): string | undefined {
  const shown = shownNumber(number);
  if (Number.isSafeInteger(shown)) return undefined;
  const doubt = decimalsOrThousands(String(shown));
  return doubt === undefined ? say().cell.wholeAmount : say().cell.thousandsOrDecimals(doubt);
}

/** Spreadsheet numbers have 15 digits; an id converted to one has lost its last digits. */
const MOST_EXACT = 1e15;
/** As spreadsheets write a large number: with a point or with the sign of the exponent. `0E68070526` may be a code. */
const SCIENTIFIC = /^[+-]?\d(?:[.,]\d+e\+?|e\+)\d+$/i;

/** The errors of formulas, as spreadsheets write them to csv. */
const FORMULA_ERROR = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|ERROR!)$/;

/** The error that stands for any other one. */
export const OTHER_ERROR = '#VALUE!';

/** Whether a text is the error of a formula. */
export const isFormulaError = (text: string): boolean => text.startsWith('#') && FORMULA_ERROR.test(text);

/** Whether an identifier in this cell has lost digits: it is a number beyond 15 digits, or the text of one. */
export function isRuined(cell: Cell | undefined, text: string): boolean {
  return typeof cell === 'number' ? Math.abs(cell) >= MOST_EXACT : SCIENTIFIC.test(text);
}

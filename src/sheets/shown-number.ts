import { decimalsOrThousands } from '../domain/amounts/decimals-or-thousands.ts';

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
  return doubt === undefined ? 'must be a whole amount, without a fraction' : `${doubt}: write the whole amount`;
}

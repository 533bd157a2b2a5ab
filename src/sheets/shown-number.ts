/**
 * A number of a spreadsheet as it is shown and compared there, with 15 digits: what a formula leaves behind them
 * (350000 × 1.1 is 385000.00000000006) is binary noise. A whole number keeps all its digits.
 */
export const shownNumber = (number: number): number =>
  Number.isInteger(number) ? number : Number(number.toPrecision(15));

import { readAmount } from './amount.ts';

/**
 * An integer amount with its digits grouped by threes: 1380000 → "1,380,000". No symbol and no decimal point, for
 * the contract names no currency (Resources, Conventions). Throws AmountError (field `amount`) for anything inexact.
 */
export function formatMoney(amount: number): string {
  return readAmount(amount, 'amount')
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',');
}

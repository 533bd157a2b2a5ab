import { readAmount } from './amount.ts';

/** The smallest number with two groups. */
const SHORTEST_GROUPED = 1000;

/**
 * Formats an integer amount with thousands separators: 1380000 → "1,380,000". No symbol and no decimal point, since the
 * contract names no currency (Resources, Conventions). Throws AmountError (field `amount`) for anything inexact.
 */
export function formatMoney(amount: number): string {
  if (Number.isInteger(amount) && Math.abs(amount) < SHORTEST_GROUPED) return String(amount === 0 ? 0 : amount);
  return readAmount(amount, 'amount')
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',');
}

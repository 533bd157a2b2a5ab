import { AmountError } from './amount-error.ts';

/** An integer as a request may hold it: an absent or null scalar counts as 0 (decisions, section 2). */
export type Amount = number | null | undefined;

/**
 * Reads one integer from the wire as a BigInt, so that no later step can round; absent and null are 0n. Throws
 * AmountError naming `field` for anything else: text, fractions, integers beyond the safe range.
 */
export function readAmount(value: Amount, field: string): bigint {
  if (value === undefined || value === null) return 0n;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new AmountError(field, 'not_an_integer');
  if (!Number.isSafeInteger(value)) throw new AmountError(field, 'not_safe');
  return BigInt(value);
}

/** Like readAmount, for lengths and weights: a negative one throws AmountError kind `negative`. */
export function readSize(value: Amount, field: string): bigint {
  const size = readAmount(value, field);
  if (size < 0n) throw new AmountError(field, 'negative');
  return size;
}

/** Converts a result back to a number; throws AmountError kind `overflow` if digits would be lost. */
export function toAmount(result: bigint, field: string): number {
  const amount = Number(result);
  if (!Number.isSafeInteger(amount)) throw new AmountError(field, 'overflow');
  return amount;
}

/**
 * Converts a value that was parsed with bigint integers: those that a JavaScript number cannot hold exactly become
 * strings of their digits.
 */
export function exactIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (Array.isArray(value)) return value.map(exactIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, exactIntegers(inner)]));
}

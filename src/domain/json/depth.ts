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

/** More levels than any record has; beyond some thousands, whoever walks through a value runs out of stack. */
const MOST_LEVELS = 200;

/** Whether a JSON text, or one that may be, nests its lists and objects deeper than any record of the contract. */
export function isTooDeep(text: string): boolean {
  let level = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x5b || code === 0x7b) {
      level += 1;
      if (level > MOST_LEVELS) return true;
    } else if (code === 0x5d || code === 0x7d) level -= 1;
  }
  return false;
}

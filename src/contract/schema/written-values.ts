import { decimalsOrThousands } from '../../domain/amounts/decimals-or-thousands.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Whether a person reads a whole number as the program did: not 150.000, which is 150 to it, nor 012 and 0x10, which
 * may be 10 and are 16.
 */
const isPlain = (written: string, value: number) => /^[-+]?\d+$/.test(written) && Number(written) === value;

/**
 * Why the value of a field in a document is doubtful as it is written there, as a message that follows its path: an id or
 * a phone number without quotes, or a whole number with a fraction. Undefined if it is not, or is written plainly.
 */
export function doubtOf(
  { type, likeness }: JsonSchema,
  value: unknown,
  written: string | undefined,
): string | undefined {
  if (typeof value !== 'number') return undefined;
  if (likeness !== undefined) return `must be text: put it in quotes, '${written ?? value}'`;
  if (type !== 'integer') return undefined;
  const thousands = decimalsOrThousands(written ?? String(value));
  if (thousands !== undefined) {
    const how = 'write it without a point, or in quotes';
    return `is written ${written ?? value}, which a program reads as ${value} and ${thousands}: ${how}`;
  }
  if (written === undefined || isPlain(written, value)) return undefined;
  const how = /[.e]/i.test(written) ? 'write it without a point, or in quotes' : 'write it in digits';
  return `is written ${written}, which a program reads as ${value}: ${how}`;
}

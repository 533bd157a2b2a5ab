import { decimalsOrThousands } from '../../domain/amounts/money.ts';
import { say } from '../texts.ts';
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
  if (likeness !== undefined) return say().written.text({ written: written ?? String(value) });
  if (type !== 'integer') return undefined;
  const thousands = decimalsOrThousands(written ?? String(value));
  if (thousands !== undefined)
    return say().written.thousands({ written: written ?? String(value), value, ...thousands });
  if (written === undefined || isPlain(written, value)) return undefined;
  return /[.e]/i.test(written) ? say().written.point({ written, value }) : say().written.digits({ written, value });
}

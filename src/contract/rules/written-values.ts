import type { JsonSchema } from '../schema/json-schema.ts';

/** A whole number with a decimal point or an exponent: 150.000 is 150 to a program, and 150,000 to a person. */
const DOUBTFUL = /[.e]/i;

/**
 * Why the value of a field in a document is doubtful as it is written there, as a message that follows its path: an id or
 * a phone number without quotes, or a whole number with a fraction. Undefined if it is not, or is written plainly.
 */
export function doubtOf({ type, looks }: JsonSchema, value: unknown, written: string | undefined): string | undefined {
  if (typeof value !== 'number') return undefined;
  if (looks !== undefined) return `must be text: put it in quotes, '${written ?? value}'`;
  if (type !== 'integer' || written === undefined || !DOUBTFUL.test(written)) return undefined;
  return `is written ${written}, which a program reads as ${value}: write it without a point, or in quotes`;
}

import type * as z from 'zod';
import { nearestNames } from '../../domain/nearest-name.ts';
import type { FieldError } from '../operation.ts';

const WORD = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A value's path as a person writes it: `fulfillments[0].shipping_service_fee`; empty for the whole value. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const name = String(step);
    if (!WORD.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

const wanted: Readonly<Record<string, string>> = {
  string: 'must be text',
  int: 'must be an integer',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** The message for a missing required field. */
export const REQUIRED = 'is required';

const items = (count: number | bigint) => `${count} ${count === 1 ? 'item' : 'items'}`;

/** The only bounds on scalars are those of exact integers. */
const INEXACT = 'is larger than a JSON number can carry exactly';

const isAbsent = (value: unknown) => value === undefined || value === null;

/** The error for a value of the wrong type. */
export function wrongType(expected: string, value: unknown, path: readonly PropertyKey[]): FieldError {
  return { path: fieldPath(path), message: isAbsent(value) ? REQUIRED : (wanted[expected] ?? 'is wrong') };
}

/** Which values there are, and the one that was probably meant. */
function oneOfThese(values: readonly unknown[], given: unknown): string {
  const known = values.map(String).filter((value) => value !== '');
  const [nearest] = typeof given === 'string' ? nearestNames(given, known, 1) : [];
  return `must be one of ${known.join(', ')}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

/** Messages for zod's issues, where the schema has none of its own; null counts as absent (decisions, section 2). */
export const words: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return isAbsent(issue.input) ? REQUIRED : wanted[issue.expected];
    case 'invalid_value':
      return isAbsent(issue.input) ? REQUIRED : oneOfThese(issue.values, issue.input);
    case 'too_small':
      return issue.origin === 'array' ? `must have at least ${items(issue.minimum)}` : INEXACT;
    case 'too_big':
      return issue.origin === 'array' ? `must have at most ${items(issue.maximum)}` : INEXACT;
    default:
      return 'is not what it should be';
  }
};

/** Converts zod's issues to field errors; `place` is the path of the value that was passed to zod. */
export function fieldErrors(error: z.core.$ZodError, place: readonly PropertyKey[] = []): FieldError[] {
  return error.issues.map(({ path, message }) => ({ path: fieldPath([...place, ...path]), message }));
}

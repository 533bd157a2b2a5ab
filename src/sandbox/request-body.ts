import type * as z from 'zod';
import type { Operation } from '../contract/operation.ts';
import { JsonSyntaxError, parseJson } from '../domain/json.ts';
import { invalid, Refusal } from './refusal.ts';

/** The longest body that is read (decisions, section 2). */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Deeper than any request of the contract, and shallow enough for every walk over it. */
const MAX_DEPTH = 64;

/** The JSON object of a body; 400 for a body that is empty, too long, no JSON or no object (decisions, section 2). */
export function parseBody(body: string): object {
  if (body.length > MAX_BODY_BYTES || Buffer.byteLength(body) > MAX_BODY_BYTES) {
    throw new Refusal('invalid_argument', `the body is longer than ${MAX_BODY_BYTES} bytes`);
  }
  if (body.trim() === '') throw new Refusal('invalid_argument', 'the body is empty: a request without fields is {}');
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new Refusal('invalid_argument', `the body is no JSON: ${error.message}`);
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid_argument', 'the body is no JSON object');
  }
  return withoutNulls(value, 0) as object;
}

/** Drops the fields that are null, at any depth: null means the same as absent (decisions, section 2). */
function withoutNulls(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Refusal('invalid_argument', 'the body is nested too deeply');
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field, depth + 1)]));
}

/** The request after its schema; 400 with the first wrong field in `meta.field`, all of them in the message. */
export function checkRequest(operation: Operation, body: object): object {
  const checked = operation.request.safeParse(body);
  if (checked.success) return checked.data;
  const [first, ...others] = checked.error.issues.map((issue) => ({ path: pathOf(issue), message: problemOf(issue) }));
  if (first === undefined) throw new Refusal('invalid_argument', 'the request is not valid');
  const rest = others.map(({ path, message }) => `; ${path} ${message}`).join('');
  throw invalid(first.path, first.message + rest);
}

/** Says that a field is missing in the words of the other refusals. */
function problemOf({ message }: z.core.$ZodIssue): string {
  return message.endsWith('received undefined') ? 'is missing' : message;
}

/** Where an issue is: `lines[2].quantity`. */
function pathOf({ path }: z.core.$ZodIssue): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : (index ? '.' : '') + String(step)))
    .join('');
}

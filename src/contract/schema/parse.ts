import type * as z from 'zod';
import type { CheckedRequestOf, FieldError, Operation, Parsed, ResponseOf } from '../operation.ts';
import { isSurelyTaken } from '../rules/surely-taken.ts';
import { fieldErrors, words } from './field-errors.ts';
import { type Lenient, type Read, readLeniently } from './lenient.ts';

import { unknownFields } from './unknown-fields.ts';

function parse<Declared extends z.ZodType>(schema: Declared, input: unknown): Parsed<z.output<Declared>> {
  const result = schema.safeParse(input, { error: words });
  return result.success ? { ok: true, value: result.data } : { ok: false, errors: fieldErrors(result.error) };
}

/** Treats null as absent (decisions, section 2). Runs on what a schema accepted, which bounds its depth. */
function withoutNulls<Value>(value: Value): Value;
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (field === null ? [] : [[name, withoutNulls(field)]])),
  );
}

/**
 * Parses a request by its declaration only: unknown fields are dropped, nulls count as absent, ids become text. Rules
 * between fields are not checked, nor are unknown fields refused; `checkRequest` does both.
 */
export function parseRequest<O extends Operation>(operation: O, input: unknown): Parsed<CheckedRequestOf<O>> {
  const parsed = parse<O['request']>(operation.request, input);
  return parsed.ok ? { ok: true, value: withoutNulls(parsed.value) } : parsed;
}

/** Parses a request strictly, as it should be before it is sent: its declaration, unknown fields, and its rules. */
export function checkRequest<O extends Operation>(operation: O, input: unknown): Parsed<CheckedRequestOf<O>> {
  const parsed = parseRequest(operation, input);
  const unknown = unknownFields(operation.request, input);
  if (!parsed.ok) return { ok: false, errors: [...parsed.errors, ...unknown] };
  const errors = [...unknown, ...(operation.rules?.(parsed.value) ?? [])];
  return errors.length === 0 ? parsed : { ok: false, errors };
}

/**
 * The errors of `checkRequest`, for callers that send the request unchanged; cheap for most requests, which have none.
 */
export function requestErrors(operation: Operation, input: unknown): readonly FieldError[] {
  if (isSurelyTaken(operation.request, input)) {
    return [...unknownFields(operation.request, input), ...(operation.rules?.(input) ?? [])];
  }
  const checked = checkRequest(operation, input);
  return checked.ok ? [] : checked.errors;
}

/** Parses a response leniently, keeping the order of its fields; errors have the path of the invalid field. */
export function parseResponse<O extends Operation>(operation: O, body: unknown): Read<Lenient<ResponseOf<O>>> {
  return readLeniently<O['response']>(operation.response, body);
}

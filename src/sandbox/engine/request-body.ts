import type { FieldError, Operation } from '../../contract/operation.ts';
import { unknownFields } from '../../contract/schema/as-declared.ts';
import { fieldErrors, isOfMissing, words } from '../../contract/schema/hint.ts';
import { isSurelyTaken } from '../../contract/schema/parse.ts';
import { JsonSyntaxError, parseJson } from '../../domain/json/json.ts';
import { isRecord } from '../../domain/json/values.ts';
import { inEnglish } from '../../domain/language.ts';
import { invalid, Refusal } from './refusal.ts';

/** The largest body that is accepted (decisions, section 2). */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Deeper than any request of the contract, and shallow enough for recursion. */
const MAX_DEPTH = 64;

/** Parses a body as a JSON object; 400 if it is empty, too long, not JSON or not an object (decisions, section 2). */
export function parseBody(body: string): object {
  if (body.length > MAX_BODY_BYTES || Buffer.byteLength(body) > MAX_BODY_BYTES) {
    throw new Refusal('invalid_argument', `the body is longer than ${MAX_BODY_BYTES} bytes`);
  }
  if (body.trim() === '') throw new Refusal('invalid_argument', 'the body is empty: a request without fields is {}');
  let value: unknown;
  try {
    value = inEnglish(() => parseJson(body));
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new Refusal('invalid_argument', `the body is not JSON: ${error.message}`);
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid_argument', 'the body is not a JSON object');
  }
  dropNulls(value, 0);
  return value;
}

/**
 * Removes null fields at any depth: null means the same as absent (decisions, section 2). The value was just parsed and
 * is not shared, so it is changed in place.
 */
function dropNulls(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw new Refusal('invalid_argument', 'the body is nested too deeply');
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item, depth + 1);
    return;
  }
  if (!isRecord(value)) return;
  for (const name of Object.keys(value)) {
    if (value[name] === null) delete value[name];
    else dropNulls(value[name], depth + 1);
  }
}

/**
 * The request parsed by its schema; 400 with the first wrong field in `meta.field` and all of them in the message, in English
 * as any service says it.
 */
export const checkRequest = (operation: Operation, body: object): object =>
  inEnglish(() => checkedRequest(operation, body));

function checkedRequest(operation: Operation, body: object): object {
  if (isSurelyTaken(operation.request, body) && unknownFields(operation.request, body).length === 0) return body;
  const checked = operation.request.safeParse(body, { error: words });
  if (checked.success) return checked.data;
  const [first, ...others] = fieldErrors(checked.error).map((error) => ({ path: error.path, text: inOurWords(error) }));
  if (first === undefined) throw new Refusal('invalid_argument', 'the request is not valid');
  throw invalid(first.path, first.text + others.map(({ path, text }) => `; ${path} ${text}`).join(''));
}

/** Reports a missing field in the same words as the handlers. */
function inOurWords(error: FieldError): string {
  return isOfMissing(error) ? 'is missing' : error.message;
}

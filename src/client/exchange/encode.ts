import type { Operation, RequestOf } from '../../contract/operation.ts';
import { checkRequest } from '../../contract/schema/parse.ts';
import { RequestError } from '../errors.ts';

/**
 * Encodes a request as JSON text, strictly: unknown fields, missing fields, invalid enum values and broken rules are
 * all reported in one RequestError. Nulls are left out, since they mean the same (decisions, section 2).
 */
export function encodeRequest<O extends Operation>(operation: O, request: RequestOf<O>): string {
  const checked = checkRequest(operation, request);
  if (!checked.ok) throw new RequestError(operation.id, checked.errors);
  return JSON.stringify(checked.value);
}

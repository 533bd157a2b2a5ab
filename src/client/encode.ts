import type { Operation, RequestOf } from '../contract/operation.ts';
import { checkRequest } from '../contract/parse.ts';
import { RequestError } from './errors.ts';

/**
 * Writes a request as JSON text, checked strictly: fields the contract lacks, fields that are missing, values out of
 * their enum and broken rules are all named in one RequestError. A null is left out, for it means the same (decisions,
 * section 2).
 */
export function encodeRequest<O extends Operation>(operation: O, request: RequestOf<O>): string {
  const checked = checkRequest(operation, request);
  if (!checked.ok) throw new RequestError(operation.id, checked.errors);
  return JSON.stringify(checked.value);
}

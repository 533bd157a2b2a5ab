import type { ErrorCode } from '../../contract/records/error.ts';

/** Details of a refusal, for example `{ field: 'total_fee', expected: '30000', given: '1' }`. */
export type RefusalMeta = Readonly<Record<string, string>>;

/**
 * Thrown by a handler to answer with an error (contract, "Errors"; status by decisions, section 2). The handler's
 * writes are rolled back unless `keepsWrites` is set: then they are committed although the answer is an error (an order
 * that is cancelled because its quote no longer holds, decisions, section 7).
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly meta: RefusalMeta;
  readonly keepsWrites: boolean;

  constructor(code: ErrorCode, message: string, meta: RefusalMeta = {}, keepsWrites = false) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.meta = meta;
    this.keepsWrites = keepsWrites;
  }
}

/** An invalid value in the request: 400, with the field's path in `meta.field`. */
export function invalid(field: string, message: string, meta: RefusalMeta = {}): Refusal {
  return new Refusal('invalid_argument', `${field} ${message}`, { field, ...meta });
}

/** The shop has no such record: 404 (decisions, section 5: the same for another shop's record). */
export function notFound(what: string): Refusal {
  return new Refusal('not_found', `${what} not found`);
}

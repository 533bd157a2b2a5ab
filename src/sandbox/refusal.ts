import type { ErrorCode } from '../contract/records/error.ts';

/** Facts that go with a refusal, for example `{ field: 'total_fee', expected: '30000', given: '1' }`. */
export type RefusalMeta = Readonly<Record<string, string>>;

/**
 * Thrown by a handler to answer with an error (contract, "Errors"; status by decisions, section 2). What the handler
 * wrote is undone, unless `keepsWrites` is set: then it is committed although the answer is an error (the order that
 * is cancelled because its quote no longer holds, decisions, section 7).
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

/** A value of the request is wrong: 400, with the field's path in `meta.field`. */
export function invalid(field: string, message: string, meta: RefusalMeta = {}): Refusal {
  return new Refusal('invalid_argument', `${field} ${message}`, { field, ...meta });
}

/** There is no such record in the shop: 404 (decisions, section 5: another shop's record is treated likewise). */
export function notFound(what: string): Refusal {
  return new Refusal('not_found', `${what} not found`);
}

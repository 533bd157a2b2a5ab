import type { Credential } from '../../contract/operation.ts';
import type { ErrorCode } from '../../contract/records/error.ts';
import type { WireRequest, WireResponse } from '../../platform/http/transport.ts';

/** A partner, authenticated by its API key. */
interface PartnerAccount {
  readonly kind: 'partner';
  readonly partnerId: string;
}

/** A caller that acts as a shop: the shop itself, or the partner `partnerId` with its shop key. */
interface ShopAccount {
  readonly kind: 'shop';
  readonly shopId: string;
  readonly partnerId: string | undefined;
}

/** The authenticated caller. */
export type Account = PartnerAccount | ShopAccount;

/** The kind of credential that the account was authenticated with (decisions, section 3). */
export function credentialOf(account: Account): Credential {
  if (account.kind === 'partner') return 'partner-api-key';
  return account.partnerId === undefined ? 'shop-api-key' : 'shop-key';
}

/** The shop that the caller acts as. Dispatch has checked the credential, so a partner here is a bug of the handler. */
export function shopOf(account: Account): ShopAccount {
  if (account.kind === 'shop') return account;
  throw new TypeError('this operation acts as a shop');
}

/**
 * The partner that calls with its API key. Dispatch has checked the credential, so a shop here is a bug of the handler.
 */
export function partnerOf(account: Account): PartnerAccount {
  if (account.kind === 'partner') return account;
  throw new TypeError('this operation acts as a partner');
}

/** Middleware around every request, for example to log it or to break its answer. */
export type Layer = (
  request: WireRequest,
  next: (request: WireRequest) => Promise<WireResponse>,
) => Promise<WireResponse>;

/** A part of the sandbox besides the operations: its control functions, and its background work. */
export interface Part<Control extends object> {
  /** Its functions in `sandbox.control`. */
  readonly control: Control;
  readonly layer?: Layer;
  /** Ends all mere waiting, such as a delayed answer, so that requests in flight can finish. */
  interrupt?(): void;
  /** Ends its background work; awaited before the data is closed. */
  close?(): Promise<void>;
}

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

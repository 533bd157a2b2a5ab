import { call } from '../client/call.ts';
import type { Connection } from '../client/connection.ts';
import { AuthorizeShop } from '../contract/partner/shop.ts';
import { Secret } from '../platform/secret.ts';

/** Who signs in: a shop that did before, or what pre-fills a first sign-in. */
export interface SignInRequest {
  readonly shop_id?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly name?: string;
  readonly redirect_url?: string;
}

/** The shop may be acted for: its key, to be stored. */
export interface ShopGranted {
  readonly kind: 'granted';
  readonly shopKey: Secret;
}

/** The shop must sign in first, with this token, until it expires. */
export interface SignInPending {
  readonly kind: 'pending';
  readonly requestToken: Secret;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** The sign-in page of the service, where the deployment offers one. */
  readonly signInUrl?: string;
}

/** Thrown when AuthorizeShop answers something that the contract does not know. */
export class SignInError extends Error {
  readonly kind = 'contract';
  readonly code = 'contract_broken';
  readonly outcome = 'not_applied';
}

const DEFAULT_EXPIRY_SECONDS = 900;

/** One step of the sign-in (contract, "Authentication"): a shop's key, or a request that the shop has to confirm. */
export async function authorizeShop(
  request: SignInRequest,
  connection: Connection,
): Promise<ShopGranted | SignInPending> {
  const answer = await call(AuthorizeShop, request, connection);
  const token = answer.auth_token ?? '';
  if (token === '') throw new SignInError('the answer of AuthorizeShop has no auth_token');
  if (answer.type === 'shop_key') return { kind: 'granted', shopKey: new Secret(token) };
  if (answer.type !== 'shop_request') {
    throw new SignInError(`AuthorizeShop answered a type that is neither shop_request nor shop_key: ${answer.type}`);
  }
  const seconds = answer.expires_in ?? DEFAULT_EXPIRY_SECONDS;
  return {
    kind: 'pending',
    requestToken: new Secret(token),
    expiresAt: new Date(connection.clock.now() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
    ...(answer.auth_url ? { signInUrl: answer.auth_url } : {}),
  };
}

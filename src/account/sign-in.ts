import { accountInKey } from '../client/authorization.ts';
import { call } from '../client/call.ts';
import type { Connection } from '../client/connection.ts';
import { ServiceError } from '../client/errors.ts';
import { AuthorizeShop } from '../contract/partner/shop.ts';
import { isLoopbackHost } from '../platform/server/loopback-server.ts';
import { Secret } from '../platform/settings/secret.ts';
import { say } from './texts.ts';

/** Who signs in: a shop that has signed in before, or details to pre-fill a first sign-in. */
export interface SignInRequest {
  readonly shop_id?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly name?: string;
  readonly redirect_url?: string;
}

/** Access to the shop is granted: its key, to be stored. */
export interface ShopGranted {
  readonly kind: 'granted';
  readonly shopId: string;
  readonly shopKey: Secret;
}

/** The shop must sign in first, with this token, before it expires. */
export interface SignInPending {
  readonly kind: 'pending';
  readonly requestToken: Secret;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** The sign-in page of the service, if the deployment has one. */
  readonly signInUrl?: string;
}

/** Thrown if AuthorizeShop returns something that the contract does not define, or that cannot be used safely. */
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
  if (token === '') throw new SignInError(say().login.broken.noToken);
  if (answer.type === 'shop_key') {
    const { shop_id: shopId } = request;
    if (!shopId) throw new SignInError(say().login.broken.noShop);
    const shopKey = new Secret(token);
    const other = accountInKey(shopKey, 'partner') ?? shopId;
    if (other !== shopId) throw new SignInError(say().login.broken.otherShop({ other, shop: shopId }));
    return { kind: 'granted', shopId, shopKey };
  }
  if (answer.type !== 'shop_request') {
    throw new SignInError(say().login.broken.type({ type: String(answer.type) }));
  }
  const expires = new Date(connection.clock.now() + (answer.expires_in ?? DEFAULT_EXPIRY_SECONDS) * 1000);
  if (Number.isNaN(expires.getTime())) throw new SignInError(say().login.broken.noDate);
  return {
    kind: 'pending',
    requestToken: new Secret(token),
    expiresAt: expires.toISOString().replace(/\.\d+Z$/, 'Z'),
    ...(answer.auth_url ? { signInUrl: checkedPage(answer.auth_url) } : {}),
  };
}

/**
 * The same for a sign-in that a page of ours waits for. `redirect_url` is not in the contract (decisions, section 3):
 * if the service refuses it, the request is repeated without it, and the service's own page is not used.
 */
export async function authorizeShopOnPage(
  request: Omit<SignInRequest, 'redirect_url'>,
  redirectUrl: string,
  connection: Connection,
): Promise<ShopGranted | SignInPending> {
  try {
    return await authorizeShop({ ...request, redirect_url: redirectUrl }, connection);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_argument') return authorizeShop(request, connection);
    throw error;
  }
}

/**
 * Whether a page is safe to open, or a script to run: https, or http on this machine, and without a user name in its
 * url.
 */
export function isSafePage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  return (protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))) && username + password === '';
}

function checkedPage(address: string): string {
  if (isSafePage(address)) return address;
  throw new SignInError(say().login.broken.unsafePage);
}

/** Thrown if the shop's owner declined on the sign-in page. */
export class SignInDenied extends Error {
  readonly kind = 'credential';
  readonly code = 'sign_in_denied';
  readonly outcome = 'not_applied';
}

/** Whether AuthorizeShop refused a shop because it never signed in through this partner. */
export function isNeverSignedIn(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'permission_denied';
}

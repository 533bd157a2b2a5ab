import type { Credential } from '../contract/operation.ts';
import { GetOrder } from '../contract/partner/shipping.ts';
import { GetWebhooks } from '../contract/partner/webhook.ts';
import { CurrentAccount } from '../contract/shop/misc.ts';
import { fieldsIn } from '../domain/json/values.ts';
import { call } from './call.ts';
import type { Connection, Key } from './connection.ts';
import { ContractBrokenError, CredentialError, NetworkError, RedirectError, ServiceError } from './errors.ts';

/** An account of the service, and its name there. */
export interface Account {
  readonly id: string;
  readonly name: string;
}

/** Whether the service accepts a key; undefined if that could not be determined, with the reason. */
export interface KeyCheck {
  readonly works: boolean | undefined;
  readonly problem?: string;
  /** The account of the key, if the service returns it: a shop's own key is answered with the shop. */
  readonly account?: Account;
  /** Why it could not be determined. */
  readonly error?: unknown;
  /** No answer arrived: checking further keys is pointless. */
  readonly unreachable?: boolean;
  /** The service answered, and failed: it said nothing of the key. */
  readonly failed?: boolean;
  /** Something answered that is not the service, or not at this address. */
  readonly elsewhere?: boolean;
}

/** An id that no order has: the answer depends on the key alone. */
const NO_ORDER = 'shopctl-auth-status';

/** A call that requires a key of this kind and changes nothing. */
function ask(credential: Credential, connection: Connection): Promise<unknown> {
  if (credential === 'partner-api-key') return call(GetWebhooks, {}, connection);
  if (credential === 'shop-key') return call(GetOrder, { external_id: NO_ORDER }, connection);
  return call(CurrentAccount, {}, connection);
}

/** The account in an answer; empty if there is none. */
function accountIn(answer: unknown): Pick<KeyCheck, 'account'> {
  const { id, name } = fieldsIn(answer);
  const isNamed = typeof id === 'string' && typeof name === 'string' && name.trim() !== '';
  return isNamed ? { account: { id, name: name.trim() } } : {};
}

/**
 * Checks by a read whether the service accepts a key. An answer that refuses anything but the key means that the key is
 * accepted.
 */
export async function checkKey(credential: Credential, key: Key, connection: Connection): Promise<KeyCheck> {
  try {
    return { works: true, ...accountIn(await ask(credential, { ...connection, key: () => key })) };
  } catch (error) {
    if (error instanceof CredentialError) return { works: undefined, problem: error.message };
    if (error instanceof NetworkError && error.failure !== 'aborted') {
      return { works: undefined, problem: error.message, unreachable: true, error };
    }
    // If the address is not the service's, nobody checked the key.
    const isForeign = error instanceof ContractBrokenError || error instanceof RedirectError;
    if (isForeign || (error instanceof ServiceError && error.code === 'bad_route')) {
      return { works: undefined, problem: error.message, elsewhere: true, error };
    }
    if (!(error instanceof ServiceError)) throw error;
    if (error.status >= 500 || error.status === 429)
      return { works: undefined, failed: true, problem: error.message, error };
    const isRefused = error.code === 'unauthenticated' || error.code === 'permission_denied';
    return isRefused ? { works: false, problem: error.message } : { works: true };
  }
}

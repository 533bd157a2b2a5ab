import { call } from '../client/call.ts';
import type { Connection, Key } from '../client/connection.ts';
import { CredentialError, NetworkError, ServiceError } from '../client/errors.ts';
import type { Credential } from '../contract/operation.ts';
import { GetOrder } from '../contract/partner/shipping.ts';
import { GetWebhooks } from '../contract/partner/webhook.ts';
import { CurrentAccount } from '../contract/shop/misc.ts';
import { fieldsIn } from '../domain/value-at.ts';

/** An account of the service, and what it is called there. */
export interface Account {
  readonly id: string;
  readonly name: string;
}

/** Whether the service accepts a key; undefined where that could not be found out, and then why. */
export interface KeyCheck {
  readonly works: boolean | undefined;
  readonly problem?: string;
  /** The account of the key, where the service says it: a shop's own key is answered with the shop. */
  readonly account?: Account;
  /** No answer came: asking about further keys is of no use. */
  readonly unreachable?: boolean;
}

/** An id that no order has: the answer tells about the key alone. */
const NO_ORDER = 'shopctl-auth-status';

/** A call that needs a key of the kind and changes nothing. */
function ask(credential: Credential, connection: Connection): Promise<unknown> {
  if (credential === 'partner-api-key') return call(GetWebhooks, {}, connection);
  if (credential === 'shop-key') return call(GetOrder, { external_id: NO_ORDER }, connection);
  return call(CurrentAccount, {}, connection);
}

/** The account in what was answered; nothing where it holds none. */
function accountIn(answer: unknown): Pick<KeyCheck, 'account'> {
  const { id, name } = fieldsIn(answer);
  const isNamed = typeof id === 'string' && typeof name === 'string' && name.trim() !== '';
  return isNamed ? { account: { id, name: name.trim() } } : {};
}

/** Finds out by a read whether the service accepts a key. An answer that refuses anything but the key accepts the key. */
export async function checkKey(credential: Credential, key: Key, connection: Connection): Promise<KeyCheck> {
  try {
    return { works: true, ...accountIn(await ask(credential, { ...connection, key: () => key })) };
  } catch (error) {
    if (error instanceof CredentialError) return { works: undefined, problem: error.message };
    if (error instanceof NetworkError && error.failure !== 'aborted') {
      return { works: undefined, problem: error.message, unreachable: true };
    }
    if (!(error instanceof ServiceError)) throw error;
    // Nobody looked at the key where the address is not that of the service.
    const isUnheard = error.status >= 500 || error.status === 429 || error.code === 'bad_route';
    if (isUnheard) return { works: undefined, problem: error.message };
    const isRefused = error.code === 'unauthenticated' || error.code === 'permission_denied';
    return isRefused ? { works: false, problem: error.message } : { works: true };
  }
}

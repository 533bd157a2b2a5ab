import type { Family } from '../contract/operation.ts';
import { CurrentAccount } from '../contract/shop/misc.ts';
import { accountInKey, fingerprint } from './authorization.ts';
import { checkedBaseUrl } from './base-url.ts';
import { call } from './call.ts';
import type { Connection, Key } from './connection.ts';
import { ServiceError } from './errors.ts';

/**
 * Whom an order belongs to, and whatever else shopctl remembers: a shop at a service, as its own or as its partner's. A key
 * that was rotated is the same account. `shop` is the shop's id, or `key <hash>` where nobody can tell the id.
 */
export interface Account {
  /** Scheme, host and port of the service. */
  readonly origin: string;
  readonly family: Family;
  readonly shop: string;
}

/** The account as one text, the same in every run: what drafts and journals are told apart by. */
export function accountText({ origin, family, shop }: Account): string {
  return JSON.stringify([origin, family, shop]);
}

export function isSameAccount(one: Account, other: Account): boolean {
  return accountText(one) === accountText(other);
}

/** Answers that say that the service cannot tell, and will not be able to in the next run. */
const CANNOT_TELL = new Set(['unimplemented', 'bad_route', 'not_found']);

/** The id that the service has for a shop's own key; undefined where it has none to give. Throws a CallError. */
async function askedFor(connection: Connection): Promise<string | undefined> {
  try {
    return (await call(CurrentAccount, {}, connection)).id ?? undefined;
  } catch (error) {
    if (error instanceof ServiceError && CANNOT_TELL.has(error.code)) return undefined;
    throw error;
  }
}

async function shopOf(family: Family, key: Key, connection: Connection): Promise<string> {
  const known = key.shop ?? accountInKey(key.secret, family);
  if (known !== undefined) return known;
  const asked = family === 'shop' ? await askedFor(connection) : undefined;
  return asked ?? `key ${fingerprint(key.secret)}`;
}

const accounts = new WeakMap<Connection, Map<Family, Promise<Account>>>();

/**
 * The account that the calls of a family go to, by the key in force: the id that a partner's shop signed in under, else the
 * one that the key itself names (decisions, section 3), else what CurrentAccount says. Asked once for a connection. Throws
 * a CallError where the service had to be asked and did not answer, and a TypeError where there is not a key.
 */
export function accountOf(family: Family, connection: Connection): Promise<Account> {
  const known = accounts.get(connection) ?? new Map<Family, Promise<Account>>();
  accounts.set(connection, known);
  const found = known.get(family);
  if (found !== undefined) return found;
  const { origin } = checkedBaseUrl(connection.baseUrl);
  const key = connection.key(family === 'partner' ? 'shop-key' : 'shop-api-key');
  if (key === undefined) throw new TypeError(`there is not a key of the ${family}'s, and so no account`);
  const account = shopOf(family, key, connection).then((shop) => ({ origin, family, shop }));
  known.set(family, account);
  account.catch(() => known.delete(family));
  return account;
}

/**
 * Whom the webhooks of a family, and what they bring, belong to: a shop by its own key, or a partner with all its shops, as
 * its key names it. undefined where there is no such key. Throws a CallError where the service had to be asked.
 */
export async function webhookAccountOf(family: Family, connection: Connection): Promise<Account | undefined> {
  const key = connection.key(family === 'partner' ? 'partner-api-key' : 'shop-api-key');
  if (key === undefined) return undefined;
  if (family === 'shop') return accountOf(family, connection);
  const { origin } = checkedBaseUrl(connection.baseUrl);
  // A partner's key begins as a shop's own does.
  return { origin, family, shop: accountInKey(key.secret, 'shop') ?? `key ${fingerprint(key.secret)}` };
}

import type { Family } from '../contract/operation-id.ts';
import { CurrentAccount } from '../contract/shop/misc.ts';
import { accountInKey, fingerprint, keyFor, shopOfKey } from './authorization.ts';
import { checkedBaseUrl } from './base-url.ts';
import { call } from './call.ts';
import type { Connection, Key } from './connection.ts';
import { ServiceError } from './errors.ts';

/**
 * The owner of orders and of everything else that shopctl stores: a shop at a service, on its own or through its
 * partner. A rotated key is the same account. `shop` is the shop's id, or `key <hash>` if the id cannot be determined.
 */
export interface Account {
  /** The service: scheme, host and port of its address (`addressOf`), or of the one under which the ledger knows it. */
  readonly origin: string;
  readonly family: Family;
  readonly shop: string;
}

/** Names of this machine, of which 127.0.0.1 stands for all. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '[::1]']);

/**
 * The address of a service in accounts: scheme, host and port of a url, with one name for this machine. What is dialled,
 * and what a key belongs to, is the url's own origin. Throws a TypeError for what is no url.
 */
export function addressOf(text: string): string {
  const url = new URL(text);
  if (LOOPBACK.has(url.hostname)) url.hostname = '127.0.0.1';
  return url.origin;
}

/** The account as text, stable across runs: the key under which drafts and journals are stored. */
export function accountText({ origin, family, shop }: Account): string {
  return JSON.stringify([origin, family, shop]);
}

/** The shop's id in an account's text; null if it has only the hash of a key. */
export function shopOfAccount(text: string): string | null {
  const parts: unknown = JSON.parse(text);
  const shop: unknown = Array.isArray(parts) ? parts[2] : undefined;
  return typeof shop === 'string' && /^\d+$/.test(shop) ? shop : null;
}

/** The shop for which a partner acts on an account's text; undefined for a shop's own account. */
export function shopOfPartner(text: string): string | undefined {
  const parts: unknown = JSON.parse(text);
  return Array.isArray(parts) && parts[1] === 'partner' ? (shopOfAccount(text) ?? undefined) : undefined;
}

/** Whether two accounts are the same. */
export function isSameAccount(one: Account, other: Account): boolean {
  return accountText(one) === accountText(other);
}

/** Error codes that mean that the service cannot tell, now or in a later run. */
const CANNOT_TELL = new Set(['unimplemented', 'bad_route', 'not_found']);

/** The id that the service reports for a shop's own key; undefined if it reports none. Throws a CallError. */
async function askedFor(connection: Connection): Promise<string | undefined> {
  try {
    return (await call(CurrentAccount, {}, connection)).id ?? undefined;
  } catch (error) {
    if (error instanceof ServiceError && CANNOT_TELL.has(error.code)) return undefined;
    throw error;
  }
}

async function shopOf(family: Family, key: Key, connection: Connection): Promise<string> {
  const known = shopOfKey(asking[family][0], connection);
  if (known !== undefined) return known;
  const asked = family === 'shop' ? await askedFor(connection) : undefined;
  return asked ?? `key ${fingerprint(key.secret)}`;
}

/** The key by which a family acts for a shop, and a call that needs it. */
const asking = {
  partner: ['shop-key', 'partner.Shipping/GetOrder'],
  shop: ['shop-api-key', 'shop.Misc/CurrentAccount'],
} as const;

const accounts = new WeakMap<Connection, Map<Family, Promise<Account>>>();

/**
 * The account that a family's calls act on, by the key in force: the id that a partner's shop signed in under, else the
 * one in the key itself (decisions, section 3), else the response of CurrentAccount. Asked once per connection. Throws
 * a CallError if the service had to be asked and did not answer, and a CredentialError if there is no key that may be sent.
 */
export function accountOf(family: Family, connection: Connection): Promise<Account> {
  const known = accounts.get(connection) ?? new Map<Family, Promise<Account>>();
  accounts.set(connection, known);
  const found = known.get(family);
  if (found !== undefined) return found;
  const { origin } = checkedBaseUrl(connection.baseUrl);
  const [credential, operation] = asking[family];
  keyFor(credential, operation, origin, connection);
  const key = connection.key(credential);
  if (key === undefined) throw new TypeError(`${family} lost its key`);
  const account = shopOf(family, key, connection).then((shop) => ({ origin: addressOf(origin), family, shop }));
  known.set(family, account);
  account.catch(() => known.delete(family));
  return account;
}

/**
 * The account that owns a family's webhooks and their deliveries: a shop by its own key, or a partner with all its
 * shops, by its key. undefined if there is no such key. Throws a CallError if the service had to be asked.
 */
export async function webhookAccountOf(family: Family, connection: Connection): Promise<Account | undefined> {
  const key = connection.key(family === 'partner' ? 'partner-api-key' : 'shop-api-key');
  if (key === undefined) return undefined;
  if (family === 'shop') return accountOf(family, connection);
  const origin = addressOf(checkedBaseUrl(connection.baseUrl).origin);
  // A partner's key begins like a shop's own key.
  return { origin, family, shop: accountInKey(key.secret, 'shop') ?? `key ${fingerprint(key.secret)}` };
}

import type { Credential } from '../../contract/operation.ts';
import { sameSecret } from '../../platform/settings/secret.ts';
import { type Account, credentialOf, Refusal } from './refusal.ts';
import type { Database } from './store/sql/statement.ts';
import { statement, tables } from './store/sql/statement.ts';
import type { Store } from './store/store.ts';

/** Compared with when there is no such account, so that the check takes the same time. */
const NOBODY = 'nobody';

/**
 * The format of a key: `<id>:<secret>`, or `shop<id>:<secret>` for a partner's key for one shop (decisions, section 3).
 */
const KEY = /^(shop)?(\d{1,19}):([\w-]{1,100})$/;

const standingLinks = statement(({ shopId }: { readonly shopId: string }) =>
  tables
    .selectFrom('links')
    .select(['partner_id', 'secret'])
    .where('shop_id', '=', shopId)
    .where('removed_at', 'is', null),
);
const keyOf = statement(({ id }: { readonly id: string }) =>
  tables.selectFrom('api_keys').select(['owner', 'secret']).where('owner_id', '=', id),
);

/** The account of a key; undefined if there is none. A removed link has no key. */
export function findAccount(database: Database, key: string): Account | undefined {
  const [, ofPartner, id = '', secret = ''] = KEY.exec(key) ?? [];
  return ofPartner ? findByShopKey(database, id, secret) : findByApiKey(database, id, secret);
}

function findByShopKey(database: Database, shopId: string, secret: string): Account | undefined {
  const links = database.all(standingLinks, { shopId });
  let found: Account | undefined;
  for (const link of links.length > 0 ? links : [{ partner_id: '', secret: NOBODY }]) {
    if (sameSecret(secret, link.secret) && link.partner_id !== '') {
      found = { kind: 'shop', shopId, partnerId: link.partner_id };
    }
  }
  return found;
}

function findByApiKey(database: Database, id: string, secret: string): Account | undefined {
  const key = database.first(keyOf, { id });
  if (!sameSecret(secret, key?.secret ?? NOBODY) || key === undefined) return undefined;
  if (key.owner === 'partner') return { kind: 'partner', partnerId: id };
  return { kind: 'shop', shopId: id, partnerId: undefined };
}

/** The most keys that are cached. */
const MOST_KNOWN = 1000;

/** `findAccount` with a cache that is dropped when a key or a link changes. */
export function rememberAccounts(store: Pick<Store, 'read' | 'keyChanges'>): (key: string) => Account | undefined {
  const known = new Map<string, Account>();
  let asOf = store.keyChanges();
  return (key) => {
    if (asOf !== store.keyChanges() || known.size >= MOST_KNOWN) known.clear();
    asOf = store.keyChanges();
    const found = known.get(key) ?? store.read((database) => findAccount(database, key));
    if (found !== undefined) known.set(key, found);
    return found;
  };
}

/**
 * The account behind an Authorization header, for an operation that takes that kind of credential. A missing, unknown
 * or misplaced one is refused with 401 and the same message, which does not reveal which of these it was.
 */
export function authenticate(
  accountOf: (key: string) => Account | undefined,
  authorization: string | undefined,
  credential: Credential,
): Account {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  const account = key === undefined ? undefined : accountOf(key);
  if (account !== undefined && credentialOf(account) === credential) return account;
  throw new Refusal('unauthenticated', 'the Authorization header is missing, or its key is not valid here');
}

import type { Work } from '../engine/call.ts';
import { Refusal } from '../engine/refusal.ts';
import { randomSecret } from '../engine/store/ids.ts';
import { lastChange } from '../engine/store/outbox.ts';
import { statement, tables } from '../engine/store/statement.ts';
import type { ApiKeyRow, LinkRow, RequestTokenRow, ShopRow } from '../engine/store/tables.ts';

/**
 * Creates a shop with its own API key (decisions, section 3) and returns its id; after a reset it keeps its former id
 * and key.
 */
export function addShop(
  work: Work,
  shop: Pick<ShopRow, 'name' | 'email' | 'phone'>,
  kept?: { readonly id: string; readonly secret: string },
): string {
  // Always draws an id, so that the following ids are the same either way.
  const drawn = work.nextId();
  const id = kept?.id ?? drawn;
  work.database.run(insertShop, { id, ...shop, created_at: work.now });
  addApiKey(work, 'shop', id, kept?.secret);
  return id;
}

/** Gives an account its API key: its former one, or a new one. */
export function addApiKey(
  { database, random }: Work,
  owner: 'partner' | 'shop',
  owner_id: string,
  secret = randomSecret(random),
): void {
  database.run(insertKey, { owner, owner_id, secret });
}

/** All API keys, of partners and shops, by the ids of the accounts. */
export const allKeys = statement(() => tables.selectFrom('api_keys').selectAll().orderBy('owner_id'));

const insertShop = statement((row: ShopRow) => tables.insertInto('shops').values(row));
const insertKey = statement((row: ApiKeyRow) => tables.insertInto('api_keys').values(row));

/** The link between a partner and a shop, removed or not; undefined if the shop never signed in through the partner. */
export function findLink(work: Work, partnerId: string, shopId: string): LinkRow | undefined {
  return work.database.first(linkBetween, { partnerId, shopId });
}

/**
 * Links a shop with a partner. An active link stays as it is, with its key; a removed one becomes active again with a
 * new key, since the old one has been revoked.
 */
export function link(work: Work, partnerId: string, shopId: string): void {
  const standing = findLink(work, partnerId, shopId);
  if (standing?.removed_at === null) return;
  const fresh = {
    secret: randomSecret(work.random),
    linked_at: work.now,
    linked_seq: lastChange(work.database),
  };
  work.database.run(putLink, { partner_id: partnerId, shop_id: shopId, ...fresh });
}

/** Removes a shop's active links; returns how many. */
export function unlink(work: Work, shopId: string): number {
  requireShop(work, shopId);
  return work.database.run(removeLinks, { shopId, removed_at: work.now });
}

/** Refuses with 404 a shop that the sandbox does not have. */
function requireShop(work: Work, shopId: string): void {
  const shop = work.database.first(shopById, { shopId });
  if (shop === undefined) throw new Refusal('not_found', `the sandbox has no shop ${shopId}`);
}

const linkBetween = statement(({ partnerId, shopId }: { readonly partnerId: string; readonly shopId: string }) =>
  tables.selectFrom('links').selectAll().where('partner_id', '=', partnerId).where('shop_id', '=', shopId),
);
const putLink = statement((row: Omit<LinkRow, 'removed_at'>) => {
  const { partner_id: _, shop_id: __, ...fresh } = { ...row, removed_at: null };
  return tables
    .insertInto('links')
    .values({ ...row, removed_at: null })
    .onConflict((conflict) => conflict.columns(['partner_id', 'shop_id']).doUpdateSet(fresh));
});
const removeLinks = statement(({ shopId, removed_at }: { readonly shopId: string; readonly removed_at: number }) =>
  tables.updateTable('links').set({ removed_at }).where('shop_id', '=', shopId).where('removed_at', 'is', null),
);
const shopById = statement(({ shopId }: { readonly shopId: string }) =>
  tables.selectFrom('shops').select('id').where('id', '=', shopId),
);

/** A partner's or a shop's own API key (decisions, section 3). */
export function apiKey(ownerId: string, secret: string): string {
  return `${ownerId}:${secret}`;
}

/** A partner's key for one shop. */
export function shopKey(shopId: string, secret: string): string {
  return `shop${shopId}:${secret}`;
}

/** The token for the sign-in component; its secret has 43 characters. */
function requestToken(secret: string): string {
  return `request:${secret}`;
}

/** How long a request token is valid (contract, "Limits"). */
export const REQUEST_TOKEN_SECONDS = 900;

/** The input of AuthorizeShop: it pre-fills the sign-in, and contains its redirect url. */
export type SignInRequest = Pick<RequestTokenRow, 'email' | 'phone' | 'name' | 'redirect_url'>;

/** Issues a new request token; every call gets a new one (decisions, section 3). */
export function issueRequestToken(work: Work, partnerId: string, asked: SignInRequest): string {
  const token = requestToken(randomSecret(work.random));
  const expires_at = work.now + REQUEST_TOKEN_SECONDS * 1000;
  work.database.run(insertToken, { token, partner_id: partnerId, ...asked, expires_at, used_by: null });
  return token;
}

/** The sign-in that a request token belongs to; refuses an unknown, expired or used token with 401. */
export function requireRequestToken(work: Work, token: string): RequestTokenRow {
  const row = work.database.first(tokenRow, { token });
  if (row === undefined) throw new Refusal('unauthenticated', 'no such request token');
  if (row.expires_at <= work.now) throw new Refusal('unauthenticated', 'the request token has expired');
  if (row.used_by !== null) throw new Refusal('unauthenticated', 'the request token has been used');
  return row;
}

/** Signs a shop in with a request token, which can be used only once: the shop is linked with the token's partner. */
export function signIn(work: Work, token: string, shopId: string): RequestTokenRow {
  const row = requireRequestToken(work, token);
  requireShop(work, shopId);
  link(work, row.partner_id, shopId);
  work.database.run(changeToken, { token, used_by: shopId });
  return row;
}

/** Ends a denied request: its token expires at once. */
export function endRequest(work: Work, token: string): void {
  work.database.run(changeToken, { token, expires_at: work.now });
}

const insertToken = statement((row: RequestTokenRow) => tables.insertInto('request_tokens').values(row));
const tokenRow = statement(({ token }: Pick<RequestTokenRow, 'token'>) =>
  tables.selectFrom('request_tokens').selectAll().where('token', '=', token),
);
const changeToken = statement(({ token, ...change }: Pick<RequestTokenRow, 'token'> & Partial<RequestTokenRow>) =>
  tables.updateTable('request_tokens').set(change).where('token', '=', token),
);

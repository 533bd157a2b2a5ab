import { randomSecret } from '../../engine/random.ts';
import { Refusal } from '../../engine/refusal.ts';
import { statement, tables } from '../../engine/store/sql/statement.ts';
import type { RequestTokenRow } from '../../engine/store/sql/tables.ts';
import type { Work } from '../../engine/work.ts';
import { requestToken } from './keys.ts';
import { link, requireShop } from './links.ts';

/** How long a request token is valid (contract, "Limits"). */
export const REQUEST_TOKEN_SECONDS = 900;

/** The input of AuthorizeShop: it pre-fills the sign-in, and contains its redirect url. */
export type SignInWish = Pick<RequestTokenRow, 'email' | 'phone' | 'name' | 'redirect_url'>;

/** Issues a new request token; every call gets a new one (decisions, section 3). */
export function issueRequestToken(work: Work, partnerId: string, wish: SignInWish): string {
  const token = requestToken(randomSecret(work.random));
  const expires_at = work.now + REQUEST_TOKEN_SECONDS * 1000;
  work.database.run(insertToken, { token, partner_id: partnerId, ...wish, expires_at, used_by: null });
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

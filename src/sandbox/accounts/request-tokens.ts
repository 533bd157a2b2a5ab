import { randomSecret } from '../random.ts';
import { Refusal } from '../refusal.ts';
import type { RequestTokenRow } from '../store/tables.ts';
import type { Work } from '../work.ts';
import { requestToken } from './keys.ts';
import { link, requireShop } from './links.ts';

/** How long a request token is valid (contract, "Limits"). */
export const REQUEST_TOKEN_SECONDS = 900;

/** What AuthorizeShop was told: it pre-fills the sign-in, and says where the sign-in returns to. */
export type SignInWish = Pick<RequestTokenRow, 'email' | 'phone' | 'name' | 'redirect_url'>;

/** A new request token; a new one on every call (decisions, section 3). */
export async function issueRequestToken(work: Work, partnerId: string, wish: SignInWish): Promise<string> {
  const token = requestToken(randomSecret(work.random));
  const expires_at = work.now + REQUEST_TOKEN_SECONDS * 1000;
  await work.database
    .insertInto('request_tokens')
    .values({ token, partner_id: partnerId, ...wish, expires_at, used_by: null })
    .execute();
  return token;
}

/** The sign-in that a request token stands for; refuses one that is unknown, expired or used, with 401. */
export async function requireRequestToken(work: Work, token: string): Promise<RequestTokenRow> {
  const row = await work.database
    .selectFrom('request_tokens')
    .selectAll()
    .where('token', '=', token)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('unauthenticated', 'there is no such request token');
  if (row.expires_at <= work.now) throw new Refusal('unauthenticated', 'the request token has expired');
  if (row.used_by !== null) throw new Refusal('unauthenticated', 'the request token has been used');
  return row;
}

/** Signs a shop in with a request token, which is used up by it: the shop is linked with the token's partner. */
export async function signIn(work: Work, token: string, shopId: string): Promise<RequestTokenRow> {
  const row = await requireRequestToken(work, token);
  await requireShop(work, shopId);
  await link(work, row.partner_id, shopId);
  await work.database.updateTable('request_tokens').set({ used_by: shopId }).where('token', '=', token).execute();
  return row;
}

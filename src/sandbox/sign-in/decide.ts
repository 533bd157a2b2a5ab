import { addShop } from '../accounts/add-shop.ts';
import { findAccount } from '../accounts/authenticate.ts';
import { requireRequestToken, signIn } from '../accounts/request-tokens.ts';
import { Refusal } from '../refusal.ts';
import type { Work } from '../work.ts';
import { NEW_SHOP } from './offer.ts';

/** What the owner of a shop sent with the page's form. */
export interface Decision {
  readonly token: string;
  readonly allowed: boolean;
  /** The id of a shop, or `new`. */
  readonly shopId: string;
  readonly newShop: { readonly name: string; readonly email: string; readonly phone: string };
}

/** What became of it. */
export interface Decided {
  /** Undefined when the owner denied. */
  readonly shop: { readonly id: string; readonly name: string } | undefined;
  readonly redirectUrl: string | null;
}

/** The longest name, email address or phone number of a new shop. */
const LONGEST_FIELD = 100;

/** Carries a decision out: links the shop, which is made first where it is new, or ends the request. */
export async function decide(work: Work, decision: Decision): Promise<Decided> {
  const request = await requireRequestToken(work, decision.token);
  if (!decision.allowed) {
    await endRequest(work, decision.token);
    return { shop: undefined, redirectUrl: request.redirect_url };
  }
  const id = decision.shopId === NEW_SHOP ? await makeShop(work, decision.newShop) : decision.shopId;
  await signIn(work, decision.token, id);
  return { shop: { id, name: await shopName(work, id) }, redirectUrl: request.redirect_url };
}

/** A denied request is over: its token expires at once. */
async function endRequest(work: Work, token: string): Promise<void> {
  await work.database.updateTable('request_tokens').set({ expires_at: work.now }).where('token', '=', token).execute();
}

async function makeShop(work: Work, given: Decision['newShop']): Promise<string> {
  const [name, email, phone] = [given.name.trim(), given.email.trim(), given.phone.trim()];
  if (name === '') throw new Refusal('invalid_argument', 'A new shop needs a name.');
  if ([name, email, phone].some((text) => text.length > LONGEST_FIELD)) {
    throw new Refusal('invalid_argument', `Name, email and phone have at most ${LONGEST_FIELD} characters.`);
  }
  return addShop(work, { name, email: email || null, phone: phone || null });
}

/** The shop behind a shop key whose link stands; the component takes such a key instead of a request token. */
export async function shopOfKey(work: Work, key: string): Promise<{ readonly id: string; readonly name: string }> {
  const account = await findAccount(work.database, key);
  if (account?.kind !== 'shop' || account.partnerId === undefined) {
    throw new Refusal('unauthenticated', 'the shop key is not valid, or the shop has removed the link');
  }
  return { id: account.shopId, name: await shopName(work, account.shopId) };
}

async function shopName({ database }: Work, id: string): Promise<string> {
  const { name } = await database.selectFrom('shops').select('name').where('id', '=', id).executeTakeFirstOrThrow();
  return name;
}

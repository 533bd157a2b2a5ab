import { findAccount } from '../../engine/authenticate.ts';
import type { Work } from '../../engine/call.ts';
import { Refusal } from '../../engine/refusal.ts';
import { statement, tables } from '../../engine/store/sql/statement.ts';
import { addShop, endRequest, requireRequestToken, signIn } from '../accounts/request-tokens.ts';
import { NEW_SHOP } from './offer.ts';

/** What the owner of a shop submitted with the page's form. */
export interface Decision {
  readonly token: string;
  readonly allowed: boolean;
  /** The id of a shop, or `new`. */
  readonly shopId: string;
  readonly newShop: { readonly name: string; readonly email: string; readonly phone: string };
}

/** The result of a decision. */
export interface Decided {
  /** Undefined if the owner declined. */
  readonly shop: { readonly id: string; readonly name: string } | undefined;
  readonly redirectUrl: string | null;
}

/** The longest name, email address or phone number of a new shop. */
const LONGEST_FIELD = 100;

/** Applies a decision: links the shop, creating it first if it is new, or ends the request. */
export function decide(work: Work, decision: Decision): Decided {
  const request = requireRequestToken(work, decision.token);
  if (!decision.allowed) {
    endRequest(work, decision.token);
    return { shop: undefined, redirectUrl: request.redirect_url };
  }
  const id = decision.shopId === NEW_SHOP ? makeShop(work, decision.newShop) : decision.shopId;
  signIn(work, decision.token, id);
  return { shop: { id, name: shopName(work, id) }, redirectUrl: request.redirect_url };
}

function makeShop(work: Work, given: Decision['newShop']): string {
  const [name, email, phone] = [given.name.trim(), given.email.trim(), given.phone.trim()];
  if (name === '') throw new Refusal('invalid_argument', 'A new shop needs a name.');
  if ([name, email, phone].some((text) => text.length > LONGEST_FIELD)) {
    throw new Refusal('invalid_argument', `Name, email and phone have at most ${LONGEST_FIELD} characters.`);
  }
  return addShop(work, { name, email: email || null, phone: phone || null });
}

/** The shop of a shop key with an active link; the component accepts such a key instead of a request token. */
export function shopOfKey(work: Work, key: string): { readonly id: string; readonly name: string } {
  const account = findAccount(work.database, key);
  if (account?.kind !== 'shop' || account.partnerId === undefined) {
    throw new Refusal('unauthenticated', 'the shop key is not valid, or the shop has removed the link');
  }
  return { id: account.shopId, name: shopName(work, account.shopId) };
}

function shopName({ database }: Work, id: string): string {
  const shop = database.first(shopById, { id });
  if (shop === undefined) throw new Error(`the sandbox has no shop ${id}`);
  return shop.name;
}

const shopById = statement(({ id }: { readonly id: string }) =>
  tables.selectFrom('shops').select('name').where('id', '=', id),
);

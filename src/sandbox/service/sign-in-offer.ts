import type { Work } from '../engine/call.ts';
import { statement, tables } from '../engine/store/statement.ts';
import type { RequestTokenRow } from '../engine/store/tables.ts';
import { requireRequestToken } from './accounts.ts';

/** The path prefix of the sign-in. */
export const SIGN_IN_PATH = '/sign-in/';

/** The script with `shopSignIn`, for the profile's `sign_in_component_url` (decisions, section 3). */
export const COMPONENT_PATH = `${SIGN_IN_PATH}component.js`;

/** The page on which a shop signs in with a request token (decisions, section 3). */
export function signInPageUrl(origin: string, requestToken: string): string {
  return `${origin}${SIGN_IN_PATH}?${new URLSearchParams({ auth_token: requestToken })}`;
}

/** The redirect url with `shop_id` added to its query (decisions, section 3). */
export function withShopId(redirectUrl: string, shopId: string): string {
  return withParameter(redirectUrl, 'shop_id', shopId);
}

/**
 * The redirect url after the shop's owner declined; the error word is OAuth's (our choice, since the service's is
 * unknown).
 */
export function withDenial(redirectUrl: string): string {
  return withParameter(redirectUrl, 'error', 'access_denied');
}

function withParameter(redirectUrl: string, name: string, value: string): string {
  const url = new URL(redirectUrl);
  url.searchParams.set(name, value);
  return url.href;
}

/** A shop that the owner can choose. */
export interface OfferedShop {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  /** Whether it is already linked with the partner. */
  readonly connected: boolean;
}

/** The page's question to the owner of a shop. */
export interface Offer {
  readonly token: string;
  readonly partnerName: string;
  readonly shops: readonly OfferedShop[];
  /** The preselected shop; `new` if AuthorizeShop described one that is not in the list. */
  readonly proposed: string;
  readonly asked: Pick<RequestTokenRow, 'email' | 'phone' | 'name'>;
  readonly redirectUrl: string | null;
  readonly secondsLeft: number;
}

/** Used instead of an id: the shop does not exist yet. */
export const NEW_SHOP = 'new';

/** The longest list of shops that is shown. */
const MOST_SHOPS = 100;

type PartnerName = Pick<RequestTokenRow, 'partner_id'>;

const partnerById = statement(({ partner_id }: PartnerName) =>
  tables.selectFrom('partners').select('name').where('id', '=', partner_id),
);
const offeredShops = statement(() =>
  tables
    .selectFrom('shops')
    .select(['id', 'name', 'email', 'phone'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST_SHOPS),
);
const standingLinks = statement(({ partner_id }: PartnerName) =>
  tables.selectFrom('links').select('shop_id').where('partner_id', '=', partner_id).where('removed_at', 'is', null),
);

/** The offer for a request token; refuses an unknown, expired or used one. */
export function readOffer(work: Work, token: string): Offer {
  const row = requireRequestToken(work, token);
  const { partner_id } = row;
  const partner = work.database.first(partnerById, { partner_id });
  if (partner === undefined) throw new Error(`the sandbox has no partner ${partner_id}`);
  const shops = work.database.all(offeredShops, {});
  const links = work.database.all(standingLinks, { partner_id });
  const connected = new Set(links.map(({ shop_id }) => shop_id));
  const offered = shops.map((shop) => ({ ...shop, connected: connected.has(shop.id) }));
  return {
    token,
    partnerName: partner.name,
    shops: offered,
    proposed: proposedOf(offered, row),
    asked: { email: row.email, phone: row.phone, name: row.name },
    redirectUrl: row.redirect_url,
    secondsLeft: Math.max(0, Math.floor((row.expires_at - work.now) / 1000)),
  };
}

/** The shop that AuthorizeShop described, found by its email address, phone number or name. */
function proposedOf(shops: readonly OfferedShop[], { email, phone, name }: RequestTokenRow): string {
  const first = shops[0]?.id ?? NEW_SHOP;
  if (!email && !phone && !name) return first;
  const same = shops.find(
    (shop) => (email && shop.email === email) || (phone && shop.phone === phone) || (name && shop.name === name),
  );
  return same?.id ?? NEW_SHOP;
}

import type { Credential } from '../../contract/operation.ts';

/** A partner, authenticated by its API key. */
interface PartnerAccount {
  readonly kind: 'partner';
  readonly partnerId: string;
}

/** A caller that acts as a shop: the shop itself, or the partner `partnerId` with its shop key. */
interface ShopAccount {
  readonly kind: 'shop';
  readonly shopId: string;
  readonly partnerId: string | undefined;
}

/** The authenticated caller. */
export type Account = PartnerAccount | ShopAccount;

/** The kind of credential that the account was authenticated with (decisions, section 3). */
export function credentialOf(account: Account): Credential {
  if (account.kind === 'partner') return 'partner-api-key';
  return account.partnerId === undefined ? 'shop-api-key' : 'shop-key';
}

/** The shop that the caller acts as. Dispatch has checked the credential, so a partner here is a bug of the handler. */
export function shopOf(account: Account): ShopAccount {
  if (account.kind === 'shop') return account;
  throw new TypeError('this operation acts as a shop');
}

/**
 * The partner that calls with its API key. Dispatch has checked the credential, so a shop here is a bug of the handler.
 */
export function partnerOf(account: Account): PartnerAccount {
  if (account.kind === 'partner') return account;
  throw new TypeError('this operation acts as a partner');
}

import type { Credential } from '../../contract/operation.ts';

/** A partner itself, by its API key. */
export interface PartnerAccount {
  readonly kind: 'partner';
  readonly partnerId: string;
}

/** Someone who acts as a shop: the shop itself, or the partner `partnerId` by its shop key. */
export interface ShopAccount {
  readonly kind: 'shop';
  readonly shopId: string;
  readonly partnerId: string | undefined;
}

/** Who calls. */
export type Account = PartnerAccount | ShopAccount;

/** The kind of credential that an account was recognised by (decisions, section 3). */
export function credentialOf(account: Account): Credential {
  if (account.kind === 'partner') return 'partner-api-key';
  return account.partnerId === undefined ? 'shop-api-key' : 'shop-key';
}

/** The shop that is acted as. Dispatch has checked the credential, so a partner here is a mistake of the handler. */
export function shopOf(account: Account): ShopAccount {
  if (account.kind === 'shop') return account;
  throw new TypeError('this operation acts as a shop');
}

/** The partner that calls by its API key. Dispatch has checked the credential, so a shop here is a mistake of the handler. */
export function partnerOf(account: Account): PartnerAccount {
  if (account.kind === 'partner') return account;
  throw new TypeError('this operation acts as a partner');
}

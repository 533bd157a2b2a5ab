import { partnerOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { isLoopbackUrl } from '../../../engine/loopback.ts';
import { invalid, Refusal } from '../../../engine/refusal.ts';
import { findLink, issueRequestToken, REQUEST_TOKEN_SECONDS, shopKey } from '../../accounts.ts';
import { signInPageUrl } from '../../sign-in-offer.ts';

/** partner.Shop: the rules are in decisions, section 3; the first one that applies decides. */
export const handlers = {
  AuthorizeShop(input, call) {
    const { partnerId } = partnerOf(call.account);
    const { email, phone, name, redirect_url: redirectUrl = '' } = input;
    // An unset id may also be sent as 0 (decisions, section 2).
    const shopId = input.shop_id === '0' ? '' : (input.shop_id ?? '');
    if (shopId !== '' && (email || phone)) throw invalid('shop_id', 'cannot go together with email or phone');
    if (redirectUrl !== '' && !isLoopbackUrl(redirectUrl)) {
      throw invalid('redirect_url', 'must be an http or https url on this machine: this is a sandbox');
    }
    if (shopId !== '') {
      const link = findLink(call, partnerId, shopId);
      if (link === undefined) {
        const reason = `shop ${shopId} never signed in through this partner`;
        throw new Refusal('permission_denied', reason, { reason });
      }
      if (link.removed_at === null) {
        const auth_token = shopKey(shopId, link.secret);
        return { code: 'ok', msg: 'the shop is connected', type: 'shop_key', auth_token, expires_in: -1 };
      }
    }
    const asked = { email: email ?? null, phone: phone ?? null, name: name ?? null, redirect_url: redirectUrl || null };
    const auth_token = issueRequestToken(call, partnerId, asked);
    return {
      code: 'ok',
      msg: 'the shop must sign in',
      type: 'shop_request',
      auth_token,
      expires_in: REQUEST_TOKEN_SECONDS,
      ...(redirectUrl === '' ? {} : { auth_url: signInPageUrl(call.origin, auth_token) }),
    };
  },
} satisfies Handlers<typeof import('../../../../contract/partner/shop.ts')>;

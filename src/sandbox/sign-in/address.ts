/** Everything of the sign-in lies below this path. */
export const SIGN_IN_PATH = '/sign-in/';

/** The page on which a shop signs in with a request token (decisions, section 3). */
export function signInPageUrl(origin: string, requestToken: string): string {
  return `${origin}${SIGN_IN_PATH}?${new URLSearchParams({ auth_token: requestToken })}`;
}

/** The redirect url with `shop_id` added to its query (decisions, section 3). */
export function withShopId(redirectUrl: string, shopId: string): string {
  const url = new URL(redirectUrl);
  url.searchParams.set('shop_id', shopId);
  return url.href;
}

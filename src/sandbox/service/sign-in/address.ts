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

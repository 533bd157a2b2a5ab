/** A partner's or a shop's own API key (decisions, section 3). */
export function apiKey(ownerId: string, secret: string): string {
  return `${ownerId}:${secret}`;
}

/** A partner's key for one shop. */
export function shopKey(shopId: string, secret: string): string {
  return `shop${shopId}:${secret}`;
}

/** The token for the sign-in component; its secret has 43 characters. */
export function requestToken(secret: string): string {
  return `request:${secret}`;
}

import { ServiceError } from '../../client/errors.ts';
import { AuthorizeShop } from '../../contract/partner/shop.ts';
import { isNeverSignedIn } from '../../flows/sign-in.ts';
import type { Ports } from '../ports.ts';

/**
 * A 403 of AuthorizeShop with what to do about it (contract, "Authentication", 6): it comes for a shop that never signed
 * in through this partner, and for nothing else. Any other error comes back as it is.
 */
export function explained(error: unknown, { front }: Pick<Ports, 'front'>): unknown {
  if (!isNeverSignedIn(error)) return error;
  const { message, code, status, meta, outcome } = error;
  const hint = front.advise('sign_in_new_shop');
  return new ServiceError(AuthorizeShop.id, { code, msg: message, status, meta, outcome, hint });
}

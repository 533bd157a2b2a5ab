import type { Ports } from '../../../action/ports.ts';
import { ServiceError } from '../../../client/errors.ts';
import { AuthorizeShop } from '../../../contract/partner/shop.ts';
import { isNeverSignedIn } from '../../sign-in.ts';

/**
 * Adds advice to a 403 of AuthorizeShop (contract, "Authentication", 6), which is returned only for a shop that never
 * signed in through this partner. Any other error is returned unchanged.
 */
export function explained(error: unknown, { front }: Pick<Ports, 'front'>): unknown {
  if (!isNeverSignedIn(error)) return error;
  const { message, code, status, meta, outcome } = error;
  const hint = front.advise('sign_in_new_shop');
  return new ServiceError(AuthorizeShop.id, { code, msg: message, status, meta, outcome, hint });
}

import { ServiceError } from '../../../client/errors.ts';
import { matchPlace } from '../../../domain/places/places.ts';
import type { DraftAddress, OrderDraft } from '../../../ledger/order-draft.ts';
import { nearGiven } from '../../questions/address-step.ts';

/**
 * Adds to the service's refusal what an unlisted place in the order may have meant. Our list is not consulted before: a
 * service may know more places than we do.
 */
export async function withPlaceHint(error: unknown, { shipping_address, shipping }: OrderDraft): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'invalid_argument' || error.hint !== undefined) return error;
  const { locationTree } = await import('../../../domain/places/place-data.ts');
  const addresses: readonly (readonly [string, DraftAddress | null | undefined])[] = [
    ['shipping_address', shipping_address],
    ['shipping.pickup_address', shipping?.pickup_address],
  ];
  const hints = addresses.flatMap(([path, address]) => {
    const { province, district, ward } = address ?? {};
    if (!address || matchPlace(locationTree, { province, district, ward }).kind === 'found') return [];
    const near = nearGiven(locationTree, address).slice(0, 3);
    return near.length === 0 ? [] : [`${path}: did you mean ${near.join(' or ')}?`];
  });
  if (hints.length === 0) return error;
  const { operation = '', code, message, meta, status, outcome } = error;
  return new ServiceError(operation, { code, msg: message, meta, status, outcome, hint: hints.join(' ') });
}

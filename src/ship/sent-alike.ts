import { canonicalText } from '../domain/canonical-text.ts';
import { nationalDigits } from '../domain/likeness.ts';
import { foldedName } from '../domain/places/place-name.ts';
import { equalOrder } from '../ledger/equal-order.ts';
import type { Intent } from '../ledger/intents/intent.ts';
import type { OrderDraft } from '../ledger/order-draft.ts';

const DAY_MS = 86_400_000;

/** What goes to whom: phone and goods, whatever the parcel weighs and costs; undefined if either is missing. */
function likeness(order: OrderDraft): string | undefined {
  const { shipping_address, lines } = order;
  const phone = nationalDigits(shipping_address?.phone ?? '');
  if (phone === '' || (lines ?? []).length === 0) return undefined;
  const goods = (lines ?? []).map(({ product_name, variant_id, quantity }) =>
    canonicalText([variant_id, foldedName(product_name ?? ''), quantity]),
  );
  return canonicalText([phone, goods.sort()]);
}

/**
 * The last order of a day that took the same goods to the same phone, and is not equal: an equal one is recognised when it
 * is sent. Undefined if there is none.
 */
export async function sentAlike(
  order: OrderDraft,
  intents: readonly Intent[],
  now: number,
): Promise<Intent | undefined> {
  const own = likeness(order);
  if (own === undefined) return undefined;
  const { locationTree } = await import('../domain/places/place-data.ts');
  const equal = (one: OrderDraft) => equalOrder(one, locationTree).equal;
  return intents.findLast(({ state, updated_at, order: given, request = given }) => {
    const isSent = state === 'done' && now - Date.parse(updated_at) < DAY_MS;
    return isSent && likeness(request) === own && equal(request) !== equal(order);
  });
}

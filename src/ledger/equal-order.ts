import { hash } from 'node:crypto';
import { comparable } from '../client/settle/compare.ts';
import { canonicalText } from '../domain/canonical-text.ts';
import type { LocationTree } from '../domain/places/places.ts';
import { completeOrder, type OrderDraft } from './order-draft.ts';
import type { Equality } from './store/keys.ts';

/** The order with everything that can be computed, whoever computed it; unchanged if that fails. */
export function completed(order: OrderDraft): object {
  try {
    return completeOrder(order);
  } catch {
    return order;
  }
}

/**
 * What an order is recognised by, whichever command, person or sheet it comes from: the digest of its content in the form
 * in which requests are compared, without its name and service. The 24-hour rule compares them.
 */
export function equalOrder(order: OrderDraft, tree: LocationTree): Equality & { readonly equal: string } {
  const { external_id: _, ...content }: OrderDraft = completed(order);
  const text = `["e2",${canonicalText(comparable(content, tree))}]`;
  return { equal: hash('sha256', text, 'hex').slice(0, 32) };
}

/** `equalOrder` where the places are not loaded yet. */
export async function recognisedOrder(order: OrderDraft): Promise<ReturnType<typeof equalOrder>> {
  const { locationTree } = await import('../domain/places/place-data.ts');
  return equalOrder(order, locationTree);
}

import { hash } from 'node:crypto';
import { CHOSEN, comparable } from '../../client/settle/compare.ts';
import { canonicalText } from '../../domain/canonical-text.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import type { Equality } from '../../workspace/ledger/keys.ts';
import { completeOrder, type OrderDraft } from '../ship/order-draft.ts';

/** What a former version compared of an order: fields sorted, nulls dropped, without its service and name. */
function former(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => former(item, 'item'));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([field, inner]) => inner !== null && inner !== undefined && !(name === 'shipping' && CHOSEN.has(field)))
    .filter(([field]) => name !== '' || field !== 'external_id')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return fields.map(([field, inner]) => [field, former(inner, field)]);
}

/** The order with everything that can be computed, whoever computed it; unchanged if that fails. */
export function completed(order: OrderDraft): object {
  try {
    return completeOrder(order);
  } catch {
    return order;
  }
}

const digestOf = (text: string) => hash('sha256', text, 'hex').slice(0, 32);

/**
 * What an order is recognised by, whichever command, person or sheet it comes from: the digest of its content in the form
 * in which requests are compared, without its name and service; and the one that a former version has stored of the same
 * text. The 24-hour rule compares them.
 */
export function equalOrder(order: OrderDraft, tree: LocationTree): Equality & { readonly equal: string } {
  const whole = completed(order);
  const { external_id: _, ...content }: OrderDraft = whole;
  return {
    equal: digestOf(`["e2",${canonicalText(comparable(content, tree))}]`),
    formerEqual: digestOf(JSON.stringify(former(whole))),
  };
}

/** `equalOrder` where the places are not loaded yet. */
export async function recognisedOrder(order: OrderDraft): Promise<ReturnType<typeof equalOrder>> {
  const { locationTree } = await import('../../domain/places/place-data.ts');
  return equalOrder(order, locationTree);
}

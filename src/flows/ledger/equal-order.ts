import { hash } from 'node:crypto';
import { CHOSEN } from '../../client/settle/compare.ts';
import { completeOrder, type OrderDraft } from '../ship/order-draft.ts';

/** An order in a canonical form: fields sorted, nulls dropped, without its service and name. */
function canonical(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, 'item'));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([field, inner]) => inner !== null && inner !== undefined && !(name === 'shipping' && CHOSEN.has(field)))
    .filter(([field]) => name !== '' || field !== 'external_id')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return fields.map(([field, inner]) => [field, canonical(inner, field)]);
}

/** The order with everything that can be computed, whoever computed it; unchanged if that fails. */
export function completed(order: OrderDraft): object {
  try {
    return completeOrder(order);
  } catch {
    return order;
  }
}

/** The content of an order as one text, without its name and service. */
export function orderText(order: OrderDraft): string {
  return JSON.stringify(canonical(completed(order)));
}

/**
 * The digest of an order's content without its name and service: equal orders have the same, whichever command, person
 * or sheet they come from. The 24-hour rule compares it.
 */
export function equalOrder(order: OrderDraft): string {
  return hash('sha256', orderText(order), 'hex').slice(0, 32);
}

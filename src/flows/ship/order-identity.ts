import { createHash } from 'node:crypto';
import { type Account, accountText } from '../../client/account.ts';
import { completeOrder, type OrderDraft } from './order-draft.ts';

const ofService = new Set([
  'carrier',
  'connection_id',
  'shipping_service_code',
  'shipping_service_name',
  'shipping_service_fee',
]);

/** An order in a canonical form: fields sorted, nulls dropped, without its service and name. */
function canonical(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, 'item'));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([field, inner]) => inner !== null && inner !== undefined && !(name === 'shipping' && ofService.has(field)))
    .filter(([field]) => name !== '' || field !== 'external_id')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return fields.map(([field, inner]) => [field, canonical(inner, field)]);
}

/**
 * The order with everything that can be computed, so that it does not matter who computed it; unchanged if that fails.
 */
function completed(order: OrderDraft): object {
  try {
    const { payment_method } = order;
    return { ...completeOrder(order), payment_method };
  } catch {
    return order;
  }
}

/** The content of an order as one text, without its name and service. */
export function orderText(order: OrderDraft): string {
  return JSON.stringify(canonical(completed(order)));
}

/**
 * Identifies *the same order*, as ten hexadecimal digits: the operation, the account, and the order as given without
 * its service. An order with an external_id is identified by that id alone, whatever it contains.
 */
export function orderIdentity(operation: string, account: Account, order: OrderDraft): string {
  const what = order.external_id ? ['external_id', order.external_id] : ['order', orderText(order)];
  const text = JSON.stringify([operation, accountText(account), ...what]);
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

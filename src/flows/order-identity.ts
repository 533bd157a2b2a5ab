import { createHash } from 'node:crypto';
import { type Account, accountText } from '../client/account.ts';
import { completeOrder, type OrderDraft } from './ship/order-draft.ts';

const ofService = new Set([
  'carrier',
  'connection_id',
  'shipping_service_code',
  'shipping_service_name',
  'shipping_service_fee',
]);

/** An order as a value that is the same for the same order: fields sorted, nulls left out, without its service and name. */
function canonical(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, 'item'));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([field, inner]) => inner !== null && inner !== undefined && !(name === 'shipping' && ofService.has(field)))
    .filter(([field]) => name !== '' || field !== 'external_id')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return fields.map(([field, inner]) => [field, canonical(inner, field)]);
}

/** With everything that can be worked out, so that it does not count who worked it out; as it is where that is not possible. */
function completed(order: OrderDraft): object {
  try {
    const { payment_method } = order;
    return { ...completeOrder(order), payment_method };
  } catch {
    return order;
  }
}

/** What an order is, its name and its service apart, as one text. */
export function orderText(order: OrderDraft): string {
  return JSON.stringify(canonical(completed(order)));
}

/**
 * What is *the same order*, ten hexadecimal digits: the operation, the account, and the order as it was given, less its
 * service. One that has an external_id is that id's, whatever it holds.
 */
export function orderIdentity(operation: string, account: Account, order: OrderDraft): string {
  const what = order.external_id ? ['external_id', order.external_id] : ['order', orderText(order)];
  const text = JSON.stringify([operation, accountText(account), ...what]);
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

import type { Amount } from './amount.ts';

/** What decides an order's cash on delivery (contract, Order and OrderShipping). */
export interface PaidOrder {
  readonly payment_method?: unknown;
  readonly total_amount?: Amount;
  readonly shipping?: { readonly cod_amount?: Amount } | null | undefined;
}

/**
 * Completes the cash that the carrier collects: the total of an order that says it is paid on delivery
 * (`payment_method: cod`), is shipped, and has no cod_amount yet. Any other order comes back as it is: a cod_amount that
 * is there, 0 too, was decided by somebody (a deposit may have been paid), and an order that does not say how it is paid
 * may be paid already.
 */
export function fillCashOnDelivery<Order extends PaidOrder>(order: Order): Order {
  const { payment_method: method, total_amount: total, shipping } = order;
  if (method !== 'cod' || !shipping || (shipping.cod_amount ?? null) !== null) return order;
  if (typeof total !== 'number' || total < 0) return order;
  return { ...order, shipping: { ...shipping, cod_amount: total } };
}

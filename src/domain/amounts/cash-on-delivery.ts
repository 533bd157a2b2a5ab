import { say } from '../texts.ts';
import type { Amount } from './weight.ts';

/** The fields that determine an order's cash on delivery (contract, Order and OrderShipping). */
interface PaidOrder {
  readonly payment_method?: unknown;
  readonly total_amount?: Amount;
  readonly shipping?: { readonly cod_amount?: Amount } | null | undefined;
}

/**
 * Fills in the cash that the carrier collects: the order's total, if the order is paid on delivery (`payment_method:
 * cod`), is shipped, and has no cod_amount yet. Any other order is returned unchanged: an existing cod_amount, even 0,
 * was chosen deliberately (a deposit may have been paid), and an order without a payment method may already be paid.
 */
export function fillCashOnDelivery<Order extends PaidOrder>(order: Order): Order {
  const { payment_method: method, total_amount: total, shipping } = order;
  if (method !== 'cod' || !shipping || (shipping.cod_amount ?? null) !== null) return order;
  if (typeof total !== 'number' || total < 0) return order;
  return { ...order, shipping: { ...shipping, cod_amount: total } };
}

/**
 * What of a shipped order's total the carrier does not collect: a deposit, a transfer, a payment online. Undefined if that is
 * nothing, or the order is not shipped.
 */
export function paidBefore({ total_amount: total, shipping }: PaidOrder): number | undefined {
  if (!shipping || typeof total !== 'number') return undefined;
  const rest = total - Number(shipping.cod_amount ?? 0);
  return rest > 0 ? rest : undefined;
}

/** Less than this is collected from nobody. */
const LEAST = 1_000;

/** What is wrong with so little cash in a field; undefined for an amount that is collected, or none, and for another field. */
export const smallCash = (name: string, amount: number): string | undefined =>
  /(?:^|\.)cod_amount$/.test(name) && amount > 0 && amount < LEAST ? say().smallCash : undefined;

import { fillCashOnDelivery } from '../domain/amounts/cash-on-delivery.ts';
import { fillTotals, type OrderAmounts, type Totals } from '../domain/amounts/totals.ts';
import { AmountError, fillChargeable, type Parcel } from '../domain/amounts/weight.ts';

/** An address as far as it is known (contract, OrderAddress). */
export interface DraftAddress {
  readonly full_name?: string | null;
  readonly phone?: string | null;
  readonly province?: string | null;
  readonly district?: string | null;
  readonly ward?: string | null;
  readonly address1?: string | null;
}

/** A line as far as it is known (contract, OrderLine). */
export interface DraftLine {
  readonly product_name?: string | null;
  readonly quantity?: number | null;
  readonly retail_price?: number | null;
  readonly payment_price?: number | null;
  readonly product_id?: string | null;
  readonly variant_id?: string | null;
  readonly attributes?: readonly unknown[] | null;
}

/** A fee on the order (contract, OrderFeeLine). */
export interface DraftFee {
  readonly type?: string | null;
  readonly name?: string | null;
  readonly amount?: number | null;
}

/** The shipping part as far as it is known (contract, OrderShipping). */
export interface DraftShipping extends Parcel {
  readonly pickup_address?: DraftAddress | null;
  readonly cod_amount?: number | null;
  readonly include_insurance?: boolean | null;
  readonly try_on?: string | null;
  readonly shipping_note?: string | null;
  readonly shipping_service_code?: string | null;
  readonly shipping_service_name?: string | null;
  readonly shipping_service_fee?: number | null;
}

/** An order under construction: the request's own fields, all of them optional; unknown fields are kept. */
export interface OrderDraft extends Omit<OrderAmounts, 'lines' | 'fee_lines'> {
  readonly external_id?: string | null;
  readonly external_code?: string | null;
  readonly payment_method?: string | null;
  readonly customer_address?: DraftAddress | null;
  readonly shipping_address?: DraftAddress | null;
  readonly lines?: readonly DraftLine[] | null;
  readonly fee_lines?: readonly DraftFee[] | null;
  readonly shipping?: DraftShipping | null;
}

/** An order with everything filled in that can be computed. */
export type CompleteOrder = Omit<OrderDraft, 'payment_method'> & Totals;

/**
 * The request for an order, before its service is chosen: the customer is the recipient if no other is given; missing
 * sums and the chargeable weight are computed, and the cash on delivery if the order says that it is paid that way.
 * `payment_method` is not a field of a shipped order (contract, CreateAndConfirmOrder) and is dropped here. Given
 * values stay, even wrong sums: the contract's rules refuse those. Throws AmountError for numbers that cannot be
 * summed.
 */
export function completeOrder(draft: OrderDraft): CompleteOrder {
  const { shipping_address } = draft;
  const addressed =
    draft.customer_address || !shipping_address ? draft : { ...draft, customer_address: { ...shipping_address } };
  const { payment_method: _, ...order } = fillCashOnDelivery(fillTotals(addressed));
  return order.shipping ? { ...order, shipping: withChargeable(order.shipping) } : order;
}

/** A parcel with its chargeable weight; an error names the field by its path in the order. */
function withChargeable(shipping: DraftShipping): DraftShipping {
  try {
    return fillChargeable(shipping);
  } catch (error) {
    if (error instanceof AmountError) throw new AmountError(`shipping.${error.field}`, error.kind);
    throw error;
  }
}

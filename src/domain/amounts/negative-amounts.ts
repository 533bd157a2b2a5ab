import { fieldsIn } from '../json/values.ts';
import { type LineAmounts, type OrderAmounts, totalNames } from './totals.ts';
import type { Amount } from './weight.ts';

/** The fields of an order, besides its sums, that are checked for negative amounts. */
export type SignedAmounts = Omit<OrderAmounts, 'lines'> & {
  readonly lines?: readonly (LineAmounts & { readonly list_price?: Amount })[] | null | undefined;
  readonly shipping?: { readonly [Name in (typeof shippingAmounts)[number]]?: Amount } | null | undefined;
};

const linePrices = ['retail_price', 'payment_price', 'list_price'] as const;
const orderAmounts = ['order_discount', ...totalNames] as const;
const feeAmounts = ['amount'] as const;
const shippingAmounts = ['cod_amount', 'shipping_service_fee'] as const;

const isNegative = (amount: unknown) => typeof amount === 'number' && amount < 0;

/** Paths of an order's negative amounts: prices and fees cannot be below zero, and a negative fee is not a discount. */
export function negativeAmounts(order: SignedAmounts): string[] {
  const found: string[] = [];
  const look = (place: string, amounts: object, names: readonly string[], index?: number) => {
    const fields = fieldsIn(amounts);
    for (const name of names) {
      if (!isNegative(fields[name])) continue;
      found.push(index === undefined ? place + name : `${place}[${index}].${name}`);
    }
  };
  for (const [index, line] of (order.lines ?? []).entries()) look('lines', line, linePrices, index);
  look('', order, orderAmounts);
  for (const [index, fee] of (order.fee_lines ?? []).entries()) look('fee_lines', fee, feeAmounts, index);
  look('shipping.', order.shipping ?? {}, shippingAmounts);
  return found;
}

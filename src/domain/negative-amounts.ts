import type { Amount } from './amount.ts';
import { type LineAmounts, type OrderAmounts, totalNames } from './totals.ts';

/** What is read of an order, beside its sums, to find amounts below zero. */
export type SignedAmounts = Omit<OrderAmounts, 'lines'> & {
  readonly lines?: readonly (LineAmounts & { readonly list_price?: Amount })[] | null | undefined;
  readonly shipping?: { readonly [Name in (typeof shippingAmounts)[number]]?: Amount } | null | undefined;
};

const linePrices = ['retail_price', 'payment_price', 'list_price'] as const;
const shippingAmounts = ['cod_amount', 'shipping_service_fee'] as const;

const isNegative = (amount: unknown) => typeof amount === 'number' && amount < 0;

/** The paths of an order's amounts that are below zero: nobody sells for less than nothing, nor is a fee a discount. */
export function negativeAmounts(order: SignedAmounts): string[] {
  const below = (place: string, amounts: object, names: readonly string[]) =>
    names
      .filter((name) => isNegative((amounts as Readonly<Record<string, unknown>>)[name]))
      .map((name) => place + name);
  return [
    ...(order.lines ?? []).flatMap((line, index) => below(`lines[${index}].`, line, linePrices)),
    ...below('', order, ['order_discount', ...totalNames]),
    ...(order.fee_lines ?? []).flatMap((fee, index) => below(`fee_lines[${index}].`, fee, ['amount'])),
    ...below('shipping.', order.shipping ?? {}, shippingAmounts),
  ];
}

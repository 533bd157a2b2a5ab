import type * as z from 'zod';
import type { quotedParcel } from '../../contract/quote.ts';
import { computedWeight, type Parcel } from '../../domain/amounts/weight.ts';

interface PlaceNames {
  readonly province?: string | null;
  readonly district?: string | null;
  readonly ward?: string | null;
}

/** The fields of an order that a quote needs. */
export interface QuotableOrder {
  readonly shipping_address?: PlaceNames | null;
  readonly basket_value?: number | null | undefined;
  readonly shipping?:
    | (Parcel & {
        readonly pickup_address?: PlaceNames | null;
        readonly cod_amount?: number | null;
        readonly include_insurance?: boolean | null;
      })
    | null;
}

/** A quote request; the contract's check reports what is missing. */
export type QuoteRequest = { readonly [Name in keyof typeof quotedParcel]?: z.input<(typeof quotedParcel)[Name]> } & {
  readonly pickup_address: PlaceNames;
  readonly shipping_address: PlaceNames;
};

const placeOf = ({ province, district, ward }: PlaceNames): PlaceNames => ({
  ...(province ? { province } : {}),
  ...(district ? { district } : {}),
  ...(ward ? { ward } : {}),
});

/**
 * The quote that an order's fee is checked against: its own route, chargeable weight, basket, cash on delivery and
 * insurance (decisions, section 7). Throws AmountError for a weight or size that is not a natural number.
 */
export function quoteOfOrder(order: QuotableOrder): QuoteRequest {
  const { shipping, shipping_address, basket_value } = order;
  const { gross_weight, length, width, height, chargeable_weight, cod_amount, include_insurance } = shipping ?? {};
  const weight = chargeable_weight || computedWeight(shipping ?? {});
  const sizes = { gross_weight, length, width, height, cod_amount, include_insurance, basket_value };
  const given = Object.entries(sizes).filter(([, value]) => value !== undefined && value !== null);
  return {
    pickup_address: placeOf(shipping?.pickup_address ?? {}),
    shipping_address: placeOf(shipping_address ?? {}),
    ...(weight > 0 ? { chargeable_weight: weight } : {}),
    ...Object.fromEntries(given),
  };
}

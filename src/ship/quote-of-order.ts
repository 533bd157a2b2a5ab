import type * as z from 'zod';
import { ServiceError } from '../client/errors.ts';
import type { quotedParcel } from '../contract/quote.ts';
import { computedWeight, type Parcel } from '../domain/amounts/weight.ts';
import type { Fields } from '../domain/json/values.ts';
import type { CompleteOrder } from '../ledger/order-draft.ts';
import type { Service } from './quotes.ts';

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

/** The weight in grams that a parcel is quoted with; 0 if nothing says one. Throws as `quoteOfOrder` does. */
export const weightOf = (parcel: Parcel): number => parcel.chargeable_weight || computedWeight(parcel);

/**
 * The quote that an order's fee is checked against: its own route, chargeable weight, basket, cash on delivery and
 * insurance (decisions, section 7). Throws AmountError for a weight or size that is not a natural number.
 */
export function quoteOfOrder(order: QuotableOrder): QuoteRequest {
  const { shipping, shipping_address, basket_value } = order;
  const { gross_weight, length, width, height, cod_amount, include_insurance } = shipping ?? {};
  const weight = weightOf(shipping ?? {});
  const given: Fields = { gross_weight, length, width, height, cod_amount, include_insurance, basket_value };
  const sizes: Record<string, unknown> = {};
  // Asked of each row: without lists of its fields.
  for (const name in given) {
    const value = given[name];
    if (value !== undefined && value !== null) sizes[name] = value;
  }
  return {
    pickup_address: placeOf(shipping?.pickup_address ?? {}),
    shipping_address: placeOf(shipping_address ?? {}),
    ...(weight > 0 ? { chargeable_weight: weight } : {}),
    ...sizes,
  };
}

/** What `ask` returns for the quote of an order; a field of the quote that the service refuses is called as in the order. */
export function quotedForOrder<Answer>(
  order: QuotableOrder,
  ask: (request: QuoteRequest) => Promise<Answer>,
): Promise<Answer> {
  return ask(quoteOfOrder(order)).catch((error: unknown) => {
    if (error instanceof ServiceError)
      error.fieldErrors = error.fieldErrors.map((each) => ({ ...each, path: pathInOrder(each.path) }));
    throw error;
  });
}

const pathInOrder = (path: string) => (/^(?:shipping_address\b|basket_value$)/.test(path) ? path : `shipping.${path}`);

/** The same order with the service of a quote, replacing any other one that it had. */
export function withService(order: CompleteOrder, service: Service, external_id: string): CompleteOrder {
  const { code, fee, name, carrier, connection_id } = service;
  const chosen: Fields = {
    carrier,
    connection_id,
    shipping_service_code: code,
    shipping_service_name: name,
    shipping_service_fee: fee,
  };
  const shipping: Record<string, unknown> = { ...order.shipping };
  for (const field in chosen) {
    const value = chosen[field];
    if (value === undefined || value === null || value === '') delete shipping[field];
    else shipping[field] = value;
  }
  return { ...order, external_id, shipping };
}

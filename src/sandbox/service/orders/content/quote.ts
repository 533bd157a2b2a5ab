import type { PlaceBook, PlaceNames } from '../../../engine/places.ts';
import { invalid } from '../../../engine/refusal.ts';
import type { Work } from '../../../engine/work.ts';
import { type Offer, offersFor, type TariffPlace } from '../../carriers/tariff.ts';
import { weigh } from './weigh.ts';

/** The input for a quote (contract, GetShippingServices). */
export interface QuoteRequest {
  readonly pickup_address: PlaceNames;
  readonly shipping_address: PlaceNames;
  readonly chargeable_weight?: number | undefined;
  readonly gross_weight?: number | undefined;
  readonly length?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly basket_value?: number | undefined;
  readonly cod_amount?: number | undefined;
  /** Defaults to yes. */
  readonly include_insurance?: boolean | undefined;
}

/** The offers for a parcel of a shop. Refuses unknown places and invalid weights and amounts with 400. */
export function quote(work: Work, shopId: string, request: QuoteRequest): readonly Offer[] {
  const { basket_value = 0, cod_amount = 0, include_insurance = true } = request;
  for (const [field, amount] of Object.entries({ basket_value, cod_amount })) {
    if (amount < 0) throw invalid(field, 'must not be negative');
  }
  const places = work.places;
  const consignment = {
    from: placeOf(places, request.pickup_address, 'pickup_address'),
    to: placeOf(places, request.shipping_address, 'shipping_address'),
    chargeableWeightGrams: weigh(request),
    insuredValue: include_insurance ? basket_value : 0,
    cashOnDelivery: cod_amount,
  };
  return offersFor(shopId, consignment, places.tree, work.now);
}

function placeOf(places: PlaceBook, names: PlaceNames, path: string): TariffPlace {
  const { province, district } = places.canonical(names, path);
  return { province: province ?? '', district: district ?? '' };
}

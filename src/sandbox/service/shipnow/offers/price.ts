import { invalid } from '../../../engine/refusal.ts';
import type { Work } from '../../../engine/work.ts';
import { carrierInfoOf } from '../../carriers/carriers.ts';
import { perMille, serviceCode } from '../../carriers/tariff.ts';
import { metresOf, type Waypoint } from './route.ts';
import { type DeliveryService, deliveryServices } from './services.ts';

/** The input for pricing: where the driver picks up, and the stops in order (contract, GetShipnowServices). */
export interface PricedDelivery {
  readonly pickup_address: Waypoint;
  readonly delivery_points: readonly {
    readonly shipping_address: Waypoint;
    readonly cod_amount?: number | undefined;
  }[];
}

/** One offer for an on-demand delivery. */
export interface DeliveryOffer {
  readonly code: string;
  readonly service: DeliveryService;
  readonly fee: number;
}

/** The most stops of a delivery (decisions, section 7). */
const MOST_STOPS = 10;

/**
 * The offers for a delivery of a shop; none if it is too far. The fee depends only on the distance, the number of stops
 * and the cash; coupons are undocumented, so they have no effect. Refuses with 400 too many stops, negative amounts,
 * and places without coordinates whose names are unknown.
 */
export function priceDelivery(work: Work, shopId: string, delivery: PricedDelivery): readonly DeliveryOffer[] {
  const { pickup_address: pickup, delivery_points: stops } = delivery;
  if (stops.length > MOST_STOPS) {
    throw invalid('delivery_points', `has ${stops.length} stops, ${MOST_STOPS} are allowed`);
  }
  const waypoints = stops.map(({ shipping_address: place }, index) => ({ place, path: addressPath(index) }));
  const metres = metresOf(work.places, [{ place: pickup, path: 'pickup_address' }, ...waypoints]);
  const cash = stops.map(({ cod_amount = 0 }, index) => {
    if (cod_amount < 0) throw invalid(`${stopPath(index)}.cod_amount`, 'must not be negative');
    return cod_amount;
  });
  return deliveryServices
    .filter(({ farthestMetres }) => metres <= farthestMetres)
    .map((service) => ({
      code: serviceCode(shopId, service.carrier, service),
      service,
      fee: feeOf(service, metres, cash),
    }));
}

/** The path of a stop in the request. */
export function stopPath(index: number): string {
  return `delivery_points[${index}]`;
}

/** The path of a stop's address in the request. */
export function addressPath(index: number): string {
  return `${stopPath(index)}.shipping_address`;
}

/** An offer as returned by the API (contract, "ShipnowService"). */
export function shipnowServiceOf({ code, service, fee }: DeliveryOffer) {
  const { name, description, carrier } = service;
  return { code, name, description, fee, carrier_info: carrierInfoOf(carrier) };
}

function feeOf(service: DeliveryService, metres: number, cash: readonly number[]): number {
  const { baseFee, baseMetres, perKilometre, perStop, cashPerMille } = service;
  const kilometres = Math.ceil(Math.max(0, metres - baseMetres) / 1000);
  const cashFees = cash.reduce((sum, amount) => sum + perMille(amount, cashPerMille), 0);
  return baseFee + kilometres * perKilometre + (cash.length - 1) * perStop + cashFees;
}

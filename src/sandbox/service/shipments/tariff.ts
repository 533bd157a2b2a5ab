import { createHash } from 'node:crypto';
import type { LocationTree } from '../../../domain/places/places.ts';
import { wireTime } from '../../engine/business-clock.ts';
import { type Carrier, type CarrierService, carrierInfoOf, carriers, type Zone } from './carriers.ts';

/** Official names of a place, as `PlaceBook.canonical` returns them. */
export interface TariffPlace {
  readonly province: string;
  readonly district: string;
}

/** Everything that a fee depends on (decisions, section 7): origin, destination, weight, insurance, cash. */
export interface Consignment {
  readonly from: TariffPlace;
  readonly to: TariffPlace;
  readonly chargeableWeightGrams: number;
  /** The insured value; 0 if the parcel is not insured. */
  readonly insuredValue: number;
  readonly cashOnDelivery: number;
}

/** One offer for a consignment. */
export interface Offer {
  /** Constant for a shop, and different for different shops. */
  readonly code: string;
  readonly carrier: Carrier;
  readonly service: CarrierService;
  readonly fee: number;
  /** Milliseconds since 1970. */
  readonly pickupAt: number;
  readonly deliveryAt: number;
}

/** The offers of every carrier that serves the route, for a shop at a given time. */
export function offersFor(shopId: string, consignment: Consignment, tree: LocationTree, now: number): readonly Offer[] {
  const zone = zoneOf(consignment, tree);
  return carriers.flatMap((carrier) =>
    carrier.services.flatMap((service): Offer[] => {
      const base = service.base[zone];
      if (base === undefined) return [];
      const pickupAt = now + service.pickupHours * HOUR;
      const deliveryAt = pickupAt + service.deliveryHours[zone] * HOUR;
      const fee = base + surcharges(carrier, service, consignment);
      return [{ code: serviceCode(shopId, carrier, service), carrier, service, fee, pickupAt, deliveryAt }];
    }),
  );
}

/** An offer as returned by the API (contract, "ShippingService"). */
export function shippingServiceOf({ code, carrier, service, fee, pickupAt, deliveryAt }: Offer) {
  return {
    code,
    name: service.name,
    fee,
    carrier: carrier.code,
    estimated_pickup_at: wireTime(pickupAt),
    estimated_delivery_at: wireTime(deliveryAt),
    carrier_info: carrierInfoOf(carrier),
    connection_id: carrier.connectionId,
  };
}

const HOUR = 3_600_000;
const FIRST_GRAMS = 500;
const STEP_GRAMS = 500;
/** Provinces are listed from north to south; up to this many positions apart counts as nearby. */
const NEARBY_PROVINCES = 12;

function zoneOf({ from, to }: Consignment, tree: LocationTree): Zone {
  const positions = positionsIn(tree);
  const place = (name: string) => positions.get(name) ?? -1;
  const apart = Math.abs(place(from.province) - place(to.province));
  if (apart === 0) return 'province';
  return apart <= NEARBY_PROVINCES ? 'region' : 'country';
}

/** The positions of the provinces, from north to south. */
function positionsIn(tree: LocationTree): ReadonlyMap<string, number> {
  const known = positions.get(tree);
  if (known !== undefined) return known;
  const made = new Map(tree.provinces.map(({ name }, at) => [name, at]));
  positions.set(tree, made);
  return made;
}

const positions = new WeakMap<LocationTree, ReadonlyMap<string, number>>();

function surcharges(carrier: Carrier, service: CarrierService, consignment: Consignment): number {
  const { chargeableWeightGrams, insuredValue, cashOnDelivery, to } = consignment;
  const steps = Math.max(0, Math.ceil((chargeableWeightGrams - FIRST_GRAMS) / STEP_GRAMS));
  const rural = to.district.startsWith('Huyện') ? service.rural : 0;
  return (
    steps * service.per500Grams +
    rural +
    perMille(insuredValue, carrier.insurancePerMille) +
    perMille(cashOnDelivery, carrier.cashPerMille)
  );
}

const EXACT = 1e12;

/**
 * Thousandths of an amount, rounded up to a whole unit; with BigInt, because amounts can be as large as the safe
 * integers.
 */
export function perMille(amount: number, rate: number): number {
  const product = amount * rate;
  // A division of a number of this size cannot round to the next whole one.
  if (product >= 0 && product < EXACT) return Math.ceil(product / 1000);
  return Number((BigInt(amount) * BigInt(rate) + 999n) / 1000n);
}

/** The code of a service: constant for a shop, and different for different shops (decisions, section 7). */
export function serviceCode(
  shopId: string,
  carrier: Pick<Carrier, 'code'>,
  service: Pick<CarrierService, 'name'>,
): string {
  const name = `${shopId}:${carrier.code}:${service.name}`;
  const known = codes.get(name);
  if (known !== undefined) return known;
  const code = createHash('sha256').update(name).digest('hex').slice(0, 10).toUpperCase();
  if (codes.size >= MOST_CODES) codes.clear();
  codes.set(name, code);
  return code;
}

/** A cache of codes, since a quote needs all codes of a shop. */
const codes = new Map<string, string>();
const MOST_CODES = 10_000;

import type { Work } from '../../engine/call.ts';
import type { PlaceBook, PlaceNames } from '../../engine/places.ts';
import { invalid } from '../../engine/refusal.ts';
import { type Carrier, carrierInfoOf } from './carriers.ts';
import { perMille, serviceCode } from './tariff.ts';

/** A point on the map, in degrees. */
interface Coordinates {
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

/** A place on the route: by its coordinates, or approximately by its names. */
interface Waypoint extends PlaceNames {
  readonly coordinates?: Coordinates | undefined;
}

/** A waypoint with its path in the request, for refusals. */
interface NamedWaypoint {
  readonly place: Waypoint;
  readonly path: string;
}

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_RADIUS_METRES = 6_371_000;
const WARD_METRES = 1000;
const DISTRICT_METRES = 3000;
const PROVINCE_METRES = 10_000;

/**
 * The length of the route through all places in order, in metres as the crow flies. If one of two places has no
 * coordinates, their distance is estimated from their names; Infinity if they are then in different provinces. Refuses
 * unknown names with 400 if they are needed.
 */
function metresOf(places: PlaceBook, waypoints: readonly NamedWaypoint[]): number {
  const points = waypoints.map(({ place }) => pointOf(place));
  let metres = 0;
  for (const [index, to] of waypoints.entries()) {
    const from = waypoints[index - 1];
    if (from === undefined) continue;
    const [start, end] = [points[index - 1], points[index]];
    metres += start && end ? metresBetween(start, end) : guessedMetres(places, from, to);
  }
  return metres;
}

/** The coordinates of a place; undefined if it has none. The schema ensures that both or none are given. */
function pointOf({ coordinates }: Waypoint): Point | undefined {
  const { latitude, longitude } = coordinates ?? {};
  if (latitude === undefined || longitude === undefined) return undefined;
  return { latitude: Math.fround(latitude), longitude: Math.fround(longitude) };
}

/**
 * The great-circle distance. Coordinates have the precision of a float32 (decisions, section 1), so that a caller that
 * stores them as such gets the same fee.
 */
function metresBetween(from: Point, to: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const halfSine = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const a =
    halfSine(to.latitude - from.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * halfSine(to.longitude - from.longitude);
  return Math.round(2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(a))));
}

function guessedMetres(places: PlaceBook, from: NamedWaypoint, to: NamedWaypoint): number {
  const start = places.canonical(from.place, from.path);
  const end = places.canonical(to.place, to.path);
  if (start.province !== end.province) return Number.POSITIVE_INFINITY;
  if (start.district !== end.district) return PROVINCE_METRES;
  return start.ward && start.ward === end.ward ? WARD_METRES : DISTRICT_METRES;
}

/** A service of an on-demand delivery. Fees are integers of the one currency. */
interface DeliveryService {
  readonly carrier: Pick<Carrier, 'code' | 'name'>;
  readonly name: string;
  readonly description: string;
  /** The fee for the distance to the first stop, up to `baseMetres`. */
  readonly baseFee: number;
  readonly baseMetres: number;
  /** The fee for each further kilometre or part of it. */
  readonly perKilometre: number;
  /** The fee for every stop after the first. */
  readonly perStop: number;
  /** The fee per 1000 of cash on delivery. */
  readonly cashPerMille: number;
  /** The longest route that is served. */
  readonly farthestMetres: number;
}

const platform = { code: 'platform', name: 'Platform Delivery' } as const;
const nightOwl = { code: 'nightowl', name: 'Night Owl' } as const;

/** The on-demand services of the sandbox; carriers and fees are invented. */
const deliveryServices: readonly DeliveryService[] = [
  {
    carrier: platform,
    name: 'Instant',
    description: 'A driver picks up at once and goes straight to the stops',
    baseFee: 16000,
    baseMetres: 2000,
    perKilometre: 5000,
    perStop: 5000,
    cashPerMille: 0,
    farthestMetres: 40_000,
  },
  {
    carrier: platform,
    name: 'Same Day',
    description: 'Picked up within two hours, together with the parcels of others',
    baseFee: 12000,
    baseMetres: 3000,
    perKilometre: 3500,
    perStop: 4000,
    cashPerMille: 4,
    farthestMetres: 60_000,
  },
  {
    carrier: nightOwl,
    name: 'Night Ride',
    description: 'A driver also at night, with insulated bags',
    baseFee: 22000,
    baseMetres: 2000,
    perKilometre: 5500,
    perStop: 6000,
    cashPerMille: 5,
    farthestMetres: 30_000,
  },
];

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

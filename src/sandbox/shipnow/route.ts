import type { PlaceBook, PlaceNames } from '../carriers/places.ts';

/** A point on the map, in degrees. */
export interface Coordinates {
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

/** A place on the way: by its coordinates, or roughly by its names. */
export interface Waypoint extends PlaceNames {
  readonly coordinates?: Coordinates | undefined;
}

/** A waypoint and where it stands in the request, for refusals. */
export interface NamedWaypoint {
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
 * The metres of the way through all the places in their order, as the crow flies. Between two places of which one has
 * no coordinates it is guessed from their names; Infinity when it then leads into another province. Refuses names that
 * are needed and not known with 400.
 */
export function metresOf(places: PlaceBook, waypoints: readonly NamedWaypoint[]): number {
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

/** The coordinates of a place; undefined when it has none. That half of them is not given alone is the schema's to see. */
function pointOf({ coordinates }: Waypoint): Point | undefined {
  const { latitude, longitude } = coordinates ?? {};
  if (latitude === undefined || longitude === undefined) return undefined;
  return { latitude: Math.fround(latitude), longitude: Math.fround(longitude) };
}

/**
 * The great-circle distance. The coordinates have the precision of a float32 (decisions, section 1), so whoever keeps
 * them as such is charged no other fee.
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

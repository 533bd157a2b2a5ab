import type { PlaceBook, PlaceNames } from '../../../engine/places.ts';

/** A point on the map, in degrees. */
export interface Coordinates {
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

/** A place on the route: by its coordinates, or approximately by its names. */
export interface Waypoint extends PlaceNames {
  readonly coordinates?: Coordinates | undefined;
}

/** A waypoint with its path in the request, for refusals. */
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
 * The length of the route through all places in order, in metres as the crow flies. If one of two places has no
 * coordinates, their distance is estimated from their names; Infinity if they are then in different provinces. Refuses
 * unknown names with 400 if they are needed.
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

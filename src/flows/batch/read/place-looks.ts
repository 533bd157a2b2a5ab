import type { JsonSchema } from '../../../contract/schema/json-schema.ts';
import { readerOf } from '../../../domain/json/value-at.ts';
import { lookAtPlace } from '../../../domain/places/place-look.ts';
import type { LocationTree } from '../../../domain/places/places.ts';
import type { CellFault, SourceRow } from '../../../sheets/source-row.ts';

const MOST_REMEMBERED = 10_000;

/** The paths of the records in a schema that name a place. */
function placesIn({ properties = {} }: JsonSchema, path: readonly string[] = []): (readonly string[])[] {
  const own = Object.values(properties).some(({ looks }) => looks === 'province') ? [path] : [];
  return [...own, ...Object.entries(properties).flatMap(([name, inner]) => placesIn(inner, [...path, name]))];
}

/** A record that names a place, and how it is read from a row. */
interface PlaceIn {
  readonly path: readonly string[];
  readonly read: (value: unknown) => unknown;
}

const textIn = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

/**
 * Checks the places that rows name. The service may know more places than our list: what is not in it is only reported.
 */
export class PlaceLooks {
  readonly #tree: LocationTree;
  readonly #places: readonly PlaceIn[];
  readonly #known = new Map<string, ReturnType<typeof lookAtPlace>>();

  constructor(schema: JsonSchema, tree: LocationTree) {
    this.#tree = tree;
    this.#places = placesIn(schema).map((path) => ({
      path,
      read: path.length === 0 ? (value) => value : readerOf(path.join('.')),
    }));
  }

  /** The cells of a row whose place is not in our list, each with the closest names. */
  in({ value, cellOf }: SourceRow): CellFault[] {
    const faults = new Map<string, CellFault>();
    for (const { path, read } of this.#places) {
      const record = read(value) as Record<string, unknown> | undefined;
      const [province, district, ward] = [textIn(record?.province), textIn(record?.district), textIn(record?.ward)];
      if (province === undefined) continue;
      const { level, look } = this.#look({ province, district, ward });
      if (look.kind !== 'unusual') continue;
      const text = { province, district, ward }[level] ?? '';
      const cell = cellOf([...path, level].join('.'));
      const message = look.note.slice(look.note.startsWith(JSON.stringify(text)) ? JSON.stringify(text).length + 1 : 0);
      faults.set(cell, { cell, value: text, message });
    }
    return [...faults.values()];
  }

  /** Cached, since sheets repeat the same places. */
  #look(place: { province: string; district: string | undefined; ward: string | undefined }) {
    const key = JSON.stringify([place.province, place.district, place.ward]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const look = lookAtPlace(this.#tree, place);
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    this.#known.set(key, look);
    return look;
  }
}

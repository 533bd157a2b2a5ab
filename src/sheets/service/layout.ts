import { normalForm } from './normal-form.ts';

/** One column that a sheet of the service has, in its place. */
export interface LayoutColumn<Key extends string> {
  readonly key: Key;
  /** As the service's template writes it. */
  readonly header: string;
  /** What the normal form of a header must contain, where that is not the whole of it. */
  readonly fits?: string;
  /** A sign that the header must have, where the words are not enough to tell two columns apart. */
  readonly sign?: string;
  /** Whether the whole column may be left out. */
  readonly optional?: true;
}

/** Where a sheet has each column, from 0. */
export type Places<Key extends string> = ReadonlyMap<Key, number>;

function fitsColumn<Key extends string>({ header, fits, sign }: LayoutColumn<Key>, cell: string): boolean {
  if (cell.trim() === header) return true;
  if (sign !== undefined && !cell.includes(sign)) return false;
  return normalForm(cell).includes(fits ?? normalForm(header));
}

/**
 * Where each column of a layout stands in a header, walked from left to right: the order is fixed, a column that may be
 * left out uses no cell, and cells to the right of the last one do not count. Undefined where it is not that layout.
 */
export function placesOf<Key extends string>(
  layout: readonly LayoutColumn<Key>[],
  header: readonly string[],
): Places<Key> | undefined {
  const places = new Map<Key, number>();
  let at = 0;
  for (const column of layout) {
    const cell = header[at];
    if (cell !== undefined && fitsColumn(column, cell)) {
      places.set(column.key, at);
      at += 1;
    } else if (column.optional !== true) return undefined;
  }
  return places;
}

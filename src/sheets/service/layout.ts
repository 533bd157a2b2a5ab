import { rememberingTexts } from '../../domain/canonical-text.ts';

/**
 * A header or a word as the service compares it: without accents, case or punctuation; đ becomes d. A run of anything
 * but letters and digits becomes one space.
 */
export const normalForm = rememberingTexts((text) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[đĐ]/g, 'd')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim(),
);

/** One column of a sheet of the service, at its position. */
export interface LayoutColumn<Key extends string> {
  readonly key: Key;
  /** As in the service's template. */
  readonly header: string;
  /** What the normal form of a header must contain, if not the whole of it. */
  readonly fits?: string;
  /** A character that the header must contain, where the words alone do not tell two columns apart. */
  readonly sign?: string;
  /** Whether the column may be missing. */
  readonly optional?: true;
  /** The contract's field that it becomes, dotted; absent for a column that is checked or left out. */
  readonly field?: string;
  /** Whether its numbers add up in a row of sums, though no amount of the contract is made of them. */
  readonly adds?: true;
}

/** The index of each column in a sheet, from 0. */
export type Places<Key extends string> = ReadonlyMap<Key, number>;

function fitsColumn<Key extends string>({ header, fits, sign }: LayoutColumn<Key>, cell: string): boolean {
  if (cell.trim() === header) return true;
  if (sign !== undefined && !cell.includes(sign)) return false;
  return normalForm(cell).includes(fits ?? normalForm(header));
}

/** The required columns of a layout that a header lacks, walked from left to right, and how many others it has. */
export function missingIn<Key extends string>(
  layout: readonly LayoutColumn<Key>[],
  header: readonly string[],
): { readonly missing: readonly string[]; readonly found: number } {
  const missing: string[] = [];
  let [at, found] = [0, 0];
  for (const [index, column] of layout.entries()) {
    const [cell, next] = [header[at], layout[index + 1]];
    if (cell !== undefined && fitsColumn(column, cell)) {
      found += 1;
      at += 1;
    } else if (column.optional !== true) {
      missing.push(column.header);
      // Another title stands in its place, unless the one that follows does.
      if (cell !== undefined && next !== undefined && !fitsColumn(next, cell)) at += 1;
    }
  }
  return { missing, found };
}

/**
 * The index of each column of a layout in a header, matched from left to right: the order is fixed, a missing optional
 * column takes no cell, and cells to the right of the last column are ignored. Undefined if the header does not have
 * this layout.
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

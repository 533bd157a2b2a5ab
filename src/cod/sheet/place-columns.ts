import { isPaymentKind } from '../../domain/amounts/payment-kinds.ts';
import type { Cell, SheetLine } from '../../sheets/formats/sheet.ts';
import { columnLetters } from '../../sheets/formats/sheet.ts';
import { textOf } from '../../sheets/service/cells.ts';
import { normalForm } from '../../sheets/service/layout.ts';
import { isPosition, isRequired, type LayoutColumn, type PaymentLayout } from './layout.ts';

/** A column of a layout where it stands in a file. */
export interface PlacedColumn extends LayoutColumn {
  /** From 0. */
  readonly index: number;
  /** Its header, for messages. */
  readonly title: string;
}

/** Whether a column holds amounts. */
export const isAmount = ({ field }: LayoutColumn) => field === 'amount' || field === 'net' || isPaymentKind(field);

/** A layout in a file: the columns that are there, and what is missing. */
export interface Placed {
  readonly layout: PaymentLayout;
  readonly columns: readonly PlacedColumn[];
  /** Headers of columns without which the file cannot be read. */
  readonly missing: readonly string[];
  /** Where columns stand that are known and not read. */
  readonly leftOut: readonly number[];
}

/** The index of a column's letters, from 0. */
const indexOf = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

type Fits = (form: string, wanted: string) => boolean;

/** The ways in which a header may be the expected one, the surest first. */
const ways: readonly Fits[] = [
  (form, wanted) => form === wanted,
  (form, wanted) => form.startsWith(`${wanted} `),
  (form, wanted) => ` ${form} `.includes(` ${wanted} `),
];

/** Where the headers of a layout stand in a line; each cell is one header at most, and a doubtful one is none. */
function headersIn(names: readonly string[], cells: readonly Cell[]): ReadonlyMap<string, number> {
  const forms = cells.map((cell) => normalForm(textOf(cell)));
  const found = new Map<string, number>();
  const taken = new Set<number>();
  for (const fits of ways) {
    for (const name of names) {
      if (found.has(name)) continue;
      const wanted = normalForm(name);
      const fitting = forms.flatMap((form, index) => (!taken.has(index) && fits(form, wanted) ? [index] : []));
      const [index] = fitting;
      if (index === undefined || fitting.length > 1) continue;
      found.set(name, index);
      taken.add(index);
    }
  }
  return found;
}

/** Where the columns stand that a layout knows and does not read. */
const leftOutIn = ({ leftOut }: PaymentLayout, found: ReadonlyMap<string, number>): readonly number[] =>
  leftOut.flatMap((name) => found.get(name) ?? (isPosition(name) ? [indexOf(name)] : []));

/** A layout in a line that may be its header. */
export function placedByHeader(layout: PaymentLayout, { cells }: SheetLine): Placed {
  const names = [...layout.columns.keys(), ...layout.leftOut];
  const found = headersIn(names, cells);
  const columns: PlacedColumn[] = [];
  const missing: string[] = [];
  for (const [name, column] of layout.columns) {
    const index = found.get(name);
    if (index !== undefined) columns.push({ ...column, index, title: textOf(cells[index]) });
    else if (isRequired(column)) missing.push(name);
  }
  return { layout, columns, missing, leftOut: leftOutIn(layout, found) };
}

/** A layout whose columns have fixed positions; those that have a header are looked for above the first parcel. */
export function placedByPosition(layout: PaymentLayout, titles: readonly SheetLine[]): Placed {
  const headers = [...layout.columns.keys(), ...layout.leftOut].filter((name) => !isPosition(name));
  const found = new Map(titles.flatMap(({ cells }) => [...headersIn(headers, cells)]));
  const columns = [...layout.columns].flatMap(([name, column]): PlacedColumn[] => {
    const index = isPosition(name) ? indexOf(name) : found.get(name);
    return index === undefined ? [] : [{ ...column, index, title: isPosition(name) ? columnLetters(index) : name }];
  });
  return { layout, columns, missing: [], leftOut: leftOutIn(layout, found) };
}

/** Whether the columns of a layout are found by position. */
export const isByPosition = ({ columns }: PaymentLayout) => [...columns.keys()].some(isPosition);

/** Whether a line has a column of a layout that is needed for more than being a word that many files have. */
export const isNearly = ({ columns, missing }: Placed) => {
  const there = columns.filter(isRequired).length;
  return there >= 2 && there >= missing.length;
};

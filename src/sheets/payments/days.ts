import { readDay } from './payment-cells.ts';
import type { PlacedColumn } from './place-columns.ts';

/** How the days of a column are written: by the layout, unless all of them only fit another of its ways. */
export interface DayColumn {
  /** The day of a text, YYYY-MM-DD; undefined if it is none. */
  read(text: string): string | undefined;
  /** What a person should know. */
  readonly notes: readonly string[];
  /** The layout that a text should have had. */
  expected(text: string): string;
}

const hasLongYear = (text: string) => /\d{4}/.test(text);

/** Decides how the days of a column are written, from all of them. */
export function dayColumn({ dates = ['DD/MM/YYYY'], title }: PlacedColumn, texts: readonly string[]): DayColumn {
  const notes: string[] = [];
  const chosen = new Map<boolean, string>();
  for (const isLong of [true, false]) {
    const ways = dates.filter((way) => way.includes('YYYY') === isLong);
    const own = texts.filter((text) => hasLongYear(text) === isLong && text !== '');
    const usual = ways[0];
    const fitting = ways.find((way) => own.every((text) => readDay(text, way) !== undefined));
    if (usual === undefined) continue;
    chosen.set(isLong, fitting ?? usual);
    if (fitting !== undefined && fitting !== usual) {
      notes.push(`${title}: the dates are written like ${fitting}, not like ${usual} as usual; they are read so`);
    }
  }
  const expected = (text: string) => chosen.get(hasLongYear(text)) ?? dates[0] ?? '';
  return { notes, expected, read: (text) => (text === '' ? undefined : readDay(text, expected(text))) };
}

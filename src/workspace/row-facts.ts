import type { Row, WholeRow } from './rows.ts';

/** A row without its texts, if it has them. */
export function withoutTexts(row: Row | WholeRow): Row {
  const { cells: _, payload: __, ...facts } = row as WholeRow;
  return facts;
}

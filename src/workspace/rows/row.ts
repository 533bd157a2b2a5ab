import type { Row, RowWithRequest, WholeRow } from './rows.ts';

/** A row without its texts, if it has them. */
export function withoutTexts(row: Row | RowWithRequest | WholeRow): Row {
  const { cells: _, payload: __, ...facts } = row as WholeRow;
  return facts;
}

/** The columns that say what became of a row. */
export const outcomeColumns = [
  'state',
  'attempts',
  'id',
  'code',
  'shipping_code',
  'carrier',
  'fee',
  'error_code',
  'error_message',
] as const satisfies readonly (keyof Row)[];

import type { Selectable } from 'kysely';
import type { RowContentTable, RowTable } from '../tables.ts';

/** A row as stored. */
export type Row = Omit<Selectable<RowTable>, 'worker'> & { readonly worker?: string | null };

/** A row with its request. */
export type RowWithRequest = Row & Pick<Selectable<RowContentTable>, 'payload'>;

/** A row with its texts. */
export type WholeRow = RowWithRequest & Pick<Selectable<RowContentTable>, 'cells'>;

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

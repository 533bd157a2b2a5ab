import { type Selectable, sql } from 'kysely';
import type { RowContentTable, RowState, RowTable, WorkspaceTables } from '../../store/tables.ts';

/** A row as stored. */
export type Row = Omit<Selectable<RowTable>, 'worker'> & { readonly worker?: string | null };

/** A row with its request, and what that replaces. */
export type RowWithRequest = Row & Pick<Selectable<RowContentTable>, 'payload' | 'old_values'>;

/** A row with its texts. */
export type WholeRow = RowWithRequest & Pick<Selectable<RowContentTable>, 'cells'>;

/** States in which a row was sent, or may have been. */
export const sentStates = ['sending', 'done', 'existed', 'unclear'] as const satisfies readonly RowState[];

/** States of rows that a run still has to handle. */
export const openStates: readonly RowState[] = ['sending', 'planned'];

/** The condition exactly as in the index of open rows: otherwise SQLite does not use that index. */
export const theOpenOnes = sql<boolean>`r.state in ('planned', 'sending')`;

/** The condition exactly as in the index of contents. */
export const unnamed = sql<boolean>`named = 0`;

/** Rows and their texts, as `r` and `c`. */
export function withContents(database: WorkspaceTables) {
  return database
    .selectFrom('batch_rows as r')
    .innerJoin('batch_contents as c', (join) => join.onRef('c.batch', '=', 'r.batch').onRef('c.row', '=', 'r.row'));
}

/** Rows with their texts, as `r` and `c`. */
export function wholeRows(database: WorkspaceTables) {
  return withContents(database).selectAll('r').select(['c.cells', 'c.payload', 'c.old_values']);
}

/** Rows with their requests, as `r` and `c`. */
export function rowsWithRequests(database: WorkspaceTables) {
  return withContents(database).selectAll('r').select(['c.payload', 'c.old_values']);
}

/** A row without its texts, if it has them. */
export function withoutTexts(row: Row | RowWithRequest | WholeRow): Row {
  const { cells: _, payload: __, old_values: ___, ...facts }: Row & Partial<Record<keyof WholeRow, unknown>> = row;
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
  'made_by',
] as const satisfies readonly (keyof Row)[];

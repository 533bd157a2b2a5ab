import { type CompiledQuery, sql } from 'kysely';
import type { CachedSql } from '../../store/sql/cached-sql.ts';
import { listedRow, listedValues } from '../../store/sql/listed-values.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import { outcomeColumns, type Row } from './row.ts';

/** A column of the listed values: after the row's number come its outcome and its worker. */
const listed = (name: (typeof outcomeColumns)[number] | 'worker') =>
  sql.ref(`listed.column${[...outcomeColumns, 'worker'].indexOf(name) + 2}`);

const isOfWorker = sql<boolean>`coalesce(batch_rows.worker, '') = coalesce(${listed('worker')}, '')`;

const conditions = {
  /**
   * Whose outcome is written: that of the worker that holds the row, and that of one that did create the record, as
   * long as no other worker did.
   */
  told: sql<boolean>`(
    (batch_rows.state = 'sending' and ${isOfWorker})
    or (${listed('state')} = 'done' and batch_rows.state in ('sending', 'unclear'))
  )`,
  /** Only rows that nobody has claimed meanwhile. */
  held: sql<boolean>`batch_rows.state = 'planned'`,
  /** Only open rows whose recorded worker is the one that writes; both may be none. */
  intended: sql<boolean>`(batch_rows.state in ('planned', 'sending') and ${isOfWorker})`,
};

/** Which rows of those listed are written; all if none is given. */
export type Allowed = keyof typeof conditions;

/** Numbers are text in a list of values, for a server. */
const outcomes = {
  ...Object.fromEntries(outcomeColumns.map((name) => [name, listed(name)])),
  attempts: sql<number>`cast(${listed('attempts')} as integer)`,
  fee: sql<number>`cast(${listed('fee')} as bigint)`,
};

/** The statement that writes what became of rows of a batch, where `isAllowed`, and returns the numbers of the rows written. */
export function outcomeUpdate(
  { kept, database, batch }: { readonly kept: CachedSql; readonly database: WorkspaceTables; readonly batch: number },
  rows: readonly Row[],
  isAllowed?: Allowed,
): CompiledQuery<{ readonly row: number }> {
  const condition = isAllowed && conditions[isAllowed];
  const lines = rows.map((row) => [row.row, ...outcomeColumns.map((name) => row[name]), row.worker ?? null]);
  return kept.compiled(`${isAllowed ?? 'all'} ${lines.length}`, [...lines.flat(), batch], () =>
    database
      .updateTable('batch_rows')
      .from(listedValues(lines))
      .set(outcomes)
      .where('batch', '=', batch)
      .where('row', '=', listedRow)
      .$if(condition !== undefined, (query) => (condition === undefined ? query : query.where(condition)))
      .returning('batch_rows.row'),
  );
}

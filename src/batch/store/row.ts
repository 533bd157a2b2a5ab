import { type CompiledQuery, type Selectable, sql } from 'kysely';
import { errorStatus } from '../../contract/records/error.ts';
import { readOwn } from '../../domain/json/values.ts';
import { type CachedSql, listedRow, listedValues } from '../../store/sql.ts';
import type { RowContentTable, RowState, RowTable, WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { inWords, say } from '../texts.ts';

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
function rowsWithRequests(database: WorkspaceTables) {
  return withContents(database).selectAll('r').select(['c.payload', 'c.old_values']);
}

/** A row without its texts, if it has them. */
export function withoutTexts(row: Row | RowWithRequest | WholeRow): Row {
  const { cells: _, payload: __, old_values: ___, ...facts }: Row & Partial<Record<keyof WholeRow, unknown>> = row;
  return facts;
}

/** The fields of a row that were refused, of its request or its cells. */
export const fieldErrorsOf = ({ error_fields }: Pick<Row, 'error_fields'>): { path: string; message: string }[] =>
  error_fields === null ? [] : readOwn<{ path: string; message: string }[]>(error_fields);

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
  'error_fields',
  'made_by',
] as const satisfies readonly (keyof Row)[];

/** Which rows of a batch are claimed. */
export interface Claim {
  readonly batch: number;
  /** The worker's id under its lease. */
  readonly worker: string;
  readonly limit: number;
  /** Only rows behind this one: those before it were looked at. */
  readonly after: number;
  /** `planned` rows, or rows left in `sending` by a worker that is gone: they may have been sent. */
  readonly state: 'planned' | 'sending';
}

/**
 * The first rows of a batch that can be claimed, locked until the transaction ends. In a shared workspace, rows locked
 * by another transaction are skipped, and a row in `sending` is free once its worker's lease has expired by the
 * server's clock.
 */
export async function claimable(
  database: WorkspaceTables,
  { serverTime }: Pick<Workspace, 'serverTime'>,
  { batch, worker, limit, state, after }: Claim,
): Promise<RowWithRequest[]> {
  const left =
    serverTime === undefined
      ? sql<boolean>`(r.worker is null or r.worker <> ${worker})`
      : sql<boolean>`not exists (select 1 from batch_workers as w where w.id = r.worker and w.lease_until > ${serverTime})`;
  return rowsWithRequests(database)
    .where('r.batch', '=', batch)
    .where('r.row', '>', after)
    .where('r.state', '=', state)
    .where(theOpenOnes)
    .$if(state === 'sending', (query) => query.where(left))
    .orderBy('r.row')
    .limit(limit)
    .$if(serverTime !== undefined, (query) => query.forUpdate('r').skipLocked())
    .execute();
}

/** Records the worker on rows found claimable in the same transaction; planned ones become `sending`. */
export async function claimed(
  database: WorkspaceTables,
  { batch, worker, state }: Claim,
  rows: readonly RowWithRequest[],
): Promise<RowWithRequest[]> {
  if (rows.length === 0) return [];
  const more = state === 'planned' ? 1 : 0;
  await database
    .updateTable('batch_rows')
    .set((build) => ({ state: 'sending', worker, attempts: build('attempts', '+', more) }))
    .where('batch', '=', batch)
    .where(
      'row',
      'in',
      rows.map(({ row }) => row),
    )
    .execute();
  return rows.map((row) => ({ ...row, state: 'sending', worker, attempts: row.attempts + more }));
}

/** A column of the listed values: after the row's number come its outcome and its worker. */
const listed = (name: (typeof outcomeColumns)[number] | 'worker') =>
  sql.ref(`listed.column${[...outcomeColumns, 'worker'].indexOf(name) + 2}`);

const isOfWorker = sql<boolean>`coalesce(batch_rows.worker, '') = coalesce(${listed('worker')}, '')`;

const conditions = {
  /**
   * Whose outcome is written: that of the worker that holds the row, and that of one that did create the record, as
   * long as no other worker did.
   */
  reported: sql<boolean>`(
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

/** Why a row failed, in the language of the run: what the service has said stands in its words behind a sentence of ours. */
export function faultInWords(code: string | null, message: string): string {
  const said = inWords(message);
  const isOfService = said === message && code !== null && Object.hasOwn(errorStatus, code);
  return isOfService ? say().run.refusal({ message }) : said;
}

import { sql } from 'kysely';
import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type RowWithRequest, rowsWithRequests, theOpenOnes } from './row.ts';

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

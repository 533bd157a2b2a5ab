import { readFields } from '../../domain/json/json-extent.ts';
import { type Found, lookUp, lookUpId } from '../../ledger/look-up.ts';
import type { RowWork } from '../../ledger/work.ts';
import { BatchError } from '../batch-error.ts';
import type { BatchContext } from '../row-rule.ts';
import type { Batch } from '../store/batches.ts';
import type { WholeRow } from '../store/claims.ts';
import { listByIds, listed } from './read-records.ts';

/** So many rows are looked up at most: usually the first record is there. */
export const MOST_LOOKED_UP = 5;

async function recordOf(work: RowWork, { id, payload }: WholeRow, { looks }: BatchContext): Promise<Found> {
  const byId = id === null ? undefined : await lookUpId(work, id, looks);
  return byId ?? (await lookUp(work, readFields(payload), looks));
}

/** Whether the service says of any of these rows' records that it was deleted: after a reset it does not know of it. */
async function anyDeleted(work: RowWork, rows: readonly WholeRow[], { looks }: BatchContext): Promise<boolean> {
  if (work.lookup?.by === 'list') {
    for (const { payload } of rows) {
      if ((await lookUp(work, readFields(payload), looks, { deleted: true })).state === 'there') return true;
    }
    return false;
  }
  const byIds = await listByIds(work);
  const ids = rows.flatMap(({ id }) => id ?? []);
  if (byIds === undefined || ids.length === 0) return false;
  return (await listed(byIds, ids, looks)).size > 0;
}

/**
 * Looks up a few rows that are done: after the service was reset, as a sandbox can be, their records are gone, and the
 * workspace would wrongly count them as done. What somebody has deleted is gone too, but the service knows of it. Throws a
 * BatchError (`records_gone`), or a CallError.
 */
export async function requireStillThere(
  context: BatchContext,
  work: RowWork,
  batch: Pick<Batch, 'id' | 'number'>,
): Promise<void> {
  const rows = await context.rows.next({ batch: batch.number, states: ['done'], after: 0, limit: MOST_LOOKED_UP });
  await requireAnyThere(context, work, batch, rows);
}

/** The same for a few rows that were made before. */
export async function requireAnyThere(
  context: BatchContext,
  work: RowWork,
  batch: Pick<Batch, 'id' | 'number'>,
  rows: readonly WholeRow[],
): Promise<void> {
  const [first] = rows;
  if (work.operation.effect !== 'create' || work.lookup === undefined || first === undefined) return;
  for (const row of rows) {
    if ((await recordOf(work, row, context)).state === 'there') return;
  }
  if (await anyDeleted(work, rows, context)) return;
  const isOpen = await context.rows.any(batch.number, ['sending', 'unclear']);
  const message = `${first.name} of batch ${batch.id} no longer exists at the service, which knows of no deletion: was it reset?`;
  throw new BatchError('records_gone', message, {
    meta: { batch: batch.id, row: first.name, ...(isOpen ? { open: 'yes' } : {}) },
  });
}

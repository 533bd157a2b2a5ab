import { readFields } from '../../../domain/json/value-at.ts';
import type { Batch } from '../../../workspace/batches/batches.ts';
import type { WholeRow } from '../../../workspace/rows/row.ts';
import type { BatchContext } from '../batch-context.ts';
import { BatchError } from '../batch-error.ts';
import { lookUp, lookUpId } from '../look-up.ts';
import type { RowWork } from '../row-work.ts';

/**
 * Looks up one row that is done: after the service was reset, as a sandbox can be, the record is gone, and the
 * workspace would wrongly count it as done. Throws a BatchError (`records_gone`), or a CallError.
 */
export async function requireStillThere(
  context: BatchContext,
  work: RowWork,
  row: Pick<WholeRow, 'id' | 'payload' | 'name'>,
  batch: Pick<Batch, 'id'>,
): Promise<void> {
  if (work.operation.effect !== 'create' || work.lookup === undefined) return;
  const byId = row.id === null ? undefined : await lookUpId(work, row.id, context.looks);
  const found = byId ?? (await lookUp(work, readFields(row.payload), context.looks));
  if (found.state === 'there') return;
  const message = `${row.name} of batch ${batch.id} no longer exists at the service: was the service reset?`;
  throw new BatchError('records_gone', message, { meta: { batch: batch.id, row: row.name } });
}

import type { BatchState } from '../../store/tables.ts';
import type { BatchContext } from '../batch-context.ts';
import { sourceOf } from '../read/stored-source.ts';
import type { Batch } from '../store/batches.ts';

/** The undo of a batch, if it is in one of these states. */
export async function undoOf(
  { batches }: Pick<BatchContext, 'batches'>,
  { account, number }: Batch,
  states: readonly BatchState[],
): Promise<Batch | undefined> {
  const undos = await batches.list({ account, states });
  return undos.find((batch) => sourceOf(batch).undoes === number);
}

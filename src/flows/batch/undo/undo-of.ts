import type { Batch } from '../../../workspace/batches/batches.ts';
import type { BatchState } from '../../../workspace/tables.ts';
import type { BatchDesk } from '../desk.ts';
import { sourceOf } from '../read/kept-source.ts';

/** The undo of a batch, if it is in one of these states. */
export async function undoOf(
  { batches }: Pick<BatchDesk, 'batches'>,
  { account, number }: Batch,
  states: readonly BatchState[],
): Promise<Batch | undefined> {
  const undos = await batches.list({ account, states });
  return undos.find((batch) => sourceOf(batch).undoes === number);
}

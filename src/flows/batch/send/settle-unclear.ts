import type { Batch } from '../../../workspace/batches/batches.ts';
import { writeSettled } from '../../../workspace/batches/unclear.ts';
import type { WholeRow } from '../../../workspace/rows/row.ts';
import type { BatchContext } from '../batch-context.ts';
import { BatchError } from '../batch-error.ts';
import { rowRuleOf } from '../row-rule.ts';
import type { RowWork } from '../row-work.ts';

/** A row by its number, its name or its position in the file, as `batch rows` shows them. */
async function unclearRow({ rows }: BatchContext, batch: Batch, word: string): Promise<WholeRow> {
  const one = /^[0-9]+$/.test(word) ? await rows.one(batch.number, Number(word)) : undefined;
  if (one?.state === 'unclear') return one;
  for await (const unclear of rows.pages({ batch: batch.number, states: ['unclear'] })) {
    const found = unclear.find(({ name, cell }) => name === word || cell === word);
    if (found !== undefined) return found;
  }
  const message = `${word} is not an unclear row of batch ${batch.id}`;
  throw new BatchError('row_not_unclear', message);
}

/**
 * Settles by hand a row whose outcome cannot be determined: done, or not done, so that `retry` sends it. Throws a
 * BatchError.
 */
export async function settleByHand(
  context: BatchContext,
  { batch, work }: { readonly batch: Batch; readonly work: RowWork },
  word: string,
  isDone: boolean,
): Promise<WholeRow> {
  const row = await unclearRow(context, batch, word);
  const settled: WholeRow = isDone
    ? { ...row, state: 'done', error_code: null, error_message: null }
    : { ...row, state: 'failed', error_code: 'not_done', error_message: 'recorded by hand as not done' };
  if (await writeSettled(context.workspace, rowRuleOf(context, batch, work), settled)) return settled;
  const message = `${word} was checked or sent again by another process meanwhile, so this was not recorded`;
  throw new BatchError('row_not_unclear', message);
}

import { CallError } from '../../client/errors.ts';
import { verdictOn } from '../../client/settle/settle-lost.ts';
import { readFields } from '../../domain/json/values.ts';
import { lookUp } from '../../ledger/look-up.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { BatchContext } from '../batch-context.ts';
import { BatchError } from '../batch-error.ts';
import { rowRuleOf } from '../row-rule.ts';
import { rowsNamed } from '../runs.ts';
import type { Batch } from '../store/batches.ts';
import type { WholeRow } from '../store/row.ts';
import { writeSettled } from '../store/unclear.ts';
import { batchTexts, say } from '../texts.ts';
import { factsOf } from './row-outcome.ts';

/** A row by its number, its position in the file or a name of its record. */
async function unclearRow(context: BatchContext, batch: Batch, word: string): Promise<WholeRow> {
  const row = (await rowsNamed(context, batch, [word])).get(word);
  if (row?.state === 'unclear') return row;
  const message = say().look.notUnclear({ word, batch: batch.id });
  throw new BatchError('row_not_unclear', message, { meta: { batch: batch.id } });
}

/**
 * What the record of a row is called that a person says was made, where the service has it under the row's name: whoever
 * ends it is recognised by its id. Nothing if it is another's, or cannot be asked for.
 */
async function recordNow({ lookups, tree }: BatchContext, work: RowWork, row: WholeRow): Promise<Partial<WholeRow>> {
  const { operation, lookup } = work;
  if (operation.effect !== 'create' || lookup?.by !== 'name') return {};
  const request = readFields(row.payload);
  try {
    const found = await lookUp(work, request, lookups);
    const write = { operation, request, derived: row.named === 0, mayHaveLeft: true };
    const { state } = verdictOn(write, found.state === 'none' ? undefined : found, tree);
    return found.state === 'there' && state === 'done' ? factsOf(found.answer) : {};
  } catch (error) {
    if (error instanceof CallError) return {};
    throw error;
  }
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
    ? { ...row, ...(await recordNow(context, work, row)), state: 'done', error_code: null, error_message: null }
    : { ...row, state: 'failed', error_code: 'not_done', error_message: batchTexts.row.byHand };
  if (await writeSettled(context.workspace, rowRuleOf(context, batch, work), settled)) return settled;
  const message = say().look.settledMeanwhile({ word });
  throw new BatchError('row_not_unclear', message, { meta: { batch: batch.id } });
}

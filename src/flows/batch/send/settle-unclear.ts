import { CallError } from '../../../client/errors.ts';
import { differences } from '../../../client/settle/compare.ts';
import { isOver } from '../../../client/settle/found-record.ts';
import { readFields } from '../../../domain/json/value-at.ts';
import type { Batch } from '../../../workspace/batches/batches.ts';
import type { WholeRow } from '../../../workspace/rows/row.ts';
import { BatchError } from '../batch-error.ts';
import type { BatchDesk } from '../desk.ts';
import { isAchieved, lookUp } from '../look-up.ts';
import type { RowWork } from '../row-work.ts';

const ROWS_AT_ONCE = 100;

/** Looks up unclear rows again: a row that is found is done, any other stays unclear. Throws a CallError. */
export async function settleUnclear(desk: BatchDesk, batch: Batch, work: RowWork): Promise<void> {
  const { rows, looks, tree } = desk;
  for (let after = 0; ; ) {
    const unclear = await rows.next({ batch: batch.number, states: ['unclear'], after, limit: ROWS_AT_ONCE });
    if (unclear.length === 0) return;
    after = unclear.at(-1)?.row ?? after;
    for (const row of unclear) {
      const payload = readFields(row.payload);
      let found: Awaited<ReturnType<typeof lookUp>>;
      try {
        found = await lookUp(work, payload, looks);
      } catch (error) {
        if (error instanceof CallError) return;
        throw error;
      }
      const isMade =
        found.state === 'there' && !isOver(found.record) && differences(payload, found.record, tree).length === 0;
      const creates = work.operation.effect === 'create' && work.lookup?.by === 'name';
      if (creates ? !isMade : !isAchieved(work, payload, found)) continue;
      const id = found.state === 'there' && typeof found.record.id === 'string' ? found.record.id : row.id;
      await rows.replace([{ ...row, state: 'done', id, error_code: null, error_message: null }]);
    }
  }
}

/** A row by its number, its name or its position in the file, as `batch rows` shows them. */
async function unclearRow({ rows }: BatchDesk, batch: Batch, word: string): Promise<WholeRow> {
  const byNumber = /^\d{1,9}$/.test(word) ? await rows.one(batch.number, Number(word)) : undefined;
  if (byNumber?.state === 'unclear') return byNumber;
  for (let after = 0; ; ) {
    const unclear = await rows.next({ batch: batch.number, states: ['unclear'], after, limit: ROWS_AT_ONCE });
    const found = unclear.find(({ name, cell }) => name === word || cell === word);
    if (found !== undefined) return found;
    if (unclear.length === 0) break;
    after = unclear.at(-1)?.row ?? after;
  }
  const message = `${word} is not an unclear row of batch ${batch.id}`;
  throw new BatchError('row_not_unclear', message);
}

/**
 * Settles by hand a row whose outcome cannot be determined: done, or not done, so that `retry` sends it. Throws a
 * BatchError.
 */
export async function settleByHand(desk: BatchDesk, batch: Batch, word: string, isDone: boolean): Promise<WholeRow> {
  const row = await unclearRow(desk, batch, word);
  const settled: WholeRow = isDone
    ? { ...row, state: 'done', error_code: null, error_message: null }
    : { ...row, state: 'failed', error_code: 'not_done', error_message: 'a person said that it was not done' };
  await desk.rows.replace([settled]);
  return settled;
}

import { readFields } from '../../../domain/json/value-at.ts';
import type { Batch } from '../../../workspace/batches/batches.ts';
import type { RepeatedRow } from '../../../workspace/rows/repeated-rows.ts';
import type { BatchContext } from '../batch-context.ts';
import type { RowWork } from '../row-work.ts';
import { BAD_CELLS, type RowFault } from './read-rows.ts';

const MOST_REPEATED = 10_000;

/** The name as it is in the file; a name that was derived from it is in no cell. */
function nameInFile({ named, name, payload }: RepeatedRow): string {
  if (named === 1) return name;
  const { external_code } = readFields(payload);
  return typeof external_code === 'string' ? external_code : '';
}

/**
 * The rows of a file that repeat an earlier one: the same name, or another write to the same record, where it would be
 * unclear which of them is applied last. `nameCellOf` names the cell with the name of the row at a place.
 */
export async function repeatedRows(
  { rows }: BatchContext,
  batch: Batch,
  { targets }: RowWork,
  nameCellOf: (place: string) => string,
): Promise<RowFault[]> {
  if (targets.length > 0) {
    const same = await rows.repeated(batch.number, 'goods', MOST_REPEATED);
    return same.map(({ row, cell, first }) => ({
      row,
      cell,
      value: '',
      message: `is about the same record as ${first}`,
    }));
  }
  const same = await rows.repeated(batch.number, 'name', MOST_REPEATED);
  return same.map((repeated) => ({
    row: repeated.row,
    cell: nameCellOf(repeated.cell),
    value: nameInFile(repeated),
    message: `is the same as at ${nameCellOf(repeated.first)}, and other rows stand between`,
  }));
}

/** Leaves repeated rows out, like rows with bad cells. */
export async function leaveOut({ rows }: BatchContext, batch: Batch, repeated: readonly RowFault[]): Promise<void> {
  for (const { row, cell, message } of repeated) {
    const whole = await rows.one(batch.number, row);
    if (whole === undefined || whole.state === 'skipped') continue;
    await rows.replace([{ ...whole, state: 'skipped', error_code: BAD_CELLS, error_message: `${cell}: ${message}` }]);
  }
}

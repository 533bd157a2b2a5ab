import { readFields } from '../../domain/json/values.ts';
import { englishOf } from '../../domain/language.ts';
import { isDerivedName } from '../../ledger/identity.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { BatchContext } from '../batch-context.ts';
import type { Batch } from '../store/batches.ts';
import type { RepeatedRow } from '../store/repeated-rows.ts';
import type { WholeRow } from '../store/row.ts';
import { asStored, say } from '../texts.ts';
import { BAD_CELLS, type RowFault } from './read-rows.ts';

const ROWS_AT_ONCE = 4_000;

/** The name as it is in the file; a name that was derived from it is in no cell. */
function nameInFile({ named, name, payload }: RepeatedRow): string {
  if (named === 1 && !isDerivedName(name)) return name;
  const { external_code } = readFields(payload);
  return typeof external_code === 'string' ? external_code : '';
}

/**
 * The rows of a file that repeat an earlier one: the same name, or another write to the same record, where it would be
 * unclear which of them is applied last. `nameCellOf` names the cell with the name of the row at a place.
 */
export async function* repeatedRows(
  { rows }: BatchContext,
  batch: Batch,
  { targets }: RowWork,
  nameCellOf: (place: string) => string,
): AsyncGenerator<RowFault[], void, undefined> {
  const faultOf = (repeated: RepeatedRow): RowFault => {
    const { row, cell, first } = repeated;
    if (targets.length > 0) return { row, cell, value: '', message: say().cell.aboutSame({ first }) };
    const message = say().cell.sameAs({ first: nameCellOf(first) });
    return { row, cell: nameCellOf(cell), value: nameInFile(repeated), message };
  };
  for (let after = 0; ; ) {
    const by = targets.length > 0 ? 'goods' : 'name';
    const same = await rows.repeated(batch.number, by, after, ROWS_AT_ONCE);
    if (same.length > 0) yield same.map(faultOf);
    if (same.length < ROWS_AT_ONCE) return;
    after = same.at(-1)?.row ?? after;
  }
}

/** Leaves repeated rows out, like rows with bad cells. */
export async function leaveOut({ rows }: BatchContext, batch: Batch, repeated: readonly RowFault[]): Promise<void> {
  const left: WholeRow[] = [];
  for (const { row, cell, message } of repeated) {
    const whole = await rows.one(batch.number, row);
    if (whole === undefined || whole.state === 'skipped') continue;
    const error_message = asStored(`${cell}: ${message}`, `${cell}: ${englishOf(message)}`);
    left.push({ ...whole, state: 'skipped', error_code: BAD_CELLS, error_message });
  }
  await rows.replace(left);
}

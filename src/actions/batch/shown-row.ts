import type * as z from 'zod';
import { findOperation } from '../../contract/areas.ts';
import type { Batch } from '../../workspace/batches/batches.ts';
import type { Row } from '../../workspace/rows/row.ts';
import type { batchRow } from './outputs.ts';

/** Whether the rows of a batch create records, which carry the names that were derived for them. */
export async function createsRecords({ operation }: Pick<Batch, 'operation'>): Promise<boolean> {
  return (await findOperation(operation))?.effect === 'create';
}

/** A row as displayed; a name that was derived for a row is shown where a record carries it. */
export function shownRow(row: Row, creates: boolean): z.output<typeof batchRow> {
  const { row: number, cell, name, state, id, code, shipping_code, carrier, fee, error_code, error_message } = row;
  const error = error_code === null ? null : { code: error_code, message: error_message ?? '' };
  return {
    row: number,
    cell,
    external_id: creates || row.named === 1 ? name : null,
    state,
    id,
    code,
    shipping_code,
    carrier,
    fee,
    error,
  };
}

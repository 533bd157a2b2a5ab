import type * as z from 'zod';
import { findOperation } from '../../contract/areas.ts';
import { fieldsIn, readFields } from '../../domain/json/values.ts';
import type { Batch } from '../store/batches.ts';
import { faultInWords, fieldErrorsOf, type Row, type WholeRow } from '../store/row.ts';
import type { batchRow } from './outputs.ts';
import { withColumn } from './what-to-change.ts';

/** Whether the rows of a batch create records, which carry the names that were derived for them. */
export async function createsRecords({ operation }: Pick<Batch, 'operation'>): Promise<boolean> {
  return (await findOperation(operation))?.effect === 'create';
}

/**
 * A row as displayed; a name that was derived for a row is shown where a record carries it, and its error names the column
 * of the sheet if it is known what it was read from.
 */
export function shownRow(
  row: Row,
  creates: boolean,
  from?: Parameters<typeof withColumn>[1],
): z.output<typeof batchRow> {
  const { row: number, cell, name, state, id, code, shipping_code, carrier, fee, error_code, error_message } = row;
  const said = faultInWords(error_code, error_message ?? '');
  const message = from === undefined ? said : withColumn(said, from);
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
    error: error_code === null ? null : { code: error_code, message, field_errors: fieldErrorsOf(row) },
  };
}

/** Whom a row is about, as it is sent; nulls where its content says nothing of it, or was forgotten. */
export function personOf({ payload }: Pick<WholeRow, 'payload'>): { recipient: string | null; phone: string | null } {
  const fields = readFields(payload);
  const { full_name, phone } = fieldsIn(fields.shipping_address ?? fields.customer_address ?? fields);
  const [recipient, number] = [full_name, phone].map((text) => (typeof text === 'string' && text !== '' ? text : null));
  return { recipient: recipient ?? null, phone: number ?? null };
}

import type * as z from 'zod';
import type { Row } from '../../workspace/rows/row.ts';
import type { batchRow } from './outputs.ts';

/** A row as displayed. */
export function shownRow(row: Row): z.output<typeof batchRow> {
  const { row: number, cell, name, state, id, code, shipping_code, carrier, fee, error_code, error_message } = row;
  const error = error_code === null ? null : { code: error_code, message: error_message ?? '' };
  return { row: number, cell, external_id: name, state, id, code, shipping_code, carrier, fee, error };
}

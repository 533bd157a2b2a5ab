import type * as z from 'zod';
import type { Row } from '../../workspace/rows/row.ts';
import type { batchRow } from './outputs.ts';
import { withColumn } from './what-to-change.ts';

/** A row as displayed; its error names the column of the sheet if it is known what it was read from. */
export function shownRow(row: Row, from?: Parameters<typeof withColumn>[1]): z.output<typeof batchRow> {
  const { row: number, cell, name, state, id, code, shipping_code, carrier, fee, error_code, error_message } = row;
  const message = from === undefined ? (error_message ?? '') : withColumn(error_message ?? '', from);
  const error = error_code === null ? null : { code: error_code, message };
  return { row: number, cell, external_id: name, state, id, code, shipping_code, carrier, fee, error };
}

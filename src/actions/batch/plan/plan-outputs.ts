import * as z from 'zod';
import { int, list, money, text, time } from '../../../contract/schema/scalars.ts';
import type { View } from '../../../contract/view.ts';
import { batchSummary } from '../outputs.ts';

/** What a plan would do with one row. */
const planRow = z.object({
  row: int('Position among the records of the file, from 1', 'rows'),
  cell: text('Place in the file'),
  external_id: z.nullable(text('Its name; null if the rows have none')),
  recipient: z.nullable(text('Name of the recipient')),
  what: text('The goods with the cash to collect, or the fields that would be sent'),
  carrier: z.nullable(text('Carrier')),
  fee: z.nullable(money('Fee of the parcel')),
  delivery: z.nullable(time('Estimated delivery')),
  changes: list(
    z.looseObject({ field: text('The field; `old` is its value at the service, `new` the one in the file') }),
    'What an update changes',
  ),
  payload: z.looseObject({}).meta({ description: 'The request that would be sent' }),
});

/** The state of a planned batch with the rows that it would send. */
export const batchPlan = z.object({
  ...batchSummary.shape,
  rows: list(planRow, 'The rows that would be sent, in the order of the file: the first 10,000'),
});

/** The columns of a plan's rows. */
export const planView: View = {
  name: 'batch',
  list: 'rows',
  columns: [
    { path: 'row', kind: 'number' },
    { path: 'external_id', optional: true, unlessBlank: true },
    { path: 'recipient', unlessBlank: true },
    { path: 'what' },
    { path: 'carrier', optional: true, unlessBlank: true },
    { path: 'fee', kind: 'number', unlessBlank: true },
    { path: 'delivery', kind: 'time', unlessBlank: true },
  ],
  fields: ['batch', 'state', 'do', 'file', 'counts', 'fees', 'next', 'rows'],
};

import * as z from 'zod';
import { list, money, text } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';

/** How a column is read. */
const mappedColumn = z.object({
  column: text('Its header'),
  field: z.nullable(text('The field of the column; null if it is left out')),
  unit: z.nullable(text('The unit named in its header, if the field has another one')),
});

/** How the columns of a sheet are read, and its first rows. */
const mappedColumns = z.object({
  columns: list(mappedColumn, 'The columns of the sheet'),
  rows: list(
    z.object({ place: text('Place of the row in the file'), read: text('The row as JSON, as it would be read') }),
    'The first rows',
  ),
  saved: z.nullable(text('The file of the mapping; null if it was not saved')),
});

/** How the columns of a payment file are read, and its first payment lines. */
export const mappedPayments = z.object({
  ...mappedColumns.shape,
  rows: list(
    z.object({
      place: text('Place of the amount in the file'),
      shipping_code: z.nullable(text("The carrier's code of the parcel; null if the file has none")),
      fulfillment_id: z.nullable(text('Id of the shipment; null if the file has none')),
      kind: text('Kind of the amount, such as cod'),
      amount: money('The amount, from the point of view of the shop'),
      day: z.nullable(text('The day that the file tells of the parcel, YYYY-MM-DD; null without one')),
    }),
    'The first payment lines, as they would be read',
  ),
});

/** How that is shown. */
export const mappedPaymentsView: View = {
  columns: [
    { path: 'columns', each: [{ path: 'column' }, { path: 'field' }, { path: 'unit' }] },
    {
      path: 'rows',
      heads: true,
      each: [
        { path: 'place' },
        { path: 'shipping_code' },
        { path: 'fulfillment_id' },
        { path: 'kind' },
        { path: 'amount', kind: 'number' },
        { path: 'day' },
      ],
    },
    { path: 'saved' },
  ],
  name: 'saved',
};

/** How the columns of a sheet of rows are read, with what they hold, and what every row has besides. */
export const mappedSheet = z.object({
  ...mappedColumns.shape,
  columns: list(
    mappedColumn.extend({ read: text('The field in the first rows, as it would be read') }),
    'The columns of the sheet',
  ),
  constants: list(z.object({ field: text('The field'), value: text('Its value in every row') }), 'What every row has'),
  next: text('The command that shows what a batch would do'),
});

/** How that is shown. */
export const mappedSheetView: View = {
  columns: [
    { path: 'columns', each: [{ path: 'column' }, { path: 'field' }, { path: 'unit' }, { path: 'read' }] },
    { path: 'constants', each: [{ path: 'field' }, { path: 'value' }] },
    { path: 'saved' },
    { path: 'next' },
  ],
  name: 'saved',
};

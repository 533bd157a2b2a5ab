import * as z from 'zod';
import { int, list, money, nested, oneOf, text, time } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';

const states = ['planned', 'sending', 'done', 'existed', 'ended', 'failed', 'unclear', 'skipped', 'undone'] as const;
const count = (what: string) => int(what, 'rows');

/** The current state of a batch. */
export const batchSummary = z.object({
  batch: z.nullable(text('Name of the batch; null for a plan, which stores none')),
  state: oneOf(['planned', 'unfinished', 'finished'], 'State of the batch; an unfinished one can be resumed'),
  do: text('The command that runs for each row'),
  file: text('Name of the file'),
  counts: z
    .object({
      rows: count('Records of the file, not lines of the sheet'),
      done: count('Created or changed by this batch'),
      existed: count('Already there, and equal'),
      ended: count('Made before, and undone, cancelled, deleted or returned since: not sent again'),
      failed: count('Refused by the service or by a limit'),
      unclear: count('Sent, but whether it was done is not known'),
      skipped: count('Nothing to change, or left out because of an invalid cell'),
      undone: count('Undone'),
      left: count('Not sent yet, or still being sent'),
    })
    .meta({ description: 'Number of rows by state' }),
  fees: z
    .nullable(
      z.object({
        total: money('Sum of the fees of all rows that are done, unclear or left'),
        by_carrier: z.record(z.string(), z.number()).meta({ description: 'The same by carrier' }),
      }),
    )
    .meta({ description: 'Fees of the rows; null if nothing is quoted' }),
  next: z.nullable(text('The command that continues it')),
});

export const summaryView: View = {
  name: 'batch',
  columns: [
    { path: 'batch' },
    { path: 'state', kind: 'state' },
    { path: 'do', optional: true },
    { path: 'file', optional: true },
    { path: 'counts.rows', header: 'rows', kind: 'number', optional: true },
    { path: 'counts.done', header: 'done', kind: 'number' },
    { path: 'counts.existed', header: 'existed', kind: 'number', optional: true },
    { path: 'counts.ended', header: 'ended', kind: 'number', optional: true, unlessBlank: true },
    { path: 'counts.undone', header: 'undone', kind: 'number', optional: true, keptIfVaried: true },
    { path: 'counts.failed', header: 'failed', kind: 'number' },
    { path: 'counts.unclear', header: 'unclear', kind: 'number' },
    { path: 'counts.skipped', header: 'skipped', kind: 'number', optional: true },
    { path: 'counts.left', header: 'left', kind: 'number' },
    { path: 'fees.total', header: 'fees', kind: 'number' },
  ],
  fields: ['fees.by_carrier', 'next'],
  layout: {
    title: ['batch'],
    states: ['state'],
    first: ['counts.done', 'counts.undone', 'counts.failed', 'counts.unclear', 'counts.left', 'fees.total'],
    parts: [
      { title: 'File', shows: ['do', 'file', 'counts.rows'] },
      { title: 'Not sent', shows: ['counts.existed', 'counts.ended', 'counts.skipped'] },
    ],
  },
  progress: { of: 'counts.rows', left: 'counts.left' },
};

/** The actions that have nothing to do with a batch of this summary, or refuse it. */
export function withoutUse(summary: unknown): readonly string[] {
  const { success, data } = batchSummary.safeParse(summary);
  if (!success) return [];
  const { state, counts } = data;
  const uses = {
    'batch.resume': state !== 'finished' || counts.left + counts.unclear > 0,
    'batch.retry': counts.failed + counts.skipped > 0,
    'batch.settle': counts.unclear > 0,
    'batch.undo': counts.done > 0,
    'batch.forget': counts.unclear === 0,
  };
  return Object.entries(uses).flatMap(([id, isUsed]) => (isUsed ? [] : [id]));
}

const listedBatch = z.object({
  ...batchSummary.shape,
  shop_id: z.nullable(text('Id of its shop; null if not known')),
  shop: z.nullable(text('Name of that shop, otherwise its id')),
});

const beforeFile = summaryView.columns.findIndex(({ path }) => path === 'file');

/** The columns of a list of batches. */
export const listView: View = {
  ...summaryView,
  columns: summaryView.columns.toSpliced(beforeFile, 0, { path: 'shop', optional: true, keptIfVaried: true }),
  fields: [...(summaryView.fields ?? []), 'shop_id'],
};

/** The batches of the workspace. */
export const batchList = list(listedBatch, 'Batches, newest first');

/** One row of a batch, in the order of the file. */
export const batchRow = z.object({
  row: int('Position among the records of the file, from 1', 'rows'),
  cell: text('Place in the file'),
  external_id: z.nullable(text('Its name; null for a change of a record that the file does not name')),
  state: oneOf(states, 'State of the row'),
  id: z.nullable(text('Id of the record at the service')),
  code: z.nullable(text('Code of the record')),
  shipping_code: z.nullable(text("The carrier's code of the parcel")),
  carrier: z.nullable(text('Carrier')),
  fee: z.nullable(money('Fee of the parcel')),
  error: z.nullable(
    nested(
      z.object({
        code: text('Code of the error'),
        message: text('Message of the error'),
        field_errors: list(
          z.object({ path: text('Path of the field, or place of the cell'), message: text('What is wrong with it') }),
          'The fields that were refused',
        ),
      }),
      'Why the row failed',
    ),
  ),
});

/** A row with its cells. */
export const rowOfSheet = z.object({
  ...batchRow.shape,
  recipient: z.nullable(text('Who is meant: the recipient of an order, else the name in the row')),
  phone: z.nullable(text('Phone number of that person')),
  sheet: z
    .unknown()
    .meta({ type: 'object', description: 'Its cells by the names of their columns; of several lines the first' }),
});

/** A row that created or changed a record, with its batch. */
export const rowOfRecord = z.object({
  ...rowOfSheet.shape,
  batch: text('Name of the batch'),
  do: text('The command that ran for it'),
  file: text('Name of the file'),
  started_at: time('When the batch was started'),
});

const rowColumns: View['columns'] = [
  { path: 'row', kind: 'number' },
  { path: 'cell', kind: 'place' },
  { path: 'external_id', optional: true, unlessBlank: true },
  { path: 'recipient', unlessBlank: true },
  { path: 'phone', optional: true, unlessBlank: true },
  { path: 'state', kind: 'state' },
  { path: 'code', optional: true, unlessBlank: true },
  { path: 'shipping_code', unlessBlank: true },
  { path: 'carrier', optional: true, unlessBlank: true },
  { path: 'fee', kind: 'number', unlessBlank: true },
  { path: 'error.message', header: 'error', kind: 'message' },
];

export const rowView: View = {
  name: 'id',
  columns: rowColumns,
  // A page shows the sheet's own columns where there is room; by its name a row is known without them.
  pageColumns: rowColumns.map((column) => (column.path === 'external_id' ? { ...column, optional: false } : column)),
  fields: ['id', 'error.code', 'sheet'],
  spread: 'sheet',
};

/** The columns of the rows of a record: where each stands. */
export const rowOfRecordView: View = {
  name: 'batch',
  columns: [
    { path: 'started_at', header: 'started', kind: 'time' },
    { path: 'batch', of: { group: 'batch' } },
    { path: 'file', optional: true },
    { path: 'cell', kind: 'place' },
    { path: 'recipient', optional: true, unlessBlank: true },
    { path: 'do' },
    { path: 'state', kind: 'state' },
    { path: 'shipping_code', optional: true },
    { path: 'fee', kind: 'number', optional: true },
    { path: 'error.message', header: 'error', kind: 'message' },
  ],
  fields: ['row', 'external_id', 'phone', 'id', 'code', 'carrier', 'error.code', 'sheet'],
};

/** The row states that can be filtered by. */
export const rowStates = states;

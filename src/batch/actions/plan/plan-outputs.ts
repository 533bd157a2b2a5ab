import * as z from 'zod';
import { int, list, money, oneOf, text, time } from '../../../contract/schema/scalars.ts';
import type { View } from '../../../contract/view.ts';
import { batchSummary } from '../outputs.ts';

/** What a plan would do with one row. */
const planRow = z.object({
  row: int('Position among the records of the file, from 1', 'rows'),
  cell: text('Place in the file'),
  external_id: z.nullable(text('Its name; null if the rows have none')),
  recipient: z.nullable(text('Name of the recipient')),
  phone: z.nullable(text('Phone of the recipient')),
  where: z.nullable(text('Street, ward, district and province')),
  what: text('The goods, or the fields that would be sent'),
  cash: z.nullable(money('Cash to collect; null if there is none')),
  carrier: z.nullable(text('Carrier')),
  fee: z.nullable(money('Fee of the parcel')),
  delivery: z.nullable(time('Estimated delivery')),
  changes: list(
    z.looseObject({ field: text('The field; `old` is its value at the service, `new` the one in the file') }),
    'What an update changes',
  ),
  payload: z.looseObject({}).meta({ description: 'The request that would be sent' }),
});

/** What the account of a file has, whatever is read of it. */
export const accountFields = {
  sheets: list(
    z.object({ name: text('The sheet'), reason: z.nullable(text('Why it is not read; null if it is')) }),
    'The sheets of a workbook',
  ),
  left_out: list(
    z.object({ cell: text('The first cell of the line'), reason: text('Why it is left out') }),
    'Lines that are left out, the first 10,000',
  ),
  readings: list(
    z.object({ cell: text('The cell'), value: text('What it has'), message: text('How it is read') }),
    'Cells that are read otherwise than they are written, the first 10,000',
  ),
  warnings: list(
    z.object({
      code: text('Of which kind it is'),
      cell: z.nullable(text('The cell; null if it is about the file')),
      value: z.nullable(text('What it has')),
      message: text('What is unusual'),
    }),
    'What is unusual about the file, then about cells, of each kind the first 10,000',
  ),
};

/** A question about a file that was decided. */
const decided = z.object({
  id: text('Which question it is'),
  text: text('What is asked'),
  flag: text('The input that answers it'),
  key: z.nullable(text('The key of a mapping that answers it; null if none does')),
  exit: int('The exit code where nobody answers', 'an exit code'),
  answers: list(
    z.object({
      name: text('What it is about, such as a word, a column or a sheet; empty if it is about rows alone'),
      answer: text('What was said'),
      by: oneOf(['prompt', 'flag', 'mapping'], 'Where it was said'),
      rows: int('Rows that it is about', 'rows'),
      cells: list(text('A cell'), 'Their first cells'),
    }),
    'What was said of each',
  ),
});

/** The state of a planned batch with the rows that it would send. */
export const batchPlan = z.object({
  ...batchSummary.shape,
  collect: z
    .nullable(
      z.object({
        total: money('Cash to collect in all'),
        without: int('Parcels that collect nothing', 'parcels'),
        insured: int('Parcels with insurance', 'parcels'),
        insured_value: money('Value of their goods'),
        unweighed: int('Parcels without a weight, which are quoted as the lightest', 'parcels'),
        insurance_fee: z.nullable(money('What insurance costs of the fees; null unless `explain_fees` asks for it')),
      }),
    )
    .meta({ description: 'What the parcels collect; null if nothing is shipped' }),
  read: z
    .nullable(
      z.object({
        sheets: accountFields.sheets,
        lines: int('Lines of the file: those of orders and those that are left out', 'lines'),
        orders: int('Orders or records that they make', 'rows'),
        left_out: accountFields.left_out,
        readings: accountFields.readings,
        warnings: accountFields.warnings,
        questions: list(decided, 'What would have been asked, and was answered before the plan was made'),
      }),
    )
    .meta({ description: 'The account of every line of the file; null if its rows were run before' }),
  ended: list(
    z.object({
      row: int('Position among the records of the file, from 1', 'rows'),
      cell: text('Place in the file'),
      name: text('Its name, or the code or id of its record'),
      kind: oneOf(['undone', 'cancelled', 'returned', 'undeliverable', 'travelling'], 'How its record has ended'),
      at: z.nullable(time('When; null if it is not known')),
      why: z.nullable(text('Why; null if it is not known')),
    }),
    'Rows whose records have ended since they were made, and that are not sent again: the first 10,000',
  ),
  differs: list(
    z.object({
      row: int('Position among the records of the file, from 1', 'rows'),
      cell: text('Place in the file'),
      name: text('Its name, or the code or id of its record'),
      fields: list(text('A field'), 'The fields in which the record differs'),
      changes: list(
        text('A field with both values'),
        'These fields, each with the value of the record and that of the row',
      ),
    }),
    'Rows whose records differ from them: the first 10,000',
  ),
  not_read_again: int('Records that were not read again: their rows are not sent', 'rows'),
  rows: list(planRow, 'The rows that would be sent, in the order of the file: the first 10,000'),
});

/** The columns of a plan's rows. */
export const planView: View = {
  name: 'batch',
  list: 'rows',
  columns: [
    { path: 'row', kind: 'number' },
    { path: 'external_id', header: 'order', unlessBlank: true, below: 'own-line' },
    { path: 'recipient', unlessBlank: true, below: 'same-line' },
    { path: 'phone', unlessBlank: true, below: 'same-line' },
    { path: 'where', unlessBlank: true, below: 'same-line' },
    { path: 'what', below: 'own-line' },
    { path: 'cash', kind: 'number', unlessBlank: true, blank: { text: 'none', beside: 'payload.shipping' } },
    { path: 'fee', kind: 'number', unlessBlank: true },
    { path: 'carrier', optional: true, unlessBlank: true },
    { path: 'delivery', kind: 'time', unlessBlank: true, optional: true },
  ],
  fields: [
    'batch',
    'state',
    'do',
    'file',
    'counts',
    'fees',
    'collect',
    'read',
    'ended',
    'differs',
    'not_read_again',
    'next',
    'rows',
  ],
};

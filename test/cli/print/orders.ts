import type { View } from '../../../src/cli/print/document.ts';
import { printDocument } from '../../../src/cli/print/print-document.ts';
import type { PrintSettings } from '../../../src/cli/print/rows.ts';
import { memorySink } from '../../support/sinks.ts';

/** Two orders with what is hard to print: 19 digits, Vietnamese in NFC and NFD, null, nesting. */
export const orders = [
  {
    id: '1234567890123456789',
    full_name: 'Nguyễn Thị Hồng'.normalize('NFC'),
    status: 'Z',
    total_amount: 1380000,
    created_at: '2026-01-31T01:00:00Z',
    shipping: { cod_amount: 120000, try_on: 'open' },
    lines: [
      { product_name: 'Trà', quantity: 2 },
      { product_name: 'Cà phê', quantity: 1 },
    ],
    deleted: false,
  },
  {
    id: '9007199254740993',
    full_name: 'Trần Văn Đức'.normalize('NFD'),
    status: 'NS',
    total_amount: -5,
    created_at: null,
    shipping: null,
    lines: [],
    deleted: true,
  },
];

export const orderView: View = {
  columns: [
    { path: 'id' },
    { path: 'full_name', header: 'name' },
    { path: 'status', kind: 'status' },
    { path: 'total_amount', header: 'total', kind: 'number' },
    { path: 'created_at', header: 'created', kind: 'time' },
    { path: 'deleted', kind: 'flag' },
  ],
  fields: ['shipping', 'shipping.cod_amount', 'shipping.try_on', 'lines', 'lines.product_name', 'lines.quantity'],
};

export const anything: View = { columns: [] };

/** Settings of a pipe in the zone of Hà Nội, with what the test changes. */
export function settings(changes: Partial<PrintSettings> = {}): PrintSettings {
  const timeZone = 'Asia/Ho_Chi_Minh';
  return { format: 'table', colour: false, terminal: false, quiet: false, timeZone, ...changes };
}

/** What stdout holds after a list was printed. */
export async function printedList(
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  changes: Partial<PrintSettings> = {},
  view: View = orderView,
): Promise<string> {
  const stdout = memorySink();
  await printDocument({ kind: 'list', rows, view }, settings(changes), stdout);
  return stdout.text;
}

/** What stdout holds after a record was printed. */
export async function printedRecord(
  value: unknown,
  changes: Partial<PrintSettings> = {},
  view: View = orderView,
): Promise<string> {
  const stdout = memorySink();
  await printDocument({ kind: 'record', value, view }, settings(changes), stdout);
  return stdout.text;
}

import { paymentParcels } from './payment-parcels.ts';
import type { DerivedTable } from './table-columns.ts';

const bookkeeping = [
  { name: 'mirrored_at', type: 'time', description: 'When it was copied here from the workspace' },
  { name: 'deleted_at', type: 'time', description: 'When it was removed' },
] as const;

/** Copies of what carriers' payment files say; the originals are in the workspace, and a sync copies them again. */
export const paymentTables: readonly DerivedTable[] = [
  {
    name: 'payment_files',
    description: 'Payment files of carriers that were imported: copies, the originals are in the workspace.',
    key: ['id', 'shop_id'],
    columns: [
      { name: 'shop_id', type: 'text', description: 'Id of the shop' },
      { name: 'id', type: 'text', description: 'Id of the file: the hash of its content' },
      { name: 'name', type: 'text', description: 'Name of the file' },
      { name: 'layout', type: 'text', description: 'The layout it was read with' },
      { name: 'carrier', type: 'text', description: 'The carrier; empty if nothing tells' },
      { name: 'imported_at', type: 'time', description: 'When it was imported' },
      { name: 'rows', type: 'integer', description: 'Rows with a parcel or an amount', unit: 'rows' },
      { name: 'unread', type: 'integer', description: 'Rows that could not be read', unit: 'rows' },
      { name: 'version', type: 'integer', description: 'Another number whenever its lines change in the workspace' },
      ...bookkeeping,
    ],
  },
  {
    name: 'payment_lines',
    description: 'The lines of those files: one amount of one kind for one parcel. Copies, as above.',
    key: ['file_id', 'line', 'shop_id'],
    columns: [
      { name: 'shop_id', type: 'text', description: 'Id of the shop' },
      { name: 'file_id', type: 'text', description: 'Id of the file' },
      { name: 'line', type: 'integer', description: 'Position in the file, from 1' },
      { name: 'cell', type: 'text', description: 'The cell that the amount was read from' },
      { name: 'session', type: 'text', description: 'The payment session' },
      { name: 'shipping_code', type: 'text', description: "The carrier's code of the parcel" },
      { name: 'fulfillment_id', type: 'text', description: 'Our id of the shipment, as the file has it' },
      { name: 'kind', type: 'text', description: 'cod, delivery, return, insurance, transfer and so on' },
      {
        name: 'amount',
        type: 'integer',
        description: 'The amount as it counts for the shop: what the carrier keeps is below zero',
        unit: 'currency units',
      },
      { name: 'day', type: 'text', description: 'The day that the file tells of the parcel, YYYY-MM-DD' },
      {
        name: 'repeats',
        type: 'text',
        description: 'The line that it repeats, as file and cell: it is not counted; empty for a line that counts',
      },
      { name: 'late', type: 'integer', description: '1 if its session was closed when it came' },
      ...bookkeeping,
    ],
  },
  paymentParcels,
];

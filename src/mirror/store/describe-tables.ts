import { changesTable, type DerivedTable, derivedTables, type TableColumn } from './own-tables.ts';
import { paymentParcels } from './payment-parcels.ts';
import { openParcels, rollupTables } from './rollup-tables.ts';
import { mirrorViews } from './views.ts';

/** A question that shops ask, and the query that answers it in either dialect. */
interface MirrorQuestion {
  readonly question: string;
  readonly sql: string;
}

/** Questions for the documentation. */
export const mirrorQuestions: readonly MirrorQuestion[] = [
  {
    question: 'How many shipments are on their way, and where?',
    sql: 'SELECT carrier, shipping_state, count(*) AS parcels, sum(cod_amount) AS cod\nFROM open_shipments GROUP BY carrier, shipping_state ORDER BY carrier, shipping_state',
  },
  {
    question: 'Which deliveries are late? Whom to call first?',
    sql: 'SELECT shipping_code, carrier, full_name, phone, province, estimated_delivery_at\nFROM late_deliveries ORDER BY estimated_delivery_at LIMIT 20',
  },
  {
    question: 'Which carrier does not pick up on time?',
    sql: 'SELECT carrier, count(*) AS late, min(estimated_pickup_at) AS since FROM late_pickups GROUP BY carrier',
  },
  {
    question: 'How much cash on delivery has not been settled, by carrier?',
    sql: 'SELECT carrier, count(*) AS parcels, sum(actual_cod_amount) AS cod\nFROM cod_outstanding GROUP BY carrier ORDER BY cod DESC',
  },
  {
    question: 'What did we sell on each of the last 30 days?',
    sql: 'SELECT day, orders, items, revenue, average FROM daily_sales ORDER BY day DESC LIMIT 30',
  },
  {
    question: 'What sells best?',
    sql: 'SELECT v.code, v.name, sum(d.quantity) AS sold, sum(d.revenue) AS revenue\nFROM daily_lines AS d JOIN variants AS v ON v.id = d.variant_id\nGROUP BY v.code, v.name ORDER BY revenue DESC LIMIT 10',
  },
  {
    question: 'How many parcels does each carrier bring back?',
    sql: 'SELECT carrier, parcels, delivered, returned, 100.0 * returned / parcels AS percent\nFROM carrier_performance ORDER BY percent DESC',
  },
  {
    question: 'Who are our best customers?',
    sql: 'SELECT phone, full_name, orders, revenue, last_order_at FROM customer_lifetime ORDER BY revenue DESC LIMIT 20',
  },
  {
    question: 'Which orders has nobody confirmed?',
    sql: "SELECT code, external_code, total_amount, created_at FROM orders\nWHERE deleted_at IS NULL AND status = 'Z' AND confirm_status = 'Z' ORDER BY created_at",
  },
  {
    question: 'What is running out?',
    sql: 'SELECT v.code, v.name, l.available_quantity FROM inventory_levels AS l JOIN variants AS v ON v.id = l.variant_id\nWHERE l.deleted_at IS NULL AND l.available_quantity < 5 ORDER BY l.available_quantity, v.code',
  },
  {
    question: 'What was this order before?',
    sql: "SELECT seen_at, replaced_at, source, json FROM history\nWHERE area = 'orders' AND id = '1234567890123456789' ORDER BY seen_at, replaced_at IS NULL, replaced_at",
  },
];

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

/** A table or view that people query. */
export interface DescribedTable {
  readonly name: string;
  readonly kind: 'table' | 'rollup' | 'view';
  readonly description: string;
  readonly columns: readonly TableColumn[];
}

/** Every table and view that people query, in the order of the documentation. */
export function describedTables(): readonly DescribedTable[] {
  return [
    ...[...derivedTables, changesTable, ...paymentTables].map(({ name, description, columns }) => ({
      name,
      kind: 'table' as const,
      description,
      columns,
    })),
    ...[...rollupTables, openParcels].map(({ name, description, dimensions, sums }) => ({
      name,
      kind: 'rollup' as const,
      description,
      columns: [...dimensions, ...sums.map((sum) => ({ ...sum, type: 'integer' as const }))],
    })),
    ...mirrorViews.map(({ name, description, columns }) => ({ name, kind: 'view' as const, description, columns })),
  ];
}

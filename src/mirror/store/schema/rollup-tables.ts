import type { ColumnType } from '../declared/columns.ts';

/** A rollup: sums over records per day, updated in the transaction that changes the records. */
export interface RollupTable {
  readonly name: string;
  readonly description: string;
  /** What the sums are grouped by. */
  readonly dimensions: readonly { readonly name: string; readonly type: ColumnType; readonly description: string }[];
  /** The sums, all of them integers; the first one counts, and a row whose count is 0 is removed. */
  readonly sums: readonly { readonly name: string; readonly description: string; readonly unit: string }[];
}

const shop = { name: 'shop_id', type: 'text', description: 'Id of the shop' } as const;
const carrier = { name: 'carrier', type: 'text', description: 'Carrier; empty if there is none' } as const;
const money = (name: string, description: string) => ({ name, description, unit: 'currency units' });
const count = (name: string, description: string, unit: string) => ({ name, description, unit });
const day = (of: string) => ({
  name: 'day',
  type: 'text' as const,
  description: `Day on which ${of}, YYYY-MM-DD in the time zone of the rollups`,
});

const parcelSums = [
  count('parcels', 'Number of shipments', 'parcels'),
  money('cod_amount', 'Cash to collect'),
  money('actual_cod_amount', 'Cash to collect at delivery'),
  money('basket_value', 'Value of the goods'),
  money('shipping_service_fee', 'Fees as quoted'),
  money('actual_shipping_service_fee', 'Fees as charged'),
];

const parcelDimensions = [
  carrier,
  { name: 'state', type: 'text', description: 'Shipping state of the shipments' },
  { name: 'payment', type: 'text', description: 'Payment status of the shipments' },
] as const;

/** The rollups of the mirror. */
export const rollupTables: readonly RollupTable[] = [
  {
    name: 'daily_orders',
    description: 'Orders per day of creation, carrier and status.',
    dimensions: [shop, day('they were created'), carrier, { name: 'state', type: 'text', description: 'Order status' }],
    sums: [
      count('orders', 'Number of orders', 'orders'),
      count('total_items', 'Items sold', 'items'),
      money('basket_value', 'Value of the goods before discounts'),
      money('total_discount', 'Discounts'),
      money('total_fee', 'Fees charged to buyers'),
      money('total_amount', 'Total amount'),
      money('cod_amount', 'Cash to collect on delivery'),
    ],
  },
  {
    name: 'daily_parcels',
    description: 'Shipments per day of creation, carrier, shipping state and payment status.',
    dimensions: [shop, day('they were created'), ...parcelDimensions],
    sums: parcelSums,
  },
  {
    name: 'daily_cod',
    description: 'Shipments that are closed, per day on which they were, carrier, shipping state and payment status.',
    dimensions: [shop, day('they were closed'), ...parcelDimensions],
    sums: parcelSums,
  },
  {
    name: 'daily_lines',
    description: 'What is sold per day and variant, in orders that are not cancelled.',
    dimensions: [
      shop,
      day('the orders were created'),
      { name: 'variant_id', type: 'text', description: 'Id of the variant; empty if the line names none' },
    ],
    sums: [
      count('lines', 'Number of order lines', 'lines'),
      count('quantity', 'Items sold', 'items'),
      money('revenue', 'Sum of quantity * payment_price'),
    ],
  },
];

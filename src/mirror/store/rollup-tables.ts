import type { ColumnType } from './declared-columns.ts';
import type { MirrorDialect } from './mirror.ts';

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

/** What is neither settled nor cancelled, as SQL on a shipment `f`: the same predicate as that of the index. */
export const OPEN = "coalesce(f.platform_payment_status, '') <> 'P' and coalesce(f.shipping_state, '') <> 'cancelled'";

/** The figures of a shipment `f` and its order `o`, as SQL. */
export const parcelFigures = {
  cash: `case
    when f.shipping_state = 'delivered' then coalesce(f.actual_cod_amount, 0)
    when f.shipping_state in ('returning', 'returned', 'undeliverable') then 0
    else coalesce(f.cod_amount, 0) end`,
  cod: 'coalesce(f.cod_amount, 0)',
  value: 'coalesce(o.total_amount, 0)',
  fee: 'coalesce(f.actual_shipping_service_fee, f.shipping_service_fee, 0)',
};

/** A shipment `f` with its order `o`, as SQL. */
export const withOrder = ({ table }: Pick<MirrorDialect, 'table'>) => `${table('fulfillments')} as f
  left join ${table('orders')} as o on o.id = f.order_id and o.shop_id = f.shop_id`;

const figures: readonly (readonly [name: string, description: string, unit: string, sql: string])[] = [
  ['parcels', 'Number of shipments', 'parcels', 'count(*)'],
  [
    'cod_parcels',
    'Those with cash on delivery',
    'parcels',
    `sum(case when ${parcelFigures.cod} <> 0 then 1 else 0 end)`,
  ],
  ['value', 'Total amounts of their orders', 'currency units', `sum(${parcelFigures.value})`],
  ['cash', 'Cash collected, or to be collected', 'currency units', `sum(${parcelFigures.cash})`],
  [
    'fees',
    'What the carrier charged, or what was quoted as long as it has not',
    'currency units',
    `sum(${parcelFigures.fee})`,
  ],
];

/** The rollup of the present. It depends on two areas, so that SQL adds it up, not the record that is written. */
export const openParcels: RollupTable = {
  name: 'open_parcels',
  description: 'Shipments that are neither settled nor cancelled, per shipping state: what is open at present.',
  dimensions: [
    { name: 'shop_id', type: 'text', description: 'Id of the shop' },
    { name: 'state', type: 'text', description: 'Shipping state of the shipments' },
  ],
  sums: figures.map(([name, description, unit]) => ({ name, description, unit })),
};

const names = openParcels.sums.map(({ name }) => name);

/** What the shipments that meet a condition on `f` add to the rollup; with a minus, what they take from it. */
export const openParcelsOf = (dialect: MirrorDialect, where: string, sign: '' | '-' = ''): string =>
  `select f.shop_id, coalesce(f.shipping_state, '') as state, ${figures.map(([name, , , sql]) => `${sign}${sql} as ${name}`).join(', ')}
  from ${withOrder(dialect)} where f.deleted_at is null and ${OPEN} and ${where} group by f.shop_id, f.shipping_state`;

/** The statement that adds the shipments that meet a condition on `f` to the rollup, or takes them from it. */
export const addOpenParcels = (dialect: MirrorDialect, where: string, sign?: '-'): string =>
  `insert into ${dialect.table(openParcels.name)} as t (shop_id, state, ${names.join(', ')})
${openParcelsOf(dialect, where, sign)}
on conflict (shop_id, state) do update set ${names.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}`;

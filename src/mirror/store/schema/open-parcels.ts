import type { MirrorDialect } from '../store/mirror.ts';
import type { RollupTable } from './rollup-tables.ts';

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

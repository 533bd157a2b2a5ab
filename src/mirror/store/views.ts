import type { ColumnType } from './declared-columns.ts';
import type { MirrorDialect } from './mirror.ts';
import { derivedTables, type TableColumn } from './own-tables.ts';

/** A view: a query with a name, which people and reports read. */
export interface MirrorView {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly TableColumn[];
  readonly sql: (dialect: MirrorDialect) => string;
}

/** The moment up to which the shipments of a shop are known, as a column of type time compares with it. */
function known({ name, table }: MirrorDialect): string {
  const moment =
    name === 'sqlite'
      ? "strftime('%Y-%m-%dT%H:%M:%SZ', complete_until / 1000, 'unixepoch')"
      : 'to_timestamp(complete_until / 1000)';
  return `(select ${moment} from ${table('mirror_areas')} as a where a.shop_id = f.shop_id and a.area = 'fulfillments')`;
}

/** Columns of a table, under their own names. */
function of(table: string, ...names: readonly string[]): TableColumn[] {
  const columns = derivedTables.find(({ name }) => name === table)?.columns ?? [];
  return names.flatMap((name) => columns.filter((column) => column.name === name));
}

const column = (name: string, type: ColumnType, description: string, unit?: string): TableColumn => ({
  name,
  type,
  description,
  unit,
});

const shop = column('shop_id', 'text', 'Id of the shop');
const orders = column('orders', 'integer', 'Number of orders', 'orders');
const revenue = column('revenue', 'integer', 'Sum of their total_amount', 'currency units');

/** Those of the views of shipments. */
const parcelColumns: readonly TableColumn[] = [
  ...of('fulfillments', 'shop_id', 'id', 'order_id'),
  column('order_code', 'text', 'Code of its order'),
  ...of('fulfillments', 'carrier', 'shipping_code', 'shipping_state', 'shipping_substate', 'cod_amount'),
  ...of('fulfillments', 'actual_cod_amount'),
  ...of('fulfillment_addresses', 'full_name', 'phone', 'province', 'district'),
  ...of('fulfillments', 'estimated_pickup_at', 'estimated_delivery_at', 'created_at', 'updated_at'),
];

const parcels = ({ table }: MirrorDialect, where: string) =>
  `select f.shop_id, f.id, f.order_id, o.code as order_code, f.carrier, f.shipping_code, f.shipping_state,
  f.shipping_substate, f.cod_amount, f.actual_cod_amount, a.full_name, a.phone, a.province, a.district,
  f.estimated_pickup_at, f.estimated_delivery_at, f.created_at, f.updated_at
from ${table('fulfillments')} as f
left join ${table('orders')} as o on o.id = f.order_id and o.shop_id = f.shop_id
left join ${table('fulfillment_addresses')} as a
  on a.fulfillment_id = f.id and a.kind = 'shipping' and a.shop_id = f.shop_id
where f.deleted_at is null and ${where}`;

/** The views of the mirror. */
export const mirrorViews: readonly MirrorView[] = [
  {
    name: 'open_shipments',
    description: 'Shipments that are neither delivered, returned nor cancelled.',
    columns: parcelColumns,
    sql: (dialect) => parcels(dialect, "f.shipping_status in ('Z', 'S')"),
  },
  {
    name: 'cod_outstanding',
    description: 'Delivered shipments with cash on delivery that the platform has not settled.',
    columns: parcelColumns,
    sql: (dialect) =>
      parcels(
        dialect,
        "f.shipping_state = 'delivered' and f.actual_cod_amount <> 0 and f.platform_payment_status <> 'P'",
      ),
  },
  {
    name: 'late_pickups',
    description: 'Shipments that should have been picked up before the moment up to which the mirror is complete.',
    columns: parcelColumns,
    sql: (dialect) =>
      parcels(
        dialect,
        `coalesce(f.shipping_state, '') not in ('holding', 'delivering', 'undeliverable', 'delivered', 'returning', 'returned', 'cancelled') and f.estimated_pickup_at < ${known(dialect)}`,
      ),
  },
  {
    name: 'late_deliveries',
    description: 'Shipments that should have been delivered before the moment up to which the mirror is complete.',
    columns: parcelColumns,
    sql: (dialect) =>
      parcels(
        dialect,
        `f.shipping_state in ('holding', 'delivering', 'undeliverable') and f.estimated_delivery_at < ${known(dialect)}`,
      ),
  },
  {
    name: 'daily_sales',
    description: 'Orders that are not cancelled, per shop and day: number, revenue (total_amount) and average.',
    columns: [
      shop,
      column('day', 'text', 'Day on which they were created, YYYY-MM-DD in the time zone of the rollups'),
      orders,
      revenue,
      column('average', 'integer', 'Revenue of an order on average', 'currency units'),
      column('items', 'integer', 'Items sold', 'items'),
    ],
    sql: ({ table }) =>
      `select shop_id, day, cast(sum(orders) as bigint) as orders, cast(sum(total_amount) as bigint) as revenue,
  cast(sum(total_amount) / sum(orders) as bigint) as average, cast(sum(total_items) as bigint) as items
from ${table('daily_orders')} where state <> 'N' group by shop_id, day`,
  },
  {
    name: 'carrier_performance',
    description: 'Per shop and carrier: shipments, their outcomes, and fees.',
    columns: [
      shop,
      column('carrier', 'text', 'Carrier; empty if there is none'),
      column('parcels', 'integer', 'Number of shipments', 'parcels'),
      column('delivered', 'integer', 'Those that were delivered', 'parcels'),
      column('returned', 'integer', 'Those that came back, or are on their way back', 'parcels'),
      column('undeliverable', 'integer', 'Those that cannot be delivered', 'parcels'),
      column('cancelled', 'integer', 'Those that were cancelled', 'parcels'),
      column('fees_quoted', 'integer', 'Fees as quoted', 'currency units'),
      column('fees_charged', 'integer', 'Fees as charged', 'currency units'),
    ],
    sql: ({ table }) =>
      `select shop_id, carrier, cast(sum(parcels) as bigint) as parcels,
  cast(sum(case when state = 'delivered' then parcels else 0 end) as bigint) as delivered,
  cast(sum(case when state in ('returning', 'returned') then parcels else 0 end) as bigint) as returned,
  cast(sum(case when state = 'undeliverable' then parcels else 0 end) as bigint) as undeliverable,
  cast(sum(case when state = 'cancelled' then parcels else 0 end) as bigint) as cancelled,
  cast(sum(shipping_service_fee) as bigint) as fees_quoted,
  cast(sum(actual_shipping_service_fee) as bigint) as fees_charged
from ${table('daily_parcels')} group by shop_id, carrier`,
  },
  {
    name: 'customer_lifetime',
    description: 'Per shop and phone of the buyer: orders that are not cancelled, revenue, first and last order.',
    columns: [
      shop,
      column('phone', 'text', 'Phone number of the buyer'),
      column('full_name', 'text', 'A name that the buyer gave'),
      orders,
      revenue,
      column('first_order_at', 'time', 'When the first one was created'),
      column('last_order_at', 'time', 'When the last one was created'),
    ],
    sql: ({ table }) =>
      `select o.shop_id, a.phone, max(a.full_name) as full_name, count(*) as orders,
  cast(sum(o.total_amount) as bigint) as revenue, min(o.created_at) as first_order_at, max(o.created_at) as last_order_at
from ${table('orders')} as o
join ${table('order_addresses')} as a on a.order_id = o.id and a.kind = 'customer' and a.shop_id = o.shop_id
where o.deleted_at is null and o.status <> 'N' and a.phone <> '' group by o.shop_id, a.phone`,
  },
  {
    name: 'history',
    description:
      'Each version of a record that was seen, with its JSON; the present one has no replaced_at, if it is not deleted.',
    columns: [
      shop,
      column('area', 'text', 'Table of the record'),
      column('id', 'text', 'Id of the record'),
      column('seen_at', 'time', "When it was changed or read, by the service's clock"),
      column('replaced_at', 'time', 'When a newer version replaced it, or the record was deleted'),
      column('source', 'text', 'list or webhook'),
      column('json', 'json', 'The record as it was'),
    ],
    sql: ({ table, name }) => {
      const deleted =
        name === 'sqlite'
          ? "strftime('%Y-%m-%dT%H:%M:%fZ', r.version / 2000.0, 'unixepoch')"
          : 'to_timestamp(r.version / 2000.0)';
      return `select shop_id, area, id, seen_at, replaced_at, source, json from ${table('past_versions')}
union all select j.shop_id, j.area, j.id, j.seen_at,
  case when r.gone = 1 and ${deleted} > j.seen_at then ${deleted} end, j.source, j.json
from ${table('records_json')} as j
left join ${table('mirror_records')} as r on r.area = j.area and r.id = j.id and r.shop_id = j.shop_id`;
    },
  },
];

import type { MirrorDialect } from '../store/dialect.ts';

/** A view: a query with a name, which people and reports read. */
export interface MirrorView {
  readonly name: string;
  readonly description: string;
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
    sql: (dialect) => parcels(dialect, "f.shipping_status in ('Z', 'S')"),
  },
  {
    name: 'cod_outstanding',
    description: 'Delivered shipments with cash on delivery that the platform has not settled.',
    sql: (dialect) =>
      parcels(
        dialect,
        "f.shipping_state = 'delivered' and f.actual_cod_amount <> 0 and f.platform_payment_status <> 'P'",
      ),
  },
  {
    name: 'late_pickups',
    description: 'Shipments that should have been picked up before the moment up to which the mirror is complete.',
    sql: (dialect) => parcels(dialect, `f.shipping_state = 'picking' and f.estimated_pickup_at < ${known(dialect)}`),
  },
  {
    name: 'late_deliveries',
    description: 'Shipments that should have been delivered before the moment up to which the mirror is complete.',
    sql: (dialect) =>
      parcels(
        dialect,
        `f.shipping_state in ('holding', 'delivering', 'undeliverable') and f.estimated_delivery_at < ${known(dialect)}`,
      ),
  },
  {
    name: 'daily_sales',
    description: 'Orders that are not cancelled, per shop and day: number, revenue (total_amount) and average.',
    sql: ({ table }) =>
      `select shop_id, day, cast(sum(orders) as bigint) as orders, cast(sum(total_amount) as bigint) as revenue,
  cast(sum(total_amount) / sum(orders) as bigint) as average, cast(sum(total_items) as bigint) as items
from ${table('daily_orders')} where state <> 'N' group by shop_id, day`,
  },
  {
    name: 'carrier_performance',
    description: 'Per shop and carrier: shipments, their outcomes, and fees.',
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
    sql: ({ table }) =>
      `select o.shop_id, a.phone, max(a.full_name) as full_name, count(*) as orders,
  cast(sum(o.total_amount) as bigint) as revenue, min(o.created_at) as first_order_at, max(o.created_at) as last_order_at
from ${table('orders')} as o
join ${table('order_addresses')} as a on a.order_id = o.id and a.kind = 'customer' and a.shop_id = o.shop_id
where o.deleted_at is null and o.status <> 'N' and a.phone <> '' group by o.shop_id, a.phone`,
  },
  {
    name: 'history',
    description: 'Each version of a record that was seen, with its JSON; the present one has no replaced_at.',
    sql: ({ table, name }) => {
      const none = name === 'sqlite' ? 'null' : 'null::timestamptz';
      return `select shop_id, area, id, seen_at, replaced_at, source, json from ${table('past_versions')}
union all select shop_id, area, id, seen_at, ${none}, source, json from ${table('records_json')}`;
    },
  },
];

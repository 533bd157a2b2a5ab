import type { ReportColumn, ReportScope } from './report.ts';
import { total, totalWhere } from './sql.ts';

/** What the reports about the present call unsettled. */
export const UNSETTLED =
  'Shipments that are not cancelled and that the platform has not settled (platform_payment_status is not P).';

/** How the reports about the present count cash. */
export const CASH =
  'Cash is what the carrier collected for a delivered shipment, what it is to collect for one in delivery, and nothing for one that is undeliverable or on its way back.';

/** The same predicate as that of the index. */
const unsettled = "coalesce(f.platform_payment_status, '') <> 'P' and coalesce(f.shipping_state, '') <> 'cancelled'";

/** Each state of a shipment in the words of the reports. */
const groupOf = `case
    when f.shipping_state = 'picking' then 'picking'
    when f.shipping_state in ('holding', 'delivering') then 'in_delivery'
    when f.shipping_state = 'delivered' then 'delivered'
    when f.shipping_state = 'undeliverable' then 'undeliverable'
    when f.shipping_state in ('returning', 'returned') then 'returned'
    else 'new' end`;

const cash = `case
    when f.shipping_state = 'delivered' then coalesce(f.actual_cod_amount, 0)
    when f.shipping_state in ('returning', 'returned', 'undeliverable') then 0
    else coalesce(f.cod_amount, 0) end`;

/**
 * The shipments that are not settled as a table `parcels`, one row each. It is read anew wherever it is named: the index
 * has them in the order of `shipping_state`, so that those of one state, or sums by it, cost neither a sort nor a copy.
 */
export function unsettledParcels({ table, text, shopId }: ReportScope): string {
  return `parcels as not materialized (select f.shipping_state, ${groupOf} as state, ${cash} as cash, coalesce(f.cod_amount, 0) as cod,
    coalesce(o.total_amount, 0) as value, coalesce(f.actual_shipping_service_fee, f.shipping_service_fee, 0) as fee,
    f.estimated_pickup_at as pickup_at, f.estimated_delivery_at as delivery_at
  from ${table('fulfillments')} as f
  left join ${table('orders')} as o on o.id = f.order_id and o.shop_id = f.shop_id
  where f.shop_id = ${text(shopId)} and f.deleted_at is null and ${unsettled})`;
}

/** The sums of some parcels, by the names of the columns. */
export const parcelSums = `count(*) as parcels, ${totalWhere('1', 'cod <> 0')} as cod_parcels,
  ${totalWhere('1', 'cod = 0')} as other_parcels, ${total('value')} as value, ${total('cash')} as cash, ${total('fee')} as fees`;

/** The sums of groups of parcels, added up. */
const sumsOfSums = ['parcels', 'cod_parcels', 'other_parcels', 'value', 'cash', 'fees']
  .map((name) => `${total(name)} as ${name}`)
  .join(', ');

/** The sums of the parcels by the states of the reports, as SQL: by those of the shipments first. */
export const sumsByState = `select state as name, ${sumsOfSums}
  from (select max(state) as state, ${parcelSums} from parcels group by shipping_state) as of_state group by state`;

const parcels = (name: string, header: string, meaning: string): ReportColumn => ({
  name,
  header,
  type: 'integer',
  unit: 'parcels',
  meaning,
  total: 'sum',
});

const money = (name: string, header: string, meaning: string): ReportColumn => ({
  name,
  header,
  type: 'integer',
  unit: 'currency units',
  meaning,
  total: 'sum',
});

/** The figures that the reports about the present have in common. */
export const parcelColumns = {
  parcels: parcels('parcels', 'parcels', 'Shipments'),
  cod_parcels: parcels('cod_parcels', 'with COD', 'Those with cash on delivery'),
  other_parcels: { ...parcels('other_parcels', 'without', 'Those without'), optional: true },
  value: money('value', 'value', 'Total amounts of their orders'),
  cash: money('cash', 'cash', 'Cash collected, or to be collected'),
  fees: money('fees', 'fees', 'What the carrier charged, or what was quoted as long as it has not'),
};

/** A list of names in their order, as a table. */
export const named = (table: string, names: readonly string[]): string =>
  `${table}(place, name) as (values ${names.map((name, index) => `(${index}, '${name}')`).join(', ')})`;

/** The figures of the groups in their order, with 0 for those that are empty. */
export const filled = (groups: string, sums: string, column: string): string => `select g.name as ${column},
  coalesce(s.parcels, 0) as parcels, coalesce(s.cod_parcels, 0) as cod_parcels,
  coalesce(s.other_parcels, 0) as other_parcels, coalesce(s.value, 0) as value, coalesce(s.cash, 0) as cash,
  coalesce(s.fees, 0) as fees
from ${groups} as g left join ${sums} as s on s.name = g.name`;

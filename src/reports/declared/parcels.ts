import { OPEN, parcelFigures, withOrder } from '../../mirror/store/rollup-tables.ts';
import type { ReportColumn, ReportScope } from './report.ts';
import { total, totalWhere } from './sql.ts';

/** What the reports about the present call unsettled. */
export const UNSETTLED =
  'Shipments that are not cancelled and that the platform has not settled (platform_payment_status is not P).';

/** How the reports about the present count cash. */
export const CASH =
  'Cash is what the carrier collected for a delivered shipment, what it is to collect for one in delivery, and nothing for one that is undeliverable or on its way back.';

/** Each state of a shipment in the words of the reports. */
const groupOf = `case
    when state = 'picking' then 'picking'
    when state in ('holding', 'delivering') then 'in_delivery'
    when state = 'delivered' then 'delivered'
    when state = 'undeliverable' then 'undeliverable'
    when state in ('returning', 'returned') then 'returned'
    else 'new' end`;

/**
 * The shipments that are not settled as a table `parcels`, one row each. It is read anew wherever it is named: the index
 * has them in the order of `shipping_state`, so that those of one state cost neither a sort nor a copy.
 */
export function unsettledParcels(scope: ReportScope): string {
  const { text, shopId } = scope;
  const { cash, cod, value, fee } = parcelFigures;
  return `parcels as not materialized (select f.shipping_state, ${cash} as cash, ${cod} as cod,
    ${value} as value, ${fee} as fee, f.estimated_pickup_at as pickup_at, f.estimated_delivery_at as delivery_at
  from ${withOrder(scope)}
  where f.shop_id = ${text(shopId)} and f.deleted_at is null and ${OPEN})`;
}

/** The sums of some parcels, by the names of the columns. */
export const parcelSums = `count(*) as parcels, ${totalWhere('1', 'cod <> 0')} as cod_parcels,
  ${totalWhere('1', 'cod = 0')} as other_parcels, ${total('value')} as value, ${total('cash')} as cash, ${total('fee')} as fees`;

/** The sums of all of them by the states of the reports, as SQL: those that the mirror keeps. */
export const sumsByState = ({ table, text, shopId }: ReportScope): string => `select ${groupOf} as name,
  ${total('parcels')} as parcels, ${total('cod_parcels')} as cod_parcels,
  ${total('parcels - cod_parcels')} as other_parcels, ${total('value')} as value, ${total('cash')} as cash,
  ${total('fees')} as fees
  from ${table('open_parcels')} where shop_id = ${text(shopId)} group by name`;

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
  unit: '₫',
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

import { OPEN, parcelFigures, withOrder } from '../../mirror/store/rollup-tables.ts';
import type { ReportColumn, ReportScope } from './report.ts';
import { total, totalWhere } from './sql.ts';

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

const summed = (name: string, unit: string): ReportColumn => ({ name, type: 'integer', unit, total: 'sum' });

/** The figures that the reports about the present have in common. */
export const parcelColumns = {
  parcels: summed('parcels', 'parcels'),
  cod_parcels: summed('cod_parcels', 'parcels'),
  other_parcels: { ...summed('other_parcels', 'parcels'), optional: true },
  value: summed('value', '₫'),
  cash: summed('cash', '₫'),
  fees: summed('fees', '₫'),
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

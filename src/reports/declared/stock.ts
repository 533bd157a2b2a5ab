import { daysBetween } from '../../domain/calendar.ts';
import type { Report, ReportScope } from './report.ts';
import { inSpan, total } from './sql.ts';

function sold(scope: ReportScope): string {
  const { table, text, shopId, since, until, hasRollups } = scope;
  if (hasRollups)
    return `select d.variant_id, ${total('d.quantity')} as sold from ${table('daily_lines')} as d
  where d.shop_id = ${text(shopId)} and d.day >= ${text(since)} and d.day < ${text(until)} group by d.variant_id`;
  return `select d.variant_id, ${total('d.quantity')} as sold from ${table('orders')} as o
  join ${table('order_lines')} as d on d.order_id = o.id and d.shop_id = o.shop_id and d.deleted_at is null
  where o.shop_id = ${text(shopId)} and o.deleted_at is null and coalesce(o.status, '') <> 'N'
    and ${inSpan(scope, 'o.created_at')} group by d.variant_id`;
}

/** What is there of each variant, and how long it lasts. */
export const stock: Report = {
  name: 'stock',
  title: 'Stock',
  definition: [
    'The stock of each variant that is not deleted, as of the last sync, and what was sold of it in the span, in orders that are not cancelled.',
    'Available can be sold; committed is picked or reserved for orders. Days left is the available stock divided by what is sold per day, rounded down; it is empty for a variant that did not sell. What runs out first comes first.',
  ],
  areas: ['inventory_levels', 'variants', 'orders'],
  about: 'span',
  dated: 'orders created',
  columns: [
    { name: 'code', header: 'code', type: 'text', meaning: 'Code of the variant' },
    { name: 'name', header: 'name', type: 'text', meaning: 'Name of the variant' },
    {
      name: 'available',
      header: 'available',
      type: 'integer',
      unit: 'items',
      meaning: 'What can be sold',
      total: 'sum',
    },
    {
      name: 'committed',
      header: 'committed',
      type: 'integer',
      unit: 'items',
      meaning: 'Picked or reserved',
      total: 'sum',
    },
    { name: 'sold', header: 'sold', type: 'integer', unit: 'items', meaning: 'Sold in the span', total: 'sum' },
    { name: 'per_day', header: 'per day', type: 'decimal', unit: 'items', meaning: 'Sold per day of the span' },
    {
      name: 'days_left',
      header: 'days left',
      type: 'integer',
      unit: 'days',
      meaning: 'How long the available stock lasts',
    },
  ],
  sql: (scope) => {
    const { table, text, shopId, since, until } = scope;
    const days = daysBetween(since, until);
    return `with sold as (${sold(scope)}),
levels as (
  select v.code, v.name, v.id, coalesce(l.available_quantity, 0) as available,
    coalesce(l.picked_quantity, 0) + coalesce(l.reserved_quantity, 0) as committed, coalesce(s.sold, 0) as sold
  from ${table('inventory_levels')} as l
  join ${table('variants')} as v on v.id = l.variant_id and v.shop_id = l.shop_id and v.deleted_at is null
  left join sold as s on s.variant_id = l.variant_id
  where l.shop_id = ${text(shopId)} and l.deleted_at is null),
lasting as (
  select levels.*, case when sold <= 0 then null when available <= 0 then 0 else available * ${days} / sold end as days_left
  from levels)
select code, name, available, committed, sold, (20 * sold + ${days}) / (2 * ${days}) / 10.0 as per_day, days_left
from lasting order by days_left is null, days_left, sold desc, id`;
  },
  chart: {
    kind: 'bars',
    title: 'Days of stock left, the lowest first',
    label: 'name',
    series: ['days_left'],
    most: 15,
    with: 'days_left',
  },
};

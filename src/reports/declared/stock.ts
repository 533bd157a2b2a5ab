import { daysBetween } from '../../domain/calendar.ts';
import { say } from '../texts.ts';
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
  words: () => say().report.stock,
  areas: ['inventory_levels', 'variants', 'orders'],
  about: 'span',
  columns: [
    { name: 'code', type: 'text' },
    { name: 'name', type: 'text' },
    {
      name: 'available',
      type: 'integer',
      unit: 'items',
      total: 'sum',
    },
    {
      name: 'committed',
      type: 'integer',
      unit: 'items',
      total: 'sum',
    },
    { name: 'sold', type: 'integer', unit: 'items', total: 'sum' },
    { name: 'per_day', type: 'decimal', unit: 'items' },
    {
      name: 'days_left',
      type: 'integer',
      unit: 'days',
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
    label: 'name',
    series: ['days_left'],
    most: 15,
    with: 'days_left',
  },
};

import type { Report } from './report.ts';
import { periodsTable, perPeriod, total } from './sql.ts';

/** C: what was sold. */
export const sales: Report = {
  name: 'sales',
  title: 'Sales',
  definition: [
    'Orders by the day on which they were created. Cancelled orders (status N) do not count, whenever they were cancelled.',
    'Revenue is the total amount of the orders: goods after discounts, with the fees that buyers pay. The average is revenue divided by orders, rounded down.',
  ],
  areas: ['orders'],
  about: 'span',
  byPeriod: true,
  columns: [
    { name: 'period', header: 'period', type: 'period', meaning: 'The day, the week from Monday, or the month' },
    {
      name: 'orders',
      header: 'orders',
      type: 'integer',
      unit: 'orders',
      meaning: 'Orders that are not cancelled',
      total: 'sum',
    },
    { name: 'items', header: 'items', type: 'integer', unit: 'items', meaning: 'Items in those orders', total: 'sum' },
    {
      name: 'revenue',
      header: 'revenue',
      type: 'integer',
      unit: 'currency units',
      meaning: 'Sum of their total amounts',
      total: 'sum',
    },
    {
      name: 'average',
      header: 'average',
      type: 'integer',
      unit: 'currency units',
      meaning: 'Revenue per order, rounded down; empty without orders',
      total: ({ orders, revenue }) => (Number(orders) === 0 ? null : Math.trunc(Number(revenue) / Number(orders))),
    },
  ],
  sql: (scope) => `with ${periodsTable(scope)},
sums as (${perPeriod(
    scope,
    {
      table: 'daily_orders',
      where: "d.state <> 'N'",
      sums: { orders: total('d.orders'), items: total('d.total_items'), revenue: total('d.total_amount') },
    },
    {
      table: 'orders',
      at: 'created_at',
      where: "coalesce(d.status, '') <> 'N'",
      sums: { orders: 'count(d.id)', items: total('d.total_items'), revenue: total('d.total_amount') },
    },
  )})
select period, orders, items, revenue, case when orders = 0 then null else revenue / orders end as average
from sums order by first_day`,
  chart: { kind: 'lines', title: 'Revenue', label: 'period', series: ['revenue'] },
};

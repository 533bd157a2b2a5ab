import type { Report } from './report.ts';
import { periodsTable, perPeriod, total, totalWhere } from './sql.ts';

const closed = (parcels: string, state: string) => ({
  delivered: totalWhere(parcels, `${state} = 'delivered'`),
  returned: totalWhere(parcels, `${state} in ('returning', 'returned')`),
  cash: totalWhere('d.actual_cod_amount', `${state} = 'delivered'`),
});

const column = (name: string, meaning: string, unit: string) =>
  ({ name, header: name, type: 'integer', meaning, unit }) as const;

/** What happened to parcels on each day: not one of the reports, but what the page of a day is made of. */
export const course: Report = {
  name: 'course',
  title: 'Parcels by day',
  definition: ['Shipments by the day of their creation, and by the day on which they were closed.'],
  areas: ['fulfillments'],
  about: 'span',
  byPeriod: true,
  columns: [
    { name: 'period', header: 'period', type: 'period', meaning: 'The day' },
    column('shipped', 'Shipments that were created and are not cancelled', 'parcels'),
    column('delivered', 'Shipments that were delivered', 'parcels'),
    column('returned', 'Shipments that came back', 'parcels'),
    column('cash', 'Cash that was collected', '₫'),
  ],
  sql: (scope) => `with ${periodsTable(scope)},
created as (${perPeriod(
    scope,
    { table: 'daily_parcels', where: "d.state <> 'cancelled'", sums: { shipped: total('d.parcels') } },
    {
      table: 'fulfillments',
      at: 'created_at',
      where: "coalesce(d.shipping_state, '') <> 'cancelled'",
      sums: { shipped: 'count(d.id)' },
    },
  )}),
closed as (${perPeriod(
    scope,
    { table: 'daily_cod', where: '1 = 1', sums: closed('d.parcels', 'd.state') },
    { table: 'fulfillments', at: 'closed_at', where: '1 = 1', sums: closed('1', 'd.shipping_state') },
  )})
select created.period, shipped, delivered, returned, cash
from created join closed on closed.period = created.period order by created.first_day`,
  chart: { kind: 'lines', title: 'Delivered', label: 'period', series: ['delivered'] },
};

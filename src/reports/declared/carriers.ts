import type { Report } from './report.ts';
import { inSpan, total, totalWhere } from './sql.ts';

const sums = (parcels: string, state: string) => `${total(parcels)} as parcels,
  ${totalWhere(parcels, `${state} not in ('holding', 'delivering', 'delivered', 'returning', 'returned', 'undeliverable')`)} as not_picked_up,
  ${totalWhere(parcels, `${state} in ('holding', 'delivering')`)} as in_delivery,
  ${totalWhere(parcels, `${state} = 'delivered'`)} as delivered,
  ${totalWhere(parcels, `${state} in ('returning', 'returned')`)} as returned,
  ${totalWhere(parcels, `${state} = 'undeliverable'`)} as undeliverable,
  ${totalWhere('d.actual_cod_amount', `${state} = 'delivered'`)} as cod_amount,
  ${total('d.actual_shipping_service_fee')} as fees`;

/** A part of a whole in percent with one digit, rounded half up; null of nothing. Exact, as the SQL has it. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.trunc((2000 * part + whole) / (2 * whole)) / 10;

const parcels = (name: string, header: string, meaning: string) =>
  ({ name, header, type: 'integer', unit: 'parcels', meaning, total: 'sum' }) as const;

/** A5 and B4: what each carrier did with its parcels. */
export const carriers: Report = {
  name: 'carriers',
  title: 'Carriers',
  definition: [
    'Shipments by carrier, of those that were created in the span and are not cancelled.',
    'The rate is the delivered ones among those whose end is known: delivered, undeliverable, returned or on the way back. Cash is what was collected for delivered ones, fees what the carrier charged.',
  ],
  areas: ['fulfillments'],
  about: 'span',
  columns: [
    { name: 'carrier', header: 'carrier', type: 'text', meaning: 'The carrier; empty if the service names none' },
    parcels('parcels', 'parcels', 'Shipments that are not cancelled'),
    { ...parcels('not_picked_up', 'not picked up', 'The carrier does not have them yet'), optional: true },
    parcels('in_delivery', 'in delivery', 'At the carrier, or on their way to the buyer'),
    parcels('delivered', 'delivered', 'Delivered'),
    parcels('returned', 'returned', 'Returned, or on their way back'),
    { ...parcels('undeliverable', 'undeliverable', 'Lost, or cannot be delivered'), optional: true },
    {
      name: 'delivered_percent',
      header: 'rate',
      type: 'percent',
      unit: '%',
      meaning: 'Delivered ones among those whose end is known',
      total: ({ delivered, returned, undeliverable }) =>
        percentOf(Number(delivered), Number(delivered) + Number(returned) + Number(undeliverable)),
    },
    {
      name: 'cod_amount',
      header: 'cash',
      type: 'integer',
      unit: 'currency units',
      meaning: 'Cash that was collected',
      total: 'sum',
    },
    {
      name: 'fees',
      header: 'fees',
      type: 'integer',
      unit: 'currency units',
      meaning: 'What the carrier charged',
      total: 'sum',
    },
  ],
  sql: (scope) => {
    const { table, text, shopId, since, until, hasRollups } = scope;
    const from = hasRollups
      ? `select d.carrier, ${sums('d.parcels', 'd.state')}
  from ${table('daily_parcels')} as d
  where d.shop_id = ${text(shopId)} and d.day >= ${text(since)} and d.day < ${text(until)} and d.state <> 'cancelled'
  group by d.carrier`
      : `select coalesce(d.carrier, '') as carrier, ${sums('1', "coalesce(d.shipping_state, '')")}
  from ${table('fulfillments')} as d
  where d.shop_id = ${text(shopId)} and d.deleted_at is null and ${inSpan(scope, 'd.created_at')}
    and coalesce(d.shipping_state, '') <> 'cancelled'
  group by coalesce(d.carrier, '')`;
    return `with sums as (${from}),
ended as (select sums.*, delivered + returned + undeliverable as with_end from sums)
select carrier, parcels, not_picked_up, in_delivery, delivered, returned, undeliverable,
  case when with_end = 0 then null else (2000 * delivered + with_end) / (2 * with_end) / 10.0 end as delivered_percent,
  cod_amount, fees
from ended order by parcels desc, carrier`;
  },
  chart: {
    kind: 'stacked',
    title: 'Parcels of each carrier',
    label: 'carrier',
    series: ['delivered', 'in_delivery', 'not_picked_up', 'returned', 'undeliverable'],
    most: 20,
  },
};

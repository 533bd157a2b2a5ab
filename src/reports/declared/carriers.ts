import type { Report, ReportScope } from './report.ts';
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

const DAY_SECONDS = 86_400;

/** How long each carrier took, and what it charged: only the records say that, the sums per day do not. */
const timesOf = (scope: ReportScope) => {
  const { table, text, shopId, seconds } = scope;
  const known = "d.shipping_state = 'delivered' and d.closed_at is not null";
  return `select coalesce(d.carrier, '') as carrier, ${totalWhere('1', known)} as timed,
  ${totalWhere(seconds('d.created_at', 'd.closed_at'), known)} as took,
  ${totalWhere('1', `${known} and d.closed_at > d.estimated_delivery_at`)} as late,
  ${totalWhere('1', 'd.actual_shipping_service_fee is not null')} as charged
  from ${table('fulfillments')} as d
  where d.shop_id = ${text(shopId)} and d.deleted_at is null and ${inSpan(scope, 'd.created_at')}
    and coalesce(d.shipping_state, '') <> 'cancelled'
  group by coalesce(d.carrier, '')`;
};

const parcels = (name: string, header: string, meaning: string) =>
  ({ name, header, type: 'integer', unit: 'parcels', meaning, total: 'sum' }) as const;

/** A5 and B4: what each carrier did with its parcels. */
export const carriers: Report = {
  name: 'carriers',
  title: 'Carriers',
  definition: [
    'Shipments by carrier, of those that were created in the span and are not cancelled.',
    'The rate is the delivered ones among those whose end is known: delivered, undeliverable, returned or on the way back. Cash is what was collected for delivered ones, fees what the carrier charged.',
    'Days are those from the creation of a delivered shipment until it was closed, on average. Late is how many of these were closed after the expected delivery. The fee each is the fees divided by the shipments that were charged for.',
  ],
  areas: ['fulfillments'],
  about: 'span',
  dated: 'parcels created',
  columns: [
    { name: 'carrier', header: 'carrier', type: 'text', meaning: 'The carrier; empty if the service names none' },
    parcels('parcels', 'created', 'Shipments that are not cancelled'),
    { ...parcels('not_picked_up', 'not picked up', 'The carrier does not have them yet'), optional: true },
    { ...parcels('in_delivery', 'in delivery', 'At the carrier, or on their way to the buyer'), optional: true },
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
      name: 'days',
      header: 'days',
      type: 'decimal',
      unit: 'days',
      meaning: 'From creation to delivery on average; empty if none was delivered',
    },
    parcels('late', 'late', 'Delivered after the expected delivery'),
    {
      name: 'cod_amount',
      header: 'cash',
      type: 'integer',
      unit: '₫',
      meaning: 'Cash that was collected',
      total: 'sum',
    },
    {
      name: 'fees',
      header: 'fees',
      type: 'integer',
      unit: '₫',
      meaning: 'What the carrier charged',
      total: 'sum',
      optional: true,
    },
    {
      name: 'fee_each',
      header: 'fee each',
      type: 'integer',
      unit: '₫',
      meaning: 'Fees per shipment that was charged for, rounded down; empty if none was',
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
times as (${timesOf(scope)}),
ended as (select sums.*, delivered + returned + undeliverable as with_end from sums)
select ended.carrier, parcels, not_picked_up, in_delivery, delivered, returned, undeliverable,
  case when with_end = 0 then null else (2000 * delivered + with_end) / (2 * with_end) / 10.0 end as delivered_percent,
  case when coalesce(timed, 0) = 0 then null else (took + ${DAY_SECONDS / 20} * timed) * 10 / (${DAY_SECONDS} * timed) / 10.0 end as days,
  coalesce(late, 0) as late, cod_amount, fees,
  case when coalesce(charged, 0) = 0 then null else fees / charged end as fee_each
from ended left join times on times.carrier = ended.carrier order by parcels desc, ended.carrier`;
  },
  chart: {
    kind: 'stacked',
    title: 'Parcels of each carrier',
    label: 'carrier',
    series: ['delivered', 'in_delivery', 'not_picked_up', 'returned', 'undeliverable'],
    most: 20,
  },
};

import { say } from '../texts.ts';
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

/** Whether the carrier has a shipment, and the buyer does not. */
const WITH_CARRIER = "d.shipping_state in ('holding', 'delivering', 'undeliverable')";

const DAY_SECONDS = 86_400;

/** How long each carrier took, and what it charged: only the records say that, the sums per day do not. */
const timesOf = (scope: ReportScope) => {
  const { table, text, shopId, seconds } = scope;
  const late = `coalesce(d.platform_payment_status, '') <> 'P' and ${WITH_CARRIER}`;
  const known = "d.shipping_state = 'delivered' and d.closed_at is not null";
  return `select coalesce(d.carrier, '') as carrier, ${totalWhere('1', known)} as timed,
  ${totalWhere(seconds('d.created_at', 'd.closed_at'), known)} as took,
  ${totalWhere('1', `${known} and d.closed_at > d.estimated_delivery_at`)} as late,
  ${totalWhere('1', `${late} and d.estimated_delivery_at < ${scope.moment(scope.now)}`)} as late_now,
  ${totalWhere('1', 'd.actual_shipping_service_fee is not null')} as charged
  from ${table('fulfillments')} as d
  where d.shop_id = ${text(shopId)} and d.deleted_at is null and ${inSpan(scope, 'd.created_at')}
    and coalesce(d.shipping_state, '') <> 'cancelled'
  group by coalesce(d.carrier, '')`;
};

const parcels = (name: string) => ({ name, type: 'integer', unit: 'parcels', total: 'sum' }) as const;

/** A5 and B4: what each carrier did with its parcels. */
export const carriers: Report = {
  name: 'carriers',
  words: () => say().report.carriers,
  areas: ['fulfillments'],
  about: 'span',
  columns: [
    { name: 'carrier', type: 'text' },
    parcels('parcels'),
    { ...parcels('not_picked_up'), optional: true },
    { ...parcels('in_delivery'), optional: true },
    parcels('delivered'),
    parcels('returned'),
    { ...parcels('undeliverable'), optional: true },
    {
      name: 'delivered_percent',
      type: 'percent',
      unit: '%',
      total: ({ delivered, returned, undeliverable }) =>
        percentOf(Number(delivered), Number(delivered) + Number(returned) + Number(undeliverable)),
    },
    {
      name: 'days',
      type: 'decimal',
      unit: 'days',
    },
    parcels('late'),
    parcels('late_now'),
    {
      name: 'cod_amount',
      type: 'integer',
      unit: '₫',
      total: 'sum',
    },
    {
      name: 'fees',
      type: 'integer',
      unit: '₫',
      total: 'sum',
      optional: true,
    },
    {
      name: 'fee_each',
      type: 'integer',
      unit: '₫',
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
  coalesce(late, 0) as late, coalesce(late_now, 0) as late_now, cod_amount, fees,
  case when coalesce(charged, 0) = 0 then null else fees / charged end as fee_each
from ended left join times on times.carrier = ended.carrier order by parcels desc, ended.carrier`;
  },
  chart: {
    kind: 'stacked',
    label: 'carrier',
    series: ['delivered', 'in_delivery', 'not_picked_up', 'returned', 'undeliverable'],
    most: 20,
  },
};

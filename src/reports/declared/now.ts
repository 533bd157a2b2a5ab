import { addDays } from '../../domain/calendar.ts';
import { OPEN, parcelFigures, withOrder } from '../../mirror/store/rollup-tables.ts';
import { CASH, filled, named, parcelColumns, parcelSums, sumsByState, UNSETTLED, unsettledParcels } from './parcels.ts';
import type { Report, ReportColumn, ReportScope } from './report.ts';

const group = (name: string, meaning: string): ReportColumn => ({ name, header: name, type: 'text', meaning });

/** Whether a moment is in the present day of the report's zone. */
const isToday = ({ moment, startOf, today }: ReportScope, column: string) =>
  `(${column} >= ${moment(startOf(today))} and ${column} < ${moment(startOf(addDays(today, 1)))})`;

const inDelivery = "shipping_state in ('holding', 'delivering', 'undeliverable')";

/** A1: what the platform still owes. */
export const unreconciled: Report = {
  name: 'unreconciled',
  title: 'Not yet settled',
  definition: [
    UNSETTLED,
    CASH,
    'Value is the total amount of the order of each shipment. Fees are what the carrier charged, or what was quoted as long as it has not.',
    'Shipments that nobody has picked up yet are not in this report: `states` has them.',
  ],
  areas: ['fulfillments', 'orders'],
  about: 'now',
  columns: [
    group('stage', 'Delivered, undeliverable, returned (or on the way back), or in delivery'),
    ...Object.values(parcelColumns),
  ],
  sql: (scope) => `with sums as (${sumsByState(scope)}),
${named('stages', ['delivered', 'undeliverable', 'returned', 'in_delivery'])}
${filled('stages', 'sums', 'stage')} order by g.place`,
  chart: { kind: 'bars', title: 'Parcels that are not settled', label: 'stage', series: ['parcels'] },
};

/** The rows of `states` that count parcels of another row again. */
const within = new Set(['late_pickup', 'due_today']);

/** A2: where the parcels are. */
export const states: Report = {
  name: 'states',
  title: 'Where the parcels are',
  definition: [
    UNSETTLED,
    'new: the carrier has not been asked to pick it up. picking: it is to be picked up. in_delivery: at the carrier, or on the way to the buyer. returned: returned, or on the way back.',
    'late_pickup counts those of picking whose expected pickup is past, and due_today those in delivery (undeliverable ones too) whose expected delivery is today. Both are counted in another row as well, and so not in the total.',
    CASH,
  ],
  areas: ['fulfillments', 'orders'],
  about: 'now',
  columns: [group('state', 'Where the shipments are'), ...Object.values(parcelColumns)],
  sql: (scope) => `with ${unsettledParcels(scope)},
sums as (${sumsByState(scope)}
union all select 'late_pickup', ${parcelSums} from parcels
  where shipping_state = 'picking' and pickup_at < ${scope.moment(scope.now)}
union all select 'due_today', ${parcelSums} from parcels where ${inDelivery} and ${isToday(scope, 'delivery_at')}),
${named('states', ['new', 'picking', 'late_pickup', 'in_delivery', 'due_today', 'delivered', 'undeliverable', 'returned'])}
${filled('states', 'sums', 'state')} order by g.place`,
  adds: ({ state }) => !within.has(String(state)),
  chart: { kind: 'bars', title: 'Parcels by state', label: 'state', series: ['parcels'] },
};

const days = ['today', 'tomorrow', 'in_2_days', 'in_3_days', 'in_4_days', 'in_5_days', 'in_6_days'];

/** The parcels of the row `late` of `late`, each with whom to call. */
const lateParcels: Report = {
  name: 'late-parcels',
  title: 'Late parcels',
  definition: [
    `${UNSETTLED} Only those that the carrier has and the buyer has not (holding, delivering, undeliverable), and whose expected delivery is past: the row late of the report \`late\`. The latest come first.`,
    CASH,
  ],
  areas: ['fulfillments', 'orders'],
  about: 'now',
  columns: [
    group('parcel', 'Its parcel code'),
    group('recipient', 'Who receives it'),
    group('phone', 'Phone number of the recipient'),
    { name: 'days', header: 'days', type: 'integer', unit: 'days', meaning: 'Whole days since the expected delivery' },
    group('state', 'Its state'),
    { ...group('carrier', 'The carrier'), optional: true },
    { ...group('order', "The shop's own code of its order, or else the service's"), optional: true },
    parcelColumns.cash,
  ],
  sql: (scope) => {
    const { table, text, shopId, moment, now, seconds } = scope;
    const latest = moment(now);
    return `select coalesce(f.shipping_code, '') as parcel, coalesce(a.full_name, '') as recipient,
  coalesce(a.phone, '') as phone, ${seconds('f.estimated_delivery_at', latest)} / 86400 as days,
  f.shipping_state as state, coalesce(f.carrier, '') as carrier,
  coalesce(nullif(o.external_id, ''), o.code, '') as "order", ${parcelFigures.cash} as cash
from ${withOrder(scope)}
left join ${table('fulfillment_addresses')} as a
  on a.fulfillment_id = f.id and a.kind = 'shipping' and a.shop_id = f.shop_id
where f.shop_id = ${text(shopId)} and f.deleted_at is null and ${OPEN} and f.${inDelivery}
  and f.estimated_delivery_at < ${latest}
order by f.estimated_delivery_at, f.id`;
  },
  chart: { kind: 'bars', title: 'Days late', label: 'parcel', series: ['days'], most: 20 },
};

/** A3: when the parcels should arrive. */
export const late: Report = {
  name: 'late',
  title: 'Expected deliveries',
  definition: [
    `${UNSETTLED} Only those that the carrier has and the buyer has not: holding, delivering, undeliverable.`,
    'late: the expected delivery is past. today: it is later today. The other rows are the days that follow, later is the seventh day and on, and unknown has no expected delivery. The present is the moment up to which the mirror is complete.',
    CASH,
  ],
  areas: ['fulfillments', 'orders'],
  about: 'now',
  columns: [group('expected', 'When the shipments should be delivered'), ...Object.values(parcelColumns)],
  sql: (scope) => {
    const { moment, startOf, today, now } = scope;
    const cases = days.map(
      (name, index) => `when delivery_at < ${moment(startOf(addDays(today, index + 1)))} then '${name}'`,
    );
    return `with ${unsettledParcels(scope)},
expected as (select case when delivery_at is null then 'unknown' when delivery_at < ${moment(now)} then 'late'
    ${cases.join('\n    ')}
    else 'later' end as name, value, cash, cod, fee from parcels where ${inDelivery}),
sums as (select name, ${parcelSums} from expected group by name),
${named('times', ['late', ...days, 'later', 'unknown'])}
${filled('times', 'sums', 'expected')} order by g.place`;
  },
  list: lateParcels,
  chart: { kind: 'bars', title: 'Parcels by expected delivery', label: 'expected', series: ['parcels'] },
};

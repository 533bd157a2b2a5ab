import { addDays } from '../../domain/calendar.ts';
import { OPEN, parcelFigures, withOrder } from '../../mirror/store/rollup-tables.ts';
import { CASH, filled, named, parcelColumns, parcelSums, sumsByState, UNSETTLED, unsettledParcels } from './parcels.ts';
import type { Report, ReportColumn, ReportScope } from './report.ts';
import { inSpan } from './sql.ts';

const group = (name: string, meaning: string): ReportColumn => ({ name, header: name, type: 'text', meaning });

/** Whether a moment is in the present day of the report's zone. */
const isToday = ({ moment, startOf, today }: ReportScope, column: string) =>
  `(${column} >= ${moment(startOf(today))} and ${column} < ${moment(startOf(addDays(today, 1)))})`;

const WITH_CARRIER = "'holding', 'delivering', 'undeliverable'";
const inDelivery = `shipping_state in (${WITH_CARRIER})`;

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

const { cash } = parcelColumns;
const quotedFee: ReportColumn = { ...parcelColumns.fees, header: 'fee', meaning: 'What was quoted for the delivery' };

/** The amounts that a list of parcels may have. */
const amounts = new Map([
  [cash, parcelFigures.cash],
  [quotedFee, 'coalesce(f.shipping_service_fee, 0)'],
]);

const whom = [group('recipient', 'Who receives it'), group('phone', 'Phone number of the recipient')];
const shopCode = group('order', "The shop's own code of its order, or else the service's");
const ownCode = `coalesce(nullif(o.external_id, ''), o.code, '') as "order"`;

/** Shipments `f` that meet a condition, with whom to call and the days since one of their dates, the longest first. */
const parcelList = (
  report: Pick<Report, 'name' | 'title' | 'definition' | 'about' | 'dated'>,
  [date, meaning]: readonly [column: string, meaning: string],
  where: (scope: ReportScope) => string,
  amount = cash,
): Report => ({
  ...report,
  areas: ['fulfillments', 'orders'],
  columns: [
    group('parcel', 'Its parcel code'),
    ...whom,
    { name: 'days', header: 'days', type: 'integer', unit: 'days', meaning: `Whole days since ${meaning}` },
    group('state', 'Its state'),
    { ...group('carrier', 'The carrier'), optional: true },
    { ...shopCode, optional: true },
    amount,
  ],
  sql: (scope) => `select coalesce(f.shipping_code, '') as parcel, coalesce(a.full_name, '') as recipient,
  coalesce(a.phone, '') as phone, ${scope.seconds(`f.${date}`, scope.moment(scope.now))} / 86400 as days,
  coalesce(f.shipping_state, '') as state, coalesce(f.carrier, '') as carrier,
  ${ownCode}, ${amounts.get(amount)} as ${amount.name}
from ${withOrder(scope)}
left join ${scope.table('fulfillment_addresses')} as a
  on a.fulfillment_id = f.id and a.kind = 'shipping' and a.shop_id = f.shop_id
where f.shop_id = ${scope.text(scope.shopId)} and f.deleted_at is null and ${where(scope)}
order by f.${date}, f.id`,
  chart: { kind: 'bars', title: report.title, label: 'parcel', series: ['days'], most: 20 },
});

const expected = ['estimated_delivery_at', 'the expected delivery'] as const;

/** The parcels of the row `late` of `late`. */
const lateParcels = parcelList(
  {
    name: 'late-parcels',
    title: 'Late parcels',
    definition: [
      `${UNSETTLED} Only those that the carrier has and the buyer has not (holding, delivering, undeliverable), and whose expected delivery is past: the row late of the report \`late\`. The latest come first.`,
      CASH,
    ],
    about: 'now',
  },
  expected,
  ({ moment, now }) => `${OPEN} and f.${inDelivery} and f.estimated_delivery_at < ${moment(now)}`,
);

/** What a list is called after the figure that it is behind. */
const after = (figure: string) => ({
  name: figure.replaceAll(' ', '-'),
  title: `${figure.charAt(0).toUpperCase()}${figure.slice(1)}`,
});

const openList = (figure: string, date: readonly [string, string], where: (scope: ReportScope) => string): Report =>
  parcelList(
    { ...after(figure), definition: [UNSETTLED, CASH], about: 'now' },
    date,
    (scope) => `${OPEN} and ${where(scope)}`,
  );

const madeOn = ['created_at', 'it was created'] as const;
const closedOn = ['closed_at', 'it was closed'] as const;

const dayList = (figure: string, date: readonly [string, string], where: string, amount = cash): Report => {
  const dated = date === madeOn ? 'parcels created' : 'parcels closed';
  const definition = `Shipments by the day, ${dated}.`;
  return parcelList(
    { ...after(figure), definition: [definition], about: 'span', dated },
    date,
    (scope) => `${where} and ${inSpan(scope, `f.${date[0]}`)}`,
    amount,
  );
};

const orderList = (figure: string): Report => ({
  ...after(figure),
  definition: ['Orders that were created on the day and are not cancelled (status N).'],
  areas: ['orders'],
  about: 'span',
  dated: 'orders created',
  columns: [
    shopCode,
    ...whom,
    group('status', 'Its status'),
    { ...cash, name: 'revenue', header: 'revenue', meaning: 'Its total amount' },
  ],
  sql: (scope) => `select ${ownCode}, coalesce(a.full_name, '') as recipient, coalesce(a.phone, '') as phone,
  coalesce(o.status, '') as status, coalesce(o.total_amount, 0) as revenue
from ${scope.table('orders')} as o
left join ${scope.table('order_addresses')} as a on a.order_id = o.id and a.kind = 'shipping' and a.shop_id = o.shop_id
where o.shop_id = ${scope.text(scope.shopId)} and o.deleted_at is null and coalesce(o.status, '') <> 'N'
  and ${inSpan(scope, 'o.created_at')}
order by o.created_at, o.id`,
  chart: { kind: 'bars', title: after(figure).title, label: 'order', series: ['revenue'], most: 20 },
});

const SHIPPED = "coalesce(f.shipping_state, '') <> 'cancelled'";
const DELIVERED = "f.shipping_state = 'delivered'";

/** The records behind the figures of `day`, each list named after its figure. */
export const dayLists: readonly Report[] = [
  orderList('new orders'),
  orderList('revenue'),
  dayList('shipped', madeOn, SHIPPED),
  dayList('delivery fees', madeOn, SHIPPED, quotedFee),
  dayList('delivered', closedOn, DELIVERED),
  dayList('returned', closedOn, "f.shipping_state in ('returning', 'returned')"),
  dayList('cash collected', closedOn, `${DELIVERED} and f.actual_cod_amount <> 0`),
  openList(
    'to be picked up',
    madeOn,
    () => `coalesce(f.shipping_state, '') not in (${WITH_CARRIER}, 'delivered', 'returning', 'returned')`,
  ),
  openList(
    'late pickups',
    ['estimated_pickup_at', 'the expected pickup'],
    ({ moment, now }) => `f.shipping_state = 'picking' and f.estimated_pickup_at < ${moment(now)}`,
  ),
  openList('in delivery', madeOn, () => "f.shipping_state in ('holding', 'delivering')"),
  openList('due today', madeOn, (scope) => `f.${inDelivery} and ${isToday(scope, 'f.estimated_delivery_at')}`),
  { ...lateParcels, ...after('late deliveries') },
  openList('cash outstanding', closedOn, () => `${DELIVERED} and f.actual_cod_amount <> 0`),
];

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

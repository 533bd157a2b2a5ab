import { addDays } from '../../domain/calendar.ts';
import { OPEN, parcelFigures, withOrder } from '../../mirror/store/rollup-tables.ts';
import { type ReportWords, type reportsTexts, say } from '../texts.ts';
import { filled, named, parcelColumns, parcelSums, sumsByState, unsettledParcels } from './parcels.ts';
import type { Report, ReportColumn, ReportScope } from './report.ts';
import { inSpan } from './sql.ts';

const column = (name: string): ReportColumn => ({ name, type: 'text' });
const group = (name: string): ReportColumn => ({ ...column(name), isOfCodes: true });

/** Whether a moment is in the present day of the report's zone. */
const isToday = ({ moment, startOf, today }: ReportScope, column: string) =>
  `(${column} >= ${moment(startOf(today))} and ${column} < ${moment(startOf(addDays(today, 1)))})`;

const WITH_CARRIER = "'holding', 'delivering', 'undeliverable'";
const inDelivery = `shipping_state in (${WITH_CARRIER})`;
/** Whether the carrier does not have a shipment yet, asked to fetch it or not. */
const notPickedUp = (state: string) =>
  `coalesce(${state}, '') not in (${WITH_CARRIER}, 'delivered', 'returning', 'returned')`;

/** A1: what the platform still owes. */
export const unreconciled: Report = {
  name: 'unreconciled',
  words: () => say().report.unreconciled,
  isOfSettlement: true,
  areas: ['fulfillments', 'orders'],
  about: 'now',
  columns: [group('stage'), ...Object.values(parcelColumns)],
  sql: (scope) => `with sums as (${sumsByState(scope)}),
${named('stages', ['delivered', 'undeliverable', 'returned', 'in_delivery'])}
${filled('stages', 'sums', 'stage')} order by g.place`,
  chart: { kind: 'bars', label: 'stage', series: ['parcels'] },
};

/** The rows of `states` that count parcels of another row again. */
const within = new Set(['late_pickup', 'due_today']);

/** A2: where the parcels are. */
export const states: Report = {
  name: 'states',
  words: () => say().report.states,
  areas: ['fulfillments', 'orders'],
  about: 'now',
  columns: [group('state'), ...Object.values(parcelColumns)],
  sql: (scope) => `with ${unsettledParcels(scope)},
sums as (${sumsByState(scope)}
union all select 'late_pickup', ${parcelSums} from parcels
  where ${notPickedUp('shipping_state')} and pickup_at < ${scope.moment(scope.now)}
union all select 'due_today', ${parcelSums} from parcels where ${inDelivery} and ${isToday(scope, 'delivery_at')}),
${named('states', ['new', 'picking', 'late_pickup', 'in_delivery', 'due_today', 'delivered', 'undeliverable', 'returned'])}
${filled('states', 'sums', 'state')} order by g.place`,
  adds: ({ state }) => !within.has(String(state)),
  chart: { kind: 'bars', label: 'state', series: ['parcels'] },
};

const days = ['today', 'tomorrow', 'in_2_days', 'in_3_days', 'in_4_days', 'in_5_days', 'in_6_days'];

const { cash } = parcelColumns;
const quotedFee: ReportColumn = parcelColumns.fees;

/** The amounts that a list of parcels may have. */
const amounts = new Map([
  [cash, parcelFigures.cash],
  [quotedFee, 'coalesce(f.shipping_service_fee, 0)'],
]);

const whom = [column('recipient'), { ...column('phone'), isWhole: true }];
const shopCode: ReportColumn = { ...column('order'), isWhole: true };
const ownCode = `coalesce(nullif(o.external_id, ''), o.code, '') as "order"`;

/** What people read of a list, besides its columns. */
type ListWords = Pick<ReportWords, 'title' | 'definition' | 'dated'>;

/** A date of a shipment from which days are counted. */
type DateColumn = keyof (typeof reportsTexts)['list']['days'];

/** Shipments `f` that meet a condition, with whom to call and the days since one of their dates, the longest first. */
const parcelList = (
  { name, about, said }: Pick<Report, 'name' | 'about'> & { readonly said: () => ListWords },
  date: DateColumn,
  where: (scope: ReportScope) => string,
  amount = cash,
): Report => ({
  name,
  about,
  words: () => {
    const { columns, days, daysHeader } = say().list;
    const own = said();
    return { ...own, columns: { ...columns, days: { header: daysHeader, meaning: days[date] } }, chart: own.title };
  },
  areas: ['fulfillments', 'orders'],
  columns: [
    column('parcel'),
    ...whom,
    { name: 'days', type: 'integer', unit: 'days' },
    { ...group('state'), optional: true },
    { ...column('carrier'), optional: true },
    shopCode,
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
  chart: { kind: 'bars', label: 'parcel', series: ['days'], most: 20 },
});

/** The parcels of the row `late` of `late`. */
const lateParcels = (name: string, title: () => string): Report =>
  parcelList(
    { name, about: 'now', said: () => ({ title: title(), definition: say().list.lateDefinition }) },
    'estimated_delivery_at',
    ({ moment, now }) => `${OPEN} and f.${inDelivery} and f.estimated_delivery_at < ${moment(now)}`,
  );

/** What a list is called after the figure that it is behind. */
const nameAfter = (figure: string) => figure.replaceAll(' ', '-');
function titleAfter(figure: string): string {
  const word = say().figure[figure] ?? figure;
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

const openList = (figure: string, date: DateColumn, where: (scope: ReportScope) => string): Report =>
  parcelList(
    {
      name: nameAfter(figure),
      about: 'now',
      said: () => ({ title: titleAfter(figure), definition: say().list.open }),
    },
    date,
    (scope) => `${OPEN} and ${where(scope)}`,
  );

const dayList = (figure: string, date: 'created_at' | 'closed_at', where: string, amount = cash): Report =>
  parcelList(
    {
      name: nameAfter(figure),
      about: 'span',
      said() {
        const { list, dated } = say();
        const title = titleAfter(figure);
        return date === 'created_at'
          ? { title, definition: list.created, dated: dated.parcelsCreated }
          : { title, definition: list.closed, dated: dated.parcelsClosed };
      },
    },
    date,
    (scope) => `${where} and ${inSpan(scope, `f.${date}`)}`,
    amount,
  );

const orderList = (figure: string): Report => ({
  name: nameAfter(figure),
  words: () => {
    const { list, dated } = say();
    const title = titleAfter(figure);
    return { title, definition: list.orders, dated: dated.ordersCreated, columns: list.columns, chart: title };
  },
  areas: ['orders'],
  about: 'span',
  columns: [shopCode, ...whom, group('status'), { ...cash, name: 'revenue' }],
  sql: (scope) => `select ${ownCode}, coalesce(a.full_name, '') as recipient, coalesce(a.phone, '') as phone,
  coalesce(o.status, '') as status, coalesce(o.total_amount, 0) as revenue
from ${scope.table('orders')} as o
left join ${scope.table('order_addresses')} as a on a.order_id = o.id and a.kind = 'shipping' and a.shop_id = o.shop_id
where o.shop_id = ${scope.text(scope.shopId)} and o.deleted_at is null and coalesce(o.status, '') <> 'N'
  and ${inSpan(scope, 'o.created_at')}
order by o.created_at, o.id`,
  chart: { kind: 'bars', label: 'order', series: ['revenue'], most: 20 },
});

const SHIPPED = "coalesce(f.shipping_state, '') <> 'cancelled'";
const DELIVERED = "f.shipping_state = 'delivered'";

/** The records behind the figures of `day`, each list named after its figure. */
export const dayLists: readonly Report[] = [
  orderList('new orders'),
  orderList('revenue'),
  dayList('shipped', 'created_at', SHIPPED),
  dayList('delivery fees', 'created_at', SHIPPED, quotedFee),
  dayList('delivered', 'closed_at', DELIVERED),
  dayList('returned', 'closed_at', "f.shipping_state in ('returning', 'returned')"),
  dayList('cash collected', 'closed_at', `${DELIVERED} and f.actual_cod_amount <> 0`),
  openList('to be picked up', 'created_at', () => notPickedUp('f.shipping_state')),
  openList(
    'late pickups',
    'estimated_pickup_at',
    ({ moment, now }) => `${notPickedUp('f.shipping_state')} and f.estimated_pickup_at < ${moment(now)}`,
  ),
  openList('in delivery', 'created_at', () => "f.shipping_state in ('holding', 'delivering')"),
  openList('due today', 'created_at', (scope) => `f.${inDelivery} and ${isToday(scope, 'f.estimated_delivery_at')}`),
  lateParcels(nameAfter('late deliveries'), () => titleAfter('late deliveries')),
  {
    ...openList('cash outstanding', 'closed_at', () => `${DELIVERED} and f.actual_cod_amount <> 0`),
    isOfSettlement: true,
  },
];

/** A3: when the parcels should arrive. */
export const late: Report = {
  name: 'late',
  words: () => say().report.late,
  areas: ['fulfillments', 'orders'],
  about: 'now',
  columns: [group('expected'), ...Object.values(parcelColumns)],
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
  list: lateParcels('late-parcels', () => say().list.lateParcels),
  chart: { kind: 'bars', label: 'expected', series: ['parcels'] },
};

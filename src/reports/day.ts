import { addDays, dayInZone } from '../domain/calendar.ts';
import type { Mirror } from '../mirror/store/mirror.ts';
import { createKeys, dropKeys, KEYS, type PaymentNames } from '../mirror/store/payment-parcels.ts';
import { OPEN } from '../mirror/store/rollup-tables.ts';
import { late, states, unreconciled } from './declared/now.ts';
import type { Report, ReportRow } from './declared/report.ts';
import { sales } from './declared/sales.ts';
import { periodsTable, perPeriod, total, totalWhere } from './declared/sql.ts';
import { prepareReport, type ReportResult, runReport } from './run-report.ts';
import { say } from './texts.ts';

const closed = (parcels: string, state: string) => ({
  delivered: totalWhere(parcels, `${state} = 'delivered'`),
  returned: totalWhere(parcels, `${state} in ('returning', 'returned')`),
  cash: totalWhere('d.actual_cod_amount', `${state} = 'delivered'`),
});

const column = (name: string, unit: string) => ({ name, type: 'integer', unit }) as const;

/** What happened to parcels on each day: not one of the reports, but what the page of a day is made of. */
const course: Report = {
  name: 'course',
  words: () => say().report.course,
  areas: ['fulfillments'],
  about: 'span',
  byPeriod: true,
  columns: [
    { name: 'period', type: 'period' },
    column('shipped', 'parcels'),
    column('quoted', '₫'),
    column('delivered', 'parcels'),
    column('returned', 'parcels'),
    column('cash', '₫'),
  ],
  sql: (scope) => `with ${periodsTable(scope)},
created as (${perPeriod(
    scope,
    {
      table: 'daily_parcels',
      where: "d.state <> 'cancelled'",
      sums: { shipped: total('d.parcels'), quoted: total('d.shipping_service_fee') },
    },
    {
      table: 'fulfillments',
      at: 'created_at',
      where: "coalesce(d.shipping_state, '') <> 'cancelled'",
      sums: { shipped: 'count(d.id)', quoted: total('d.shipping_service_fee') },
    },
  )}),
closed as (${perPeriod(
    scope,
    { table: 'daily_cod', where: '1 = 1', sums: closed('d.parcels', 'd.state') },
    { table: 'fulfillments', at: 'closed_at', where: '1 = 1', sums: closed('1', 'd.shipping_state') },
  )})
select created.period, shipped, quoted, delivered, returned, cash
from created join closed on closed.period = created.period order by created.first_day`,
  chart: { kind: 'lines', label: 'period', series: ['delivered'] },
};

/** One figure of a day. */
export interface DayFigure {
  readonly figure: string;
  /** Whether it is of the day, or of the present moment. */
  readonly about: 'day' | 'now';
  readonly value: number;
  /** The day before; null for a figure of the present. */
  readonly before: number | null;
  /** What it counts. */
  readonly unit: string;
  /** The same figure on each of the last 14 days, the day itself last; empty for a figure of the present. */
  readonly trend: readonly number[];
}

/** A day of a shop. */
export interface DayOfShop {
  readonly day: string;
  readonly tz: string;
  /** The moment up to which the mirror is complete, ISO 8601. */
  readonly complete_until: string;
  readonly figures: readonly DayFigure[];
}

const TREND_DAYS = 14;

const numbersOf = (rows: readonly ReportRow[], name: string) => rows.map((row) => Number(row[name] ?? 0));

/** A figure of each of the last days. */
function ofDay(figure: string, unit: string, trend: readonly number[]): DayFigure {
  return { figure, about: 'day', value: trend.at(-1) ?? 0, before: trend.at(-2) ?? 0, unit, trend };
}

/** A figure of the present: a column of the rows that a report has for a group, or for several. */
function ofNow(
  figure: string,
  unit: string,
  { rows }: ReportResult,
  [group, column, ...names]: readonly string[],
): DayFigure {
  const of = rows.filter((row) => names.includes(String(row[group ?? ''])));
  const value = of.reduce((sum, row) => sum + Number(row[column ?? ''] ?? 0), 0);
  return { figure, about: 'now', value, before: null, unit, trend: [] };
}

/**
 * The figures of a day; that of the moment up to which the mirror is complete when absent. `copiedAt` is when the copy
 * began, by this machine's clock. Throws NeverSynced.
 */
export async function dayOfShop(
  mirror: Mirror,
  shopId: string,
  asked: { readonly day?: string | undefined; readonly timeZone: string },
): Promise<{ readonly shown: DayOfShop; readonly copiedAt: number }> {
  const { timeZone } = asked;
  const present = await prepareReport(mirror, shopId, { report: states, timeZone });
  const day = asked.day ?? dayInZone(present.scope.now, timeZone);
  const span = { since: addDays(day, 1 - TREND_DAYS), until: addDays(day, 1), by: 'day' as const, timeZone };
  const run = async (report: Report) => runReport(mirror, await prepareReport(mirror, shopId, { report, ...span }));
  const [sold, moved, state, due, owed] = [
    await run(sales),
    await run(course),
    await runReport(mirror, present),
    await run(late),
    await run(unreconciled),
  ];
  const [parcels, money] = ['parcels', '₫'];
  const shown: DayOfShop = {
    day,
    tz: timeZone,
    complete_until: state.complete_until,
    figures: [
      ofDay('new orders', 'orders', numbersOf(sold.rows, 'orders')),
      ofDay('revenue', money, numbersOf(sold.rows, 'revenue')),
      ofDay('shipped', parcels, numbersOf(moved.rows, 'shipped')),
      ofDay('delivery fees', money, numbersOf(moved.rows, 'quoted')),
      ofDay('delivered', parcels, numbersOf(moved.rows, 'delivered')),
      ofDay('returned', parcels, numbersOf(moved.rows, 'returned')),
      ofDay('cash collected', money, numbersOf(moved.rows, 'cash')),
      ofNow('to be picked up', parcels, state, ['state', 'parcels', 'new', 'picking']),
      ofNow('late pickups', parcels, state, ['state', 'parcels', 'late_pickup']),
      ofNow('in delivery', parcels, state, ['state', 'parcels', 'in_delivery']),
      ofNow('due today', parcels, state, ['state', 'parcels', 'due_today']),
      ofNow('late deliveries', parcels, due, ['expected', 'parcels', 'late']),
      ofNow('cash outstanding', money, owed, ['stage', 'cash', 'delivered']),
    ],
  };
  return { shown, copiedAt: present.copiedAt };
}

/**
 * What imported payment files have paid of the cash that is outstanding by the platform's account, as the mirror has them: of each parcel
 * at most what is due for it. `dayOf` is as for a reconciliation.
 */
export function paidByFiles(mirror: Mirror, names: PaymentNames): Promise<number> {
  const due = 'coalesce(f.actual_cod_amount, f.cod_amount, 0)';
  const sum = `select coalesce(sum(case when k.paid > ${due} then ${due} else k.paid end), 0) as paid
    from ${KEYS} as k join ${mirror.dialect.table('fulfillments')} as f on f.id = k.found and f.shop_id = ?
    where k.part <> 'one' and f.deleted_at is null and f.shipping_state = 'delivered' and ${OPEN}`;
  return mirror.write(async (session) => {
    try {
      await createKeys(session, mirror, names);
      const [row] = await session.run(sum, [names.shopId]);
      return Number(row?.paid ?? 0);
    } finally {
      await dropKeys(session);
    }
  });
}

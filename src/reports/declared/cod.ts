import { say } from '../texts.ts';
import type { Report } from './report.ts';
import { periodsTable, perPeriod, total, totalWhere } from './sql.ts';

const RETURNED = "in ('returning', 'returned')";
const OVER = "in ('delivered', 'undeliverable', 'returning', 'returned')";

const sums = (parcels: string, state: string, payment: string) => {
  const collected = (rest: string) => totalWhere('d.actual_cod_amount', `${state} = 'delivered'${rest}`);
  return {
    delivered: totalWhere(parcels, `${state} = 'delivered'`),
    undeliverable: totalWhere(parcels, `${state} = 'undeliverable'`),
    returned: totalWhere(parcels, `${state} ${RETURNED}`),
    cod_amount: collected(''),
    fees: total('d.actual_shipping_service_fee'),
    settled: collected(` and ${payment} = 'P'`),
  };
};

const money = '₫';

/** B7 and B8: cash on delivery, and what of it has arrived. */
export const cod: Report = {
  name: 'cod',
  words: () => say().report.cod,
  areas: ['fulfillments'],
  about: 'span',
  byPeriod: true,
  isOfSettlement: true,
  columns: [
    { name: 'period', type: 'period' },
    {
      name: 'delivered',
      type: 'integer',
      unit: 'parcels',
      total: 'sum',
    },
    {
      name: 'undeliverable',
      type: 'integer',
      unit: 'parcels',
      total: 'sum',
      optional: true,
    },
    {
      name: 'returned',
      type: 'integer',
      unit: 'parcels',
      total: 'sum',
    },
    {
      name: 'cod_amount',
      type: 'integer',
      unit: money,
      total: 'sum',
    },
    {
      name: 'fees',
      type: 'integer',
      unit: money,
      total: 'sum',
    },
    {
      name: 'payout',
      type: 'integer',
      unit: money,
      total: 'sum',
      optional: true,
    },
    {
      name: 'settled',
      type: 'integer',
      unit: money,
      total: 'sum',
    },
    {
      name: 'outstanding',
      type: 'integer',
      unit: money,
      total: 'sum',
    },
  ],
  sql: (scope) => `with ${periodsTable(scope)},
sums as (${perPeriod(
    scope,
    { table: 'daily_parcels', where: `d.state ${OVER}`, sums: sums('d.parcels', 'd.state', 'd.payment') },
    {
      table: 'fulfillments',
      at: 'created_at',
      where: `d.shipping_state ${OVER}`,
      sums: sums('1', 'd.shipping_state', 'd.platform_payment_status'),
    },
  )})
select period, delivered, undeliverable, returned, cod_amount, fees, cod_amount - fees as payout, settled,
  cod_amount - settled as outstanding
from sums order by first_day`,
  chart: {
    kind: 'stacked',
    label: 'period',
    series: ['settled', 'outstanding'],
  },
};

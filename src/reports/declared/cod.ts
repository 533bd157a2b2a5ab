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
  title: 'Cash on delivery',
  definition: [
    'Shipments by the day on which they were created that are delivered, undeliverable, or on their way back. Shipments still in delivery do not count yet. What was collected on a day, whenever its shipments were created, is `cash collected` of the command `day`.',
    'Cash on delivery is what the carrier has collected for delivered shipments: a returned or undeliverable one brings none. Fees are what the carrier charged for all of them.',
    'Settled means that the platform has paid it out (platform_payment_status P); the rest is outstanding. The payout may be negative where fees exceed the cash.',
    'A compensation for a lost parcel is not in the records of the service, and so not in here.',
  ],
  areas: ['fulfillments'],
  about: 'span',
  dated: 'parcels created',
  byPeriod: true,
  columns: [
    { name: 'period', header: 'created', type: 'period', meaning: 'The day, the week from Monday, or the month' },
    {
      name: 'delivered',
      header: 'delivered',
      type: 'integer',
      unit: 'parcels',
      meaning: 'Shipments that were delivered',
      total: 'sum',
    },
    {
      name: 'undeliverable',
      header: 'undeliverable',
      type: 'integer',
      unit: 'parcels',
      meaning: 'Shipments that were lost or cannot be delivered',
      total: 'sum',
      optional: true,
    },
    {
      name: 'returned',
      header: 'returned',
      type: 'integer',
      unit: 'parcels',
      meaning: 'Shipments that came back, or are on their way back',
      total: 'sum',
    },
    {
      name: 'cod_amount',
      header: 'cash',
      type: 'integer',
      unit: money,
      meaning: 'Cash that was collected',
      total: 'sum',
    },
    {
      name: 'fees',
      header: 'fees',
      type: 'integer',
      unit: money,
      meaning: 'What the carrier charged for these shipments',
      total: 'sum',
    },
    {
      name: 'payout',
      header: 'payout',
      type: 'integer',
      unit: money,
      meaning: 'Cash less fees',
      total: 'sum',
      optional: true,
    },
    {
      name: 'settled',
      header: 'settled',
      type: 'integer',
      unit: money,
      meaning: 'Cash that was paid out',
      total: 'sum',
    },
    {
      name: 'outstanding',
      header: 'outstanding',
      type: 'integer',
      unit: money,
      meaning: 'Cash that was not paid out yet',
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
    title: 'Cash on delivery, settled and outstanding',
    label: 'period',
    series: ['settled', 'outstanding'],
  },
};

import { type ComparedService, perDayWords } from '../../flows/quotes.ts';
import type { Invocation } from '../command.ts';
import type { View } from '../document.ts';
import { howToPrint } from '../how-to-print.ts';
import { printTable } from '../print/table.ts';
import { tell } from './ask.ts';

/** Narrow enough for 80 columns; which offer is the cheapest or the fastest stands in the question below. */
const view: View = {
  columns: [
    { path: 'fee', kind: 'number' },
    { path: 'carrier' },
    { path: 'name', header: 'service' },
    { path: 'estimated_pickup_at', header: 'pickup', kind: 'time' },
    { path: 'estimated_delivery_at', header: 'delivery', kind: 'time' },
    { path: 'hours', kind: 'number' },
    { path: 'fee_per_day_saved', header: '/day', kind: 'number' },
  ],
  name: 'fee',
};

/** Shows the offers side by side on stderr, above the question for one of them. */
export async function showOffers(invocation: Invocation, services: readonly ComparedService[]): Promise<void> {
  const { context, session } = invocation;
  const { fields: _, query: __, ...settings } = await howToPrint(context, session);
  const { columns = 80 } = context.stderr;
  const named = services.map((service) => ({ ...service, carrier: service.carrier_info?.name || service.carrier }));
  await printTable(named, view, { ...settings, columns, terminal: true }, context.stderr);
  if (services.some(({ fee_per_day_saved: perDay }) => perDay !== null)) await tell(invocation, `/DAY: ${perDayWords}`);
}

import type { Ports } from '../../action/ports.ts';
import type { View } from '../../contract/view.ts';
import { type ComparedService, perDayWords } from '../quotes.ts';

/** Narrow enough for 80 columns; the question below says which offer is the cheapest or the fastest. */
const view: View = {
  columns: [
    { path: 'fee', kind: 'number' },
    { path: 'carrier' },
    { path: 'name', header: 'service' },
    { path: 'estimated_pickup_at', header: 'pickup', kind: 'time', optional: true },
    { path: 'estimated_delivery_at', header: 'delivery', kind: 'time' },
    { path: 'hours', kind: 'number', optional: true },
    { path: 'fee_per_day_saved', header: '/day', kind: 'number', optional: true },
  ],
  name: 'fee',
};

/** Shows a table of offers above the question that chooses one. */
export async function showOffers({ person }: Ports, services: readonly ComparedService[]): Promise<void> {
  const named = services.map((service) => ({ ...service, carrier: service.carrier_info?.name || service.carrier }));
  const shown = await person.show(named, view);
  const isShown = shown.includes('fee_per_day_saved');
  if (isShown && services.some(({ fee_per_day_saved: perDay }) => perDay !== null)) {
    await person.tell(`/DAY: ${perDayWords}`);
  }
}

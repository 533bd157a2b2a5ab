import type * as z from 'zod';
import type { shippingService } from '../contract/records/service.ts';

export type Service = z.output<typeof shippingService>;

/** An offer beside the others: how long it takes, and whether it is the cheapest or the fastest. */
export type ComparedService = Service & {
  /** Whole hours from the pickup to the delivery, as estimated; null where the service does not say. */
  readonly hours: number | null;
  readonly marks: readonly ('cheapest' | 'fastest')[];
};

function hoursOf({ estimated_pickup_at: pickup, estimated_delivery_at: delivery }: Service): number | null {
  if (!pickup || !delivery) return null;
  const hours = (Date.parse(delivery) - Date.parse(pickup)) / 3_600_000;
  return Number.isFinite(hours) ? Math.round(hours) : null;
}

function leastOf(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** The moment of delivery as a number to compare by; null where the service does not say. */
function deliveryOf({ estimated_delivery_at: delivery }: Service): number | null {
  const moment = Date.parse(delivery ?? '');
  return Number.isFinite(moment) ? moment : null;
}

/** Puts the offers side by side, the cheapest first; several may share a mark. The fastest is the one delivered first. */
export function compareQuotes(services: readonly Service[]): ComparedService[] {
  const cheapest = leastOf(services.map(({ fee }) => fee ?? null));
  const fastest = leastOf(services.map(deliveryOf));
  const compared = services.map((service) => {
    const marks: ComparedService['marks'][number][] = [];
    if (cheapest !== undefined && service.fee === cheapest) marks.push('cheapest');
    if (fastest !== undefined && deliveryOf(service) === fastest) marks.push('fastest');
    return { ...service, hours: hoursOf(service), marks };
  });
  return compared.sort((one, other) => (one.fee ?? Infinity) - (other.fee ?? Infinity));
}

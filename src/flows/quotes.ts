import type * as z from 'zod';
import type { shippingService } from '../contract/records/service.ts';

export type Service = z.output<typeof shippingService>;

/** What an offer may be the most of. */
export type QuoteMark = 'cheapest' | 'fastest' | 'best_value';

/** An offer beside the others: how long it takes, what its speed costs, and whether it is the most of something. */
export type ComparedService = Service & {
  /** Whole hours from the pickup to the delivery, as estimated; null where the service does not say. */
  readonly hours: number | null;
  /**
   * What each day costs by which it is delivered before the cheapest offer, rounded to whole currency units; null where
   * it is not delivered before it.
   */
  readonly fee_per_day_saved: number | null;
  readonly marks: readonly QuoteMark[];
};

/** What `fee_per_day_saved` says, for a person. */
export const perDayWords = 'what each day costs by which it arrives before the cheapest offer';

const HOUR_MS = 3_600_000;

function hoursOf({ estimated_pickup_at: pickup, estimated_delivery_at: delivery }: Service): number | null {
  if (!pickup || !delivery) return null;
  const hours = (Date.parse(delivery) - Date.parse(pickup)) / HOUR_MS;
  return Number.isFinite(hours) ? Math.round(hours) : null;
}

function leastOf(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** The moment of delivery in milliseconds since 1970; null where the service does not say. */
export function deliveryOf({ estimated_delivery_at: delivery }: Service): number | null {
  const moment = Date.parse(delivery ?? '');
  return Number.isFinite(moment) ? moment : null;
}

/** The cheapest first; of equal fees the one that is delivered first, then by code, so that the choice is always the same. */
function byFee(one: Service, other: Service): number {
  return (
    (one.fee ?? Infinity) - (other.fee ?? Infinity) ||
    (deliveryOf(one) ?? Infinity) - (deliveryOf(other) ?? Infinity) ||
    (one.code ?? '').localeCompare(other.code ?? '', 'en')
  );
}

function feePerDaySaved(service: Service, cheapest: Service | undefined): number | null {
  const [delivery, latest] = [deliveryOf(service), cheapest === undefined ? null : deliveryOf(cheapest)];
  const [fee, least] = [service.fee ?? null, cheapest?.fee ?? null];
  if (delivery === null || latest === null || fee === null || least === null || delivery >= latest) return null;
  return Math.round(((fee - least) * 24 * HOUR_MS) / (latest - delivery));
}

/**
 * Puts the offers side by side, the cheapest first; several may share a mark. The fastest is the one delivered first.
 * The best value is the offer whose days before the cheapest one cost least, or the cheapest where none is faster.
 */
export function compareQuotes(services: readonly Service[]): ComparedService[] {
  const sorted = [...services].sort(byFee);
  const [first] = sorted;
  const fastest = leastOf(sorted.map(deliveryOf));
  const perDay = sorted.map((service) => feePerDaySaved(service, first));
  const bestValue = leastOf(perDay);
  return sorted.map((service, index) => {
    const fee_per_day_saved = perDay[index] ?? null;
    const isCheapest = service.fee !== undefined && service.fee !== null && service.fee === first?.fee;
    const marks: QuoteMark[] = [];
    if (isCheapest) marks.push('cheapest');
    if (fastest !== undefined && deliveryOf(service) === fastest) marks.push('fastest');
    if (bestValue === undefined ? service === first : fee_per_day_saved === bestValue) marks.push('best_value');
    return { ...service, hours: hoursOf(service), fee_per_day_saved, marks };
  });
}

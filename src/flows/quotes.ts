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

/** An offer of which only the marks were worked out: what a choice goes by. */
export interface MarkedService extends Pick<ComparedService, 'code' | 'fee' | 'marks' | 'fee_per_day_saved'> {
  readonly service: Service;
  /** The moment of its delivery in milliseconds since 1970; null where the service does not say. */
  readonly delivery: number | null;
}

/** What `fee_per_day_saved` says, for a person. */
export const perDayWords = 'the extra fee for each day that it arrives before the cheapest offer';

const HOUR_MS = 3_600_000;

/** A service and the moment of its delivery, which is read once: a batch compares the offers of every row. */
interface Dated {
  readonly service: Service;
  readonly delivery: number | null;
}

function hoursOf({ service: { estimated_pickup_at: pickup }, delivery }: Dated): number | null {
  if (!pickup || delivery === null) return null;
  const hours = (delivery - Date.parse(pickup)) / HOUR_MS;
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
function byFee(one: Dated, other: Dated): number {
  return (
    (one.service.fee ?? Infinity) - (other.service.fee ?? Infinity) ||
    (one.delivery ?? Infinity) - (other.delivery ?? Infinity) ||
    (one.service.code ?? '').localeCompare(other.service.code ?? '', 'en')
  );
}

function feePerDaySaved({ service, delivery }: Dated, cheapest: Dated | undefined): number | null {
  const latest = cheapest?.delivery ?? null;
  const [fee, least] = [service.fee ?? null, cheapest?.service.fee ?? null];
  if (delivery === null || latest === null || fee === null || least === null || delivery >= latest) return null;
  return Math.round(((fee - least) * 24 * HOUR_MS) / (latest - delivery));
}

/**
 * The offers in their order, the cheapest first, with their marks; several may share one. The fastest is the one delivered
 * first. The best value is the offer whose days before the cheapest one cost least, or the cheapest where none is faster.
 */
export function markQuotes(services: readonly Service[]): MarkedService[] {
  const sorted = services.map((service): Dated => ({ service, delivery: deliveryOf(service) })).sort(byFee);
  const [first] = sorted;
  const fastest = leastOf(sorted.map(({ delivery }) => delivery));
  const perDay = sorted.map((dated) => feePerDaySaved(dated, first));
  const bestValue = leastOf(perDay);
  return sorted.map((dated, index) => {
    const { service, delivery } = dated;
    const fee_per_day_saved = perDay[index] ?? null;
    const isCheapest = service.fee !== undefined && service.fee !== null && service.fee === first?.service.fee;
    const marks: QuoteMark[] = [];
    if (isCheapest) marks.push('cheapest');
    if (fastest !== undefined && delivery === fastest) marks.push('fastest');
    if (bestValue === undefined ? dated === first : fee_per_day_saved === bestValue) marks.push('best_value');
    return { code: service.code, fee: service.fee, marks, fee_per_day_saved, service, delivery };
  });
}

/** Puts the offers side by side, marked and in the order of `markQuotes`. */
export function compareQuotes(services: readonly Service[]): ComparedService[] {
  return markQuotes(services).map((marked) => {
    const { service, fee_per_day_saved, marks } = marked;
    return { ...service, hours: hoursOf(marked), fee_per_day_saved, marks };
  });
}

import type * as z from 'zod';
import type { shippingService } from '../contract/records/service.ts';

/** What an offer's fee_per_day_saved is, as help tells it. */
export const PER_DAY = 'the extra fee for each day that it arrives before the cheapest offer';

export type Service = z.output<typeof shippingService>;

/** What an offer may be best at. */
export type QuoteMark = 'cheapest' | 'fastest' | 'best_value';

/** An offer compared with the others: its delivery time, the price of its speed, and its marks. */
export type ComparedService = Service & {
  /** Whole hours from pickup to delivery, as estimated; null if the service does not say. */
  readonly hours: number | null;
  /**
   * The extra fee for each day by which it arrives before the cheapest offer, rounded to whole currency units; null if
   * it does not arrive earlier.
   */
  readonly fee_per_day_saved: number | null;
  readonly marks: readonly QuoteMark[];
};

/** An offer with only its marks computed: what a choice depends on. */
export interface MarkedService extends Pick<ComparedService, 'code' | 'fee' | 'marks' | 'fee_per_day_saved'> {
  readonly service: Service;
  /** Its delivery time in milliseconds since 1970; null if the service does not say. */
  readonly delivery: number | null;
}

const HOUR_MS = 3_600_000;

/** A service with its delivery time, parsed once: a batch compares the offers of every row. */
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

/** The delivery time in milliseconds since 1970; null if the service does not say. */
export function deliveryOf({ estimated_delivery_at: delivery }: Service): number | null {
  const moment = Date.parse(delivery ?? '');
  return Number.isFinite(moment) ? moment : null;
}

/** Cheapest first; equal fees by delivery time, then by code, so that the order is deterministic. */
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
 * The offers with their marks, cheapest first; several offers may share a mark. The fastest is the one delivered first.
 * The best value is the offer with the lowest extra fee per day saved, or the cheapest if none is faster.
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

/** Compares the offers: with marks, in the order of `markQuotes`. */
export function compareQuotes(services: readonly Service[]): ComparedService[] {
  return markQuotes(services).map((marked) => {
    const { service, fee_per_day_saved, marks } = marked;
    return { ...service, hours: hoursOf(marked), fee_per_day_saved, marks };
  });
}

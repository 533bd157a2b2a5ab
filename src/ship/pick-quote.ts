import { deliveryOf, type MarkedService, type QuoteMark, type Service } from './quotes.ts';
import { say } from './texts.ts';

/** Which offers are acceptable, and which of them is taken. */
export interface QuotePreference {
  /** `cheapest`, `fastest`, `best-value`, or the code of a service. */
  readonly pick?: string | undefined;
  /** The highest acceptable fee. */
  readonly maxFee?: number | undefined;
  /** The latest delivery time, in milliseconds since 1970. */
  readonly by?: number | undefined;
}

/**
 * Thrown if no offer is acceptable: too expensive, too late, gone, or with another fee than agreed. Nothing was sent.
 */
export class QuoteRefused extends Error {
  readonly kind = 'policy';
  readonly code: 'fee_above_max' | 'no_offer_in_time' | 'no_offer' | 'service_not_offered' | 'fee_changed';
  readonly outcome = 'not_applied';
  readonly hint?: string;

  constructor(code: QuoteRefused['code'], message: string, hint?: string) {
    super(message);
    this.name = 'QuoteRefused';
    this.code = code;
    if (hint !== undefined) this.hint = hint;
  }
}

const markOf: Readonly<Record<string, QuoteMark>> = {
  cheapest: 'cheapest',
  fastest: 'fastest',
  'best-value': 'best_value',
};

/** The names that `pick` accepts besides a code. */
export const pickNames: readonly string[] = Object.keys(markOf);

/** Whether a text names a property of an offer rather than the offer itself. */
export function isPickName(pick: string): boolean {
  return Object.hasOwn(markOf, pick);
}

/** What a choice depends on. */
type Offer = Pick<MarkedService, 'code' | 'fee' | 'marks'>;

// No carrier pays for a parcel: a fee below 0 would make room for dearer rows below a limit of all.
const isFee = (fee: unknown) => fee === undefined || fee === null || (Number.isSafeInteger(fee) && Number(fee) >= 0);

/**
 * The services that can be taken, in order: those at a fee that one can pay, and in time. One without an estimated delivery
 * may be late, and is left out then.
 */
export function offeredServices(services: readonly Service[], by: number | undefined): Service[] {
  return services.filter(
    (service) => isFee(service.fee) && (by === undefined || (deliveryOf(service) ?? Infinity) <= by),
  );
}

function ofMark<Given extends Offer>(offers: readonly Given[], mark: QuoteMark): Given | undefined {
  return offers.find(({ marks }) => marks.includes(mark));
}

/** Throws QuoteRefused if an offer costs more than allowed, or has no fee to compare. */
export function checkFee({ code, fee }: Offer, maxFee: number | undefined): void {
  if (maxFee === undefined || (fee !== undefined && fee !== null && fee <= maxFee)) return;
  throw new QuoteRefused('fee_above_max', say().service.aboveLimit({ code: code ?? '', fee, limit: maxFee }));
}

/**
 * The one offer that a wish selects. The offers come from `compareQuotes` or `markQuotes` of `offeredServices`, so
 * that `cheapest` means the cheapest of those. Throws QuoteRefused if there is none, or if it is too expensive.
 */
export function pickQuote<Given extends Offer>(offers: readonly Given[], { pick, maxFee, by }: QuotePreference): Given {
  if (offers.length === 0) {
    throw by === undefined
      ? new QuoteRefused('no_offer', say().service.none)
      : new QuoteRefused(
          'no_offer_in_time',
          say().service.noneInTime({ by: new Date(by).toISOString().replace('.000', '') }),
        );
  }
  const preference = pick ?? 'cheapest';
  const mark = Object.hasOwn(markOf, preference) ? markOf[preference] : undefined;
  const chosen = mark === undefined ? offers.find(({ code }) => code === preference) : ofMark(offers, mark);
  if (chosen === undefined) {
    const hint = say().service.offered({ codes: offers.map(({ code }) => code ?? '') });
    throw new QuoteRefused('service_not_offered', say().service.notOffered({ service: preference }), hint);
  }
  checkFee(chosen, maxFee);
  return chosen;
}

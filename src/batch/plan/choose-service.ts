import { callRaw } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import type { CompleteOrder } from '../../ledger/order-draft.ts';
import type { RowWork } from '../../ledger/work.ts';
import { offeredServices, pickQuote, QuoteRefused } from '../../ship/offers/pick-quote.ts';
import { quoteOfOrder, withService } from '../../ship/offers/quote-of-order.ts';
import { type MarkedService, markQuotes, type Service } from '../../ship/offers/quotes.ts';
import type { BatchOptions } from './batch-options.ts';

/** The service that the policy currently chooses for an order, with the order's request. */
export interface Chosen {
  readonly payload: CompleteOrder;
  readonly carrier: string | null;
  readonly fee: number;
  /** When it is delivered, as estimated, in milliseconds since 1970; null if the service does not say. */
  readonly delivery: number | null;
}

function ofCarriers(services: readonly Service[], carriers: readonly string[]): readonly Service[] {
  if (carriers.length === 0) return services;
  const wanted = new Set(carriers.map((carrier) => carrier.toLowerCase()));
  return services.filter(({ carrier, carrier_info }) =>
    [carrier, carrier_info?.name].some((name) => typeof name === 'string' && wanted.has(name.toLowerCase())),
  );
}

/** The current offers for an order that are in time and from the wanted carriers. Throws a CallError. */
export async function offersOf(
  order: CompleteOrder,
  work: RowWork,
  options: BatchOptions,
  connection: Connection,
): Promise<MarkedService[]> {
  const { quote } = work;
  if (quote === undefined) throw new TypeError(`${work.do} is not quoted`);
  const { id, credential } = quote;
  const answer = await callRaw({ id, credential, operation: quote }, JSON.stringify(quoteOfOrder(order)), connection);
  const { services } = answer as { services?: Service[] | null };
  return markQuotes(ofCarriers(offeredServices(services ?? [], options.by), options.carriers) as Service[]);
}

/** Chooses a service by the policy; an order that names its own service keeps it. Throws a QuoteRefused. */
export function choose(
  order: CompleteOrder,
  offers: readonly MarkedService[],
  { pick, by, maxFee }: BatchOptions,
): Chosen {
  const own = order.shipping?.shipping_service_code || undefined;
  const { service, delivery } = pickQuote(offers, { pick: own ?? pick, by, maxFee });
  if (typeof service.fee !== 'number') throw new QuoteRefused('no_offer', `service ${service.code} has no fee`);
  return {
    payload: withService(order, service, order.external_id ?? ''),
    carrier: service.carrier ?? service.carrier_info?.name ?? null,
    fee: service.fee,
    delivery,
  };
}

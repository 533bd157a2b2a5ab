import { callRaw } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { type Fields, fieldsIn, readFields, readOwn } from '../../domain/json/values.ts';
import type { CompleteOrder } from '../../ledger/order-draft.ts';
import type { RowWork } from '../../ledger/work.ts';
import { offeredServices, pickQuote, QuoteRefused } from '../../ship/pick-quote.ts';
import { quotedForOrder, weightOf, withService } from '../../ship/quote-of-order.ts';
import { type MarkedService, markQuotes, type Service } from '../../ship/quotes.ts';
import type { BatchContext } from '../batch-context.ts';
import { paced, workOff } from '../send/in-flight.ts';
import { Stopped } from '../send/pace.ts';
import type { Batch } from '../store/batches.ts';
import type { WholeRow } from '../store/row.ts';
import { say } from '../texts.ts';
import type { BatchOptions } from './new-batch.ts';

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
  const target = { id, credential, operation: quote };
  const answer = await quotedForOrder(order, (request) =>
    callRaw(target, JSON.stringify(request), connection, request),
  );
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
  if (typeof service.fee !== 'number')
    throw new QuoteRefused('no_offer', say().row.noFee({ service: `${service.code}` }));
  return {
    payload: withService(order, service, order.external_id ?? ''),
    carrier: service.carrier ?? service.carrier_info?.name ?? null,
    fee: service.fee,
    delivery,
  };
}

/** What parcels of a batch that are not sent yet collect, and what they are insured for. Money is an integer of currency units. */
export interface MoneyAhead {
  readonly total: number;
  /** Parcels that collect nothing. */
  readonly without: number;
  readonly insured: number;
  readonly insured_value: number;
  /** Parcels whose weight nothing says: they are quoted as the lightest. */
  readonly unweighed: number;
}

/** Whether a request asks for an insured parcel: absent means yes (contract, OrderShipping). */
const isInsured = ({ shipping }: Fields): boolean => fieldsIn(shipping).include_insurance !== false;

/** Adds up what parcels collect, and what they are insured for. */
export class MoneySum implements MoneyAhead {
  total = 0;
  without = 0;
  insured = 0;
  insured_value = 0;
  unweighed = 0;

  /** Adds the request of a parcel. */
  add(request: Fields): void {
    const { shipping, basket_value } = request;
    const { cod_amount } = fieldsIn(shipping);
    if (weightOf(fieldsIn(shipping)) === 0) this.unweighed += 1;
    if (typeof cod_amount === 'number' && cod_amount > 0) this.total += cod_amount;
    else this.without += 1;
    if (!isInsured(request)) return;
    this.insured += 1;
    this.insured_value += typeof basket_value === 'number' ? basket_value : 0;
  }
}

/** The cash of the rows of a batch that are planned, or possibly sent. */
export async function moneyAhead({ rows }: Pick<BatchContext, 'rows'>, batch: Batch): Promise<MoneyAhead> {
  const sum = new MoneySum();
  for await (const page of rows.requests({ batch: batch.number, states: ['planned', 'sending'] }))
    for (const { payload } of page) sum.add(readFields(payload));
  return { ...sum };
}

/** What insurance costs. Money is an integer of currency units. */
export interface InsurancePrice {
  readonly total: number;
  /** Insured parcels whose service is not offered without insurance: what it costs them is not known. */
  readonly unknown: number;
}

const ANY = { carriers: [], blankClears: false };

/**
 * Quotes the insured parcels of a planned batch once more, without insurance: the fee of the same service is what they
 * would cost. Throws a CallError.
 */
export async function insurancePrice(context: BatchContext, batch: Batch, work: RowWork): Promise<InsurancePrice> {
  const rows = context.rows.each({ batch: batch.number, states: ['planned'] })[Symbol.asyncIterator]();
  let [total, unknown] = [0, 0];
  const take = async (room: number): Promise<WholeRow[]> => {
    const taken: WholeRow[] = [];
    while (taken.length < room) {
      const { done, value } = await rows.next();
      if (done === true) break;
      if (isInsured(readOwn(value.payload))) taken.push(value);
    }
    return taken;
  };
  await paced(context, (pace) =>
    workOff(pace, take, async ({ payload, fee }) => {
      const order = readOwn<CompleteOrder>(payload);
      const bare = { ...order, shipping: { ...order.shipping, include_insurance: false } };
      try {
        const offers = await pace.through(() => offersOf(bare, work, ANY, context.connection));
        const code = fieldsIn(order.shipping).shipping_service_code;
        const without = offers.find(({ service }) => service.code === code)?.service.fee;
        if (fee === null || typeof without !== 'number') unknown += 1;
        else total += fee - without;
      } catch (error) {
        if (!(error instanceof Stopped)) pace.fail(error instanceof Error ? error : new TypeError(String(error)));
      }
    }),
  );
  return { total, unknown };
}

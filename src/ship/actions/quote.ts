import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { call } from '../../client/call.ts';
import { invalidInput, Refusal } from '../../client/refusal.ts';
import type { Operation } from '../../contract/operation.ts';
import * as partner from '../../contract/partner/shipping.ts';
import { shippingService } from '../../contract/records/service.ts';
import { int, list, text } from '../../contract/schema/scalars.ts';
import * as shop from '../../contract/shop/shipping.ts';
import type { View } from '../../contract/view.ts';
import { isRecord } from '../../domain/json/values.ts';
import { askedAt, lastMomentOf } from '../../domain/moment-text.ts';
import { orderName } from '../../domain/named-by.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import { serviceColumns } from '../../operations/actions/written-views.ts';
import {
  isPickName,
  offeredServices,
  pickNames,
  pickQuote,
  type QuotePreference,
  QuoteRefused,
} from '../pick-quote.ts';
import { quotedForOrder } from '../quote-of-order.ts';
import { type ComparedService, compareQuotes, PER_DAY, type Service } from '../quotes.ts';
import { say } from '../texts.ts';
import { judging, order } from './totals.ts';

/** The fields that select an offer, for `quote` and `ship`. */
export const preferenceFields = {
  pick: z.optional(text(`the offer to take: ${pickNames.join(', ')}, or the code of a service`)),
  max_fee: z.optional(
    int('refuse an offer that costs more, with exit 12', 'currency units')
      .refine((fee) => fee >= 0, { error: () => say().amount.negative })
      .meta({ description: 'refuse an offer that costs more, with exit 12' }),
  ),
  by: z.optional(text('leave out offers that deliver later: a day (2026-02-03, to its end) or a time with a zone')),
};

/** They are given beside a request, and are not part of it. */
export const preferenceHints = {
  pick: { beside: true, placeholder: 'WHICH' },
  max_fee: { beside: true },
  by: { beside: true, placeholder: 'DATE' },
} as const;

/** The last moment that a `by` covers, in milliseconds since 1970; throws a Refusal for an invalid text. */
function momentOf(given: string, ports: Pick<Ports, 'clock' | 'settings'>): number {
  const moment = lastMomentOf(given, askedAt(ports));
  if (moment !== undefined) return moment;
  const message = say().service.by;
  throw new Refusal('invalid_input', say().service.byIs({ why: message }), { fieldErrors: [{ path: 'by', message }] });
}

/** Refuses what is meant as one of the names of an offer, and is misspelt: as a code it would be looked for too late. */
function refuseMisspelt(pick: string | undefined): void {
  if (pick === undefined || isPickName(pick) || !/^[a-z-]+$/.test(pick)) return;
  const near = nearestName(pick, pickNames);
  if (near !== undefined) throw invalidInput([{ path: 'pick', message: say().service.misspelt({ near, pick }) }]);
}

/** The offer selection in an input. Throws a Refusal for a misspelt name. */
export function preferenceOf(
  { pick, max_fee: maxFee, by }: z.output<z.ZodObject<typeof preferenceFields>>,
  ports: Pick<Ports, 'clock' | 'settings'>,
): QuotePreference {
  refuseMisspelt(pick);
  return { pick, maxFee, by: by === undefined ? undefined : momentOf(by, ports) };
}

/** The acceptable offers: the one picked, otherwise those that are in time and not too expensive. */
function wanted(services: readonly Service[], preference: QuotePreference): readonly ComparedService[] {
  const offers = compareQuotes(offeredServices(services, preference.by));
  if (preference.pick !== undefined) return [pickQuote(offers, preference)];
  const { maxFee } = preference;
  if (maxFee === undefined) return offers;
  const affordable = offers.filter(({ fee }) => (fee ?? Infinity) <= maxFee);
  if (affordable.length > 0 || offers.length === 0) return affordable;
  throw new QuoteRefused('fee_above_max', say().service.cheapestAbove({ fee: offers[0]?.fee, limit: maxFee }));
}

/** The one order that is quoted, so that the quote matches it when it is sent. */
function onlyOf(orders: readonly z.output<typeof order>[]) {
  const [only, ...others] = orders;
  if (only === undefined || others.length > 0) throw new Refusal('one_order', say().run.oneOrder);
  return only;
}

const compared = z.object({
  ...shippingService.shape,
  hours: z.nullable(int('Estimated time from pickup to delivery; null if not known', 'hours')),
  fee_per_day_saved: z.nullable(int(PER_DAY, 'currency units')),
  marks: list(text('cheapest, fastest or best_value'), 'What it is best at: cheapest, fastest or best value'),
});

/** How offers are compared in a table. */
export const quoteView: View = {
  columns: [
    ...serviceColumns,
    { path: 'hours', kind: 'number', optional: true },
    {
      path: 'fee_per_day_saved',
      header: 'per_day_saved',
      kind: 'number',
      optional: true,
      meaning: () => say().service.perDay,
    },
    { path: 'marks', header: '', kind: 'state' },
  ],
  name: 'code',
};

const quote = action({
  id: 'quote',
  words: ['quote'],
  summary: 'Compare carrier offers for a parcel',
  description:
    'The cheapest and the fastest offer are marked, and the best value: the one whose saved days cost least (per_day_saved: the extra fee for each day that it arrives before the cheapest offer). `shopctl ship` and `shipping create` take carrier, code and fee.',
  examples: [
    'shopctl quote --input examples/quote.json',
    'shopctl quote --order examples/order.json',
    'shopctl quote --input examples/order.json',
    'shopctl quote --order examples/order.json --pick fastest --max-fee 90000 -o name',
    'shopctl quote --input examples/quote.json --json --query "[?contains(marks, \'cheapest\')].code | [0]"',
  ],
  effect: 'read',
  agents: 'read',
  needs: ['key'],
  input: z.object({
    ...partner.GetShippingServices.request.shape,
    order: z.optional(
      list(order, 'quote the parcel of this order, so that its fee fits when the order is sent; - for stdin'),
    ),
    ...preferenceFields,
  }),
  output: list(compared, 'The offers that match, the cheapest first'),
  view: quoteView,
  whole: true,
  // An order has everything that a quote needs, below other names.
  readDocument: (given) => (isRecord(given.shipping) || Array.isArray(given.lines) ? { order: [given] } : given),
  hints: { order: { from: 'rows', placeholder: 'FILE', beside: true, instead: true }, ...preferenceHints },
  operations: [partner.GetShippingServices.id, shop.GetShippingServices.id],
  async run({ order: orders, pick, max_fee, by, ...request }, ports) {
    const { settings, connection } = ports;
    const preference = preferenceOf({ pick, max_fee, by }, ports);
    const only = orders === undefined ? undefined : onlyOf(orders);
    const operation: Operation = settings.as?.value === 'shop' ? shop.GetShippingServices : partner.GetShippingServices;
    const ask = (wanting: object) => call(operation, { ...wanting }, connection());
    const { services } =
      only === undefined ? await ask(request) : await judging(orderName(only), () => quotedForOrder(only, ask));
    return wanted(Array.isArray(services) ? services : [], preference).map((offer) => ({
      ...offer,
      marks: [...offer.marks],
    }));
  },
});

/** Compares the carriers' offers for a parcel. */
export const actions = [quote];

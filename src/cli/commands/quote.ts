import { call } from '../../client/call.ts';
import { loadOperation } from '../../contract/areas.ts';
import { jsonSchema } from '../../contract/json-schema.ts';
import type { Operation } from '../../contract/operation.ts';
import { orderName } from '../../domain/order-name.ts';
import { quoteOfOrder } from '../../flows/quote-of-order.ts';
import { type ComparedService, compareQuotes, perDayWords, type Service } from '../../flows/quotes.ts';
import { pickQuote, QuoteRefused, type QuoteWish, servicesInTime } from '../../flows/ship/pick-quote.ts';
import type { Flag, Group, Invocation, Result } from '../command.ts';
import { judging, readOrders } from '../order-file.ts';
import { previewOf } from '../preview.ts';
import { beforeSending } from '../printing.ts';
import { quoteOptionFlags, quoteWish, quoteView as view } from '../quote-options.ts';
import type { Draft } from '../read-flags.ts';
import { readRequest, requestFlags, textFlag } from '../request-input.ts';
import { fieldFlags } from '../schema-flags.ts';
import { skeletonResult } from '../skeleton.ts';
import { textSource } from '../text-source.ts';
import { UsageError } from '../usage-error.ts';

const operations = () =>
  Promise.all([
    loadOperation('partner.Shipping/GetShippingServices'),
    loadOperation('shop.Shipping/GetShippingServices'),
  ]);

const orderFlag: Flag = {
  name: 'order',
  type: 'string',
  placeholder: 'FILE',
  description: 'quote the parcel of this order, so that its fee fits when the order is sent; - for stdin',
};

/** A quote's own request, or the one that an order file stands for. */
async function requestOf(invocation: Invocation, operation: Operation): Promise<Draft> {
  const file = textFlag(invocation, 'order');
  if (file === undefined)
    return readRequest(invocation, operation, [...fieldFlags(jsonSchema(operation.request)), ...quoteOptionFlags]);
  const beside = new Set(['order', ...quoteOptionFlags.map(({ name }) => name)]);
  const others = Object.keys(invocation.given.flags).filter((name) => !beside.has(name));
  if (others.length > 0) throw new UsageError(`--order tells everything about the parcel: leave out --${others[0]}`);
  const { orders } = await readOrders(file, textSource(invocation.context));
  if (orders.length !== 1 || orders[0] === undefined) throw new UsageError('--order must hold one order');
  const [order] = orders;
  return { ...judging(orderName(order), () => quoteOfOrder(order)) };
}

/** The offers that are wanted: the one picked, else those that are in time and not too dear. */
function wanted(services: readonly Service[], wish: QuoteWish): readonly ComparedService[] {
  const offers = compareQuotes(servicesInTime(services, wish.by));
  if (wish.pick !== undefined) return [pickQuote(offers, wish)];
  const { maxFee } = wish;
  if (maxFee === undefined) return offers;
  const affordable = offers.filter(({ fee }) => (fee ?? Infinity) <= maxFee);
  if (affordable.length > 0 || offers.length === 0) return affordable;
  throw new QuoteRefused('fee_above_max', `the cheapest offer costs ${offers[0]?.fee}, more than ${maxFee}`);
}

/** What a column means that a person may not know; a program reads it in the help. */
function legendFor(rows: readonly ComparedService[], { settings, globals }: Invocation['session']): readonly string[] {
  const isShown = settings.output.value === 'table' && globals.fields === undefined && globals.query === undefined;
  return isShown && rows.some(({ fee_per_day_saved: perDay }) => perDay !== null)
    ? [`per_day_saved: ${perDayWords}`]
    : [];
}

async function run(invocation: Invocation): Promise<Result> {
  const { session, given } = invocation;
  const operation: Operation = session.choose((await operations()) as readonly Operation[]);
  if (given.flags.skeleton === true) return skeletonResult(jsonSchema(operation.request), invocation, ['quote']);
  const listed = await beforeSending(invocation.context, session, view);
  if (listed !== undefined) return listed;
  const wish = quoteWish(invocation);
  const request = await requestOf(invocation, operation);
  const preview = await previewOf(invocation, operation, request);
  if (preview !== undefined) return preview;
  const { services } = (await call(operation, request, session.connection())) as { services?: unknown };
  const rows = wanted(Array.isArray(services) ? services : [], wish);
  return { document: { kind: 'list', rows, view }, notices: legendFor(rows, session) };
}

/** `shopctl quote`: what the carriers offer for a parcel, side by side. */
export const group: Group = {
  commands: [
    {
      words: [],
      summary: 'Compare what the carriers offer for a parcel',
      description:
        'Marked are the cheapest and the fastest offer, and the best value: the one whose days before the cheapest cost least (per_day_saved: what each day costs by which it arrives before the cheapest offer). `shopctl ship` and `shipping create` take carrier, code and fee.',
      flags: async () => [
        ...fieldFlags(jsonSchema((await operations())[0].request)),
        ...requestFlags,
        orderFlag,
        ...quoteOptionFlags,
      ],
      operations: ['partner.Shipping/GetShippingServices', 'shop.Shipping/GetShippingServices'],
      examples: [
        'shopctl quote --input examples/quote.json',
        'shopctl quote --order examples/order.json',
        'shopctl quote --order examples/order.json --pick fastest --max-fee 90000 -o name',
        'shopctl quote --input examples/quote.json --json --query "[?contains(marks, \'cheapest\')].code | [0]"',
      ],
      run,
    },
  ],
};

import * as z from 'zod';
import { action } from '../action/action.ts';
import { bothGiven } from '../client/refusal.ts';
import { CreateAndConfirmOrder } from '../contract/partner/shipping.ts';
import { documentedAs } from '../contract/schema/json-schema.ts';
import { flag, namePrefix, text } from '../contract/schema/scalars.ts';
import { isRecord } from '../domain/json/values.ts';
import { answersIn } from '../ledger/intents/answers.ts';
import type { OrderDraft } from '../ledger/order-draft.ts';
import { viewOf } from '../operations/actions/views.ts';
import { draftActions } from './actions/drafts.ts';
import { preferenceFields, preferenceHints, preferenceOf } from './actions/quote.ts';
import type { ShipAnswer } from './actions/ship.ts';
import { anyOrder } from './actions/totals.ts';
import { say } from './texts.ts';

const answer = z.object({
  question: text('Which question it answers, for example recipient.phone'),
  answer: text('The answer'),
});

/** A list of answers, or a draft that contains one. */
const answers = z
  .preprocess((given) => answersIn(given) ?? given, z.array(answer, { error: () => say().answer.none }))
  .meta({
    type: 'array',
    description:
      'take the answers from a file, then ask for the rest; `ship drafts show --json` prints those of a draft',
  });

const order = documentedAs(
  z
    .custom<OrderDraft>(isRecord)
    .meta({ type: 'object', description: 'the order, JSON or YAML, - for stdin; what it lacks is asked for' }),
  anyOrder,
);

/** The service's response, typed leniently: names that the contract does not know pass. */
const response = CreateAndConfirmOrder.response as z.ZodType as z.ZodType<ShipAnswer>;

/** Quotes and ships an order. */
export const shipOrder = action({
  id: 'ship',
  words: ['ship'],
  summary: 'Quote and ship an order, step by step or all at once',
  description: [
    "Asks for pickup, recipient, lines, fees, parcel, cash on delivery, insurance and service, with the sums in view; < goes back, Ctrl-C saves a draft, and ship --resume continues it or changes any answer. With a shop's own key, its customers, addresses and products are offered. If the service refuses a value, you are asked for it again.",
    'Without a terminal the order comes from --input, its service from --pick (or from the order itself), and --yes confirms that it may cost money. Sums, chargeable weight, the customer (the recipient) and the external_id are filled in when absent; payment_method: cod fills cod_amount with the total.',
    'The fee is quoted again just before sending. If it is no longer the fee that you confirmed, nothing is sent yet: on a terminal you are asked again, a script ends with exit 12, unless --yes and a --max-fee that covers the new fee allow it. --pick accepts the new fee.',
    'The draft is saved before the request is sent, and never ships twice: running the same command again, or --resume, first checks whether an earlier run created the order. An order without an external_id that was sent and reported is not sent again within 24 hours (exit 5, sent_before), unless --again marks it as a new one.',
  ].join('\n\n'),
  examples: [
    'shopctl ship',
    'shopctl ship --input examples/order.json --pick cheapest --yes',
    'shopctl ship --input examples/order.json --pick best-value --max-fee 60000 --by 2026-12-24 --yes --json',
    'shopctl ship --resume',
    'shopctl ship --paste',
  ],
  effect: 'create',
  agents: 'plan',
  mayAlso: ['store'],
  undo: 'shipping cancel',
  confirm: 'yes',
  needs: ['key'],
  input: z.object({
    order: z.optional(order),
    ...preferenceFields,
    resume: z.optional(namePrefix('continue this draft; without a value, the latest one that was not sent')),
    again: z.optional(flag('send another order like one that was sent within 24 hours')),
    answers: z.optional(answers),
    paste: z.optional(
      flag(
        'take recipient, goods and cash from a message of the buyer, from stdin or as it is pasted, up to an Enter alone or Ctrl-D; it is shown first',
      ),
    ),
  }),
  output: z.optional(response),
  view: () => viewOf(CreateAndConfirmOrder),
  hints: {
    ...preferenceHints,
    order: { from: 'document', flag: 'input', placeholder: 'FILE' },
    resume: { from: 'path', placeholder: 'DRAFT', optionalValue: true },
    answers: { from: 'value', placeholder: 'FILE' },
  },
  operations: [
    'partner.Shipping/GetShippingServices',
    'partner.Shipping/CreateAndConfirmOrder',
    'partner.Shipping/GetOrder',
    'shop.Shipping/GetShippingServices',
    'shop.Shipping/CreateAndConfirmOrder',
    'shop.Shipping/GetOrder',
  ],
  async run({ order, pick, max_fee, by, resume, again, answers = [], paste }, ports) {
    // An order that says where it goes has no question which the message answers: it would be passed over.
    if (paste === true && order?.shipping_address) throw bothGiven('shipping_address', 'paste');
    const { pastedAnswer, ship } = await import('./actions/ship.ts');
    const quote = preferenceOf({ pick, max_fee, by }, ports);
    const pasted = paste === true ? await pastedAnswer(ports) : [];
    return ship({ order, quote, resume, again: again === true, answers: [...pasted, ...answers] }, ports);
  },
});

/** Quote and ship, with or without questions, and the drafts it creates. */
export const actions = [shipOrder, ...draftActions];

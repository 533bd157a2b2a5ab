import type { Flag, Group } from '../command.ts';
import { quoteOptionFlags } from '../quote-options.ts';
import { draftCommands } from '../ship/drafts.ts';

const flags: readonly Flag[] = [
  {
    name: 'input',
    type: 'string',
    placeholder: 'FILE',
    description: 'the order, JSON or YAML, - for stdin; what it lacks is asked for',
  },
  ...quoteOptionFlags,
  {
    name: 'resume',
    type: 'string',
    placeholder: 'DRAFT',
    optionalValue: true,
    description: 'go on with this draft, without a value with the latest that is not sent',
  },
  {
    name: 'again',
    type: 'boolean',
    description: 'send another order like one that was sent within 24 hours',
  },
  {
    name: 'answers',
    type: 'string',
    placeholder: 'FILE',
    description:
      'take the answers from a file, then ask for the rest; `ship drafts show --json` prints those of a draft',
  },
];

/** `shopctl ship`: quote and ship an order, with questions or without. */
export const group: Group = {
  commands: [
    {
      words: [],
      summary: 'Quote and ship an order, step by step or in one go',
      description: [
        "Asks for pickup, recipient, lines, fees, parcel, cash on delivery, insurance and service, with the sums in view; < goes back, Ctrl-C keeps a draft, and ship --resume goes on with it or changes any answer. A shop's own key has its customers, addresses and products offered. What is refused is asked again.",
        'Without a terminal the order comes from --input, its service from --pick (or from the order itself), and --yes says that it may cost money. Sums, chargeable weight, the customer (the recipient) and the external_id are worked out where they are absent; payment_method: cod fills cod_amount with the total.',
        'The fee is quoted again just before sending. One that is no longer what was agreed to stops: a person is asked, a script ends with exit 12, unless --yes and a --max-fee that covers it say that it is welcome. --pick agrees anew.',
        'The draft is on the disk before the request, and never ships twice: the same command again, or --resume, finds out what became of an earlier run before anything is sent. An order without an external_id that was sent, and its answer printed, is not sent again within 24 hours (exit 5, sent_before), unless --again says that it is another one.',
      ].join('\n\n'),
      flags: () => flags,
      operations: [
        'partner.Shipping/GetShippingServices',
        'partner.Shipping/CreateAndConfirmOrder',
        'partner.Shipping/GetOrder',
        'shop.Shipping/GetShippingServices',
        'shop.Shipping/CreateAndConfirmOrder',
        'shop.Shipping/GetOrder',
      ],
      examples: [
        'shopctl ship',
        'shopctl ship --input examples/order.json --pick cheapest --yes',
        'shopctl ship --input examples/order.json --pick best-value --max-fee 60000 --by 2026-12-24 --yes --json',
        'shopctl ship --resume',
      ],
      run: async (invocation) => (await import('../ship/run.ts')).ship(invocation),
    },
    ...draftCommands,
  ],
};

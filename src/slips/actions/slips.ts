import * as z from 'zod';
import { action } from '../../action/action.ts';
import { flag, int, list, namePrefix, oneOf, record, text } from '../../contract/schema/scalars.ts';
import { slipSizes } from '../slip.ts';

const printSlips = action({
  id: 'slips',
  words: ['slips'],
  summary: 'Print packing slips for orders, or a pick list',
  description: [
    'A slip has the recipient, the goods, what is to be collected, the note, the day, and the carrier’s code of the parcel as a barcode and as text, in Vietnamese. It is not a carrier’s label. A pick list has the goods of all orders, by product and variant.',
    'Orders are named by their ids, their external ids, their codes or the codes of their parcels, as a scanner reads them; by the batch that shipped them; or as today’s orders. A partner’s key cannot list orders: with one, today’s are those that this machine has shipped.',
    'An order whose shipments are all cancelled gets no slip. Of a batch, and of today, those whose parcels were picked up are left out, unless an order is named itself. One without a shipment gets a slip without a barcode, which does not count as printed.',
    'For a character that the font lacks, ▢ is printed, and stderr names it. A slip is refused only if nothing of the recipient’s name, phone or address can be read on it; the command then exits with 9.',
  ].join('\n\n'),
  examples: [
    'shopctl slips 2795256910387001243 --to slips.pdf',
    'shopctl slips --today --unprinted --to slips.pdf',
    'shopctl slips --batch --to slips.pdf',
    'shopctl slips --batch 20260131-k3f9x --pick-list --to pick.pdf',
  ],
  effect: 'store',
  adds: { print: 'program' },
  undo: { whyNot: 'what is printed stays printed' },
  needs: ['key', 'workspace'],
  input: record({
    orders: list(text('an order'), 'the orders, by id, external id, code or parcel code'),
    batch: namePrefix(
      'the orders of this batch, by its name or the start of it; without a value, of the latest that made orders',
    ),
    today: flag('the orders of today'),
    to: text('the file to write'),
    size: oneOf(slipSizes, 'the paper: one slip a page, four a page, or a roll; a6 when absent'),
    pick_list: flag('write one pick list for all these orders, instead of their slips'),
    unprinted: flag('only orders that have no slip yet'),
    print: text('print it with lp on this printer; without a name, on the default one'),
  }),
  positional: ['orders'],
  hints: {
    orders: { placeholder: 'ORDER', from: 'path' },
    batch: { placeholder: 'BATCH', from: 'path', optionalValue: true },
    to: { placeholder: 'FILE', from: 'path' },
    print: { placeholder: 'PRINTER', from: 'path', optionalValue: true },
  },
  output: z.object({
    file: z.nullable(text('The file; null if none was written')),
    slips: int('How many slips it has, or orders a pick list is for', 'slips'),
    printed_before: int('Orders that have a slip already; with --unprinted they are left out', 'orders'),
    left_out: list(
      z.object({ order: text('The order, as it was named'), reason: text('Why it has no slip') }),
      'Orders that got no slip',
    ),
  }),
  run: (input, ports) => import('./make-slips.ts').then(({ makeSlips }) => makeSlips(input, ports)),
});

/** Printing slips for parcels. */
export const actions = [printSlips];

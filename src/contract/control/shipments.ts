import * as z from 'zod';
import { atLeastOneOf } from '../schema/rules.ts';
import { flag, id, list, oneOf, text, time } from '../schema/scalars.ts';
import { columns, controlOperation, filled } from './operation.ts';
import { say } from './texts.ts';

const step = z.object({ state: text('The state'), substate: text('Its substate') });

export const advance = controlOperation({
  page: true,
  method: 'POST',
  path: 'advance',
  command: 'sandbox advance',
  summary: 'Move a shipment as its carrier would, and emit its changes',
  description: 'Takes each allowed step to the state; reconciled is delivered with its money settled.',
  examples: [
    'shopctl sandbox advance 1234567890123456789 --to delivered',
    'shopctl sandbox advance DH000131 --to holding',
  ],
  input: z.object({
    id: z.optional(
      filled(
        'id, code, external_id or parcel code of an order, a shipment or an on-demand delivery; the newest that can get there when absent',
      ),
    ),
    to: z.optional(filled('a state of the shipment, or reconciled')),
    substate: z.optional(filled('substate of the shipment, for example delivery_fail')),
    auto: z.optional(flag('take each step automatically, when it is due by the business clock')),
  }),
  output: z.object({
    entity: oneOf(['fulfillment', 'shipnow_fulfillment'], 'What was moved'),
    id: id('Its id'),
    shop_id: id('Id of its shop'),
    order_ids: list(id('Id of an order'), 'The orders in it'),
    shipping_state: text('Where it is'),
    shipping_substate: text('Its substate'),
    shipping_status: text('Its shipping status'),
    status: text('Its status'),
    steps: list(step, 'The steps that were taken now'),
    allowed: list(step, 'The steps that are allowed next'),
    next_due: z.nullable(time('When it takes its next step by itself; null when it stays where it is')),
  }),
  tells: ({ shipping_state, allowed }) => {
    const following = [...new Set(allowed.map(({ state }) => state))].filter((state) => state !== shipping_state);
    return say().moved({ state: shipping_state, following });
  },
  view: {
    columns: [
      { path: 'entity', kind: 'state' },
      ...columns('id', 'order_ids'),
      { path: 'shipping_state', kind: 'state' },
      { path: 'shipping_substate', kind: 'state' },
      { path: 'shipping_status', kind: 'status' },
      { path: 'status', kind: 'status' },
      ...columns('next_due'),
    ],
    name: 'id',
  },
  positional: ['id'],
  rules: atLeastOneOf('to', 'auto'),
  hints: { to: { placeholder: 'STATE' }, id: { offers: 'ids orders' } },
});

import * as z from 'zod';
import { documentedAs } from '../schema/json-schema.ts';
import { flag, id, int, list, oneOf, text, time } from '../schema/scalars.ts';
import { columns, controlOperation, filled } from './operation.ts';

const attempt = z.object({
  callback_id: id('Id of the callback'),
  webhook_id: id('Id of the webhook'),
  url: z.nullable(text('Where it went; null where the webhook is gone')),
  changes: int('How many changes it held', 'changes'),
  attempt: int('1 for the first attempt after a success', 'attempts'),
  sent_at: time('By the business clock'),
  outcome: oneOf(['pending', 'ok', 'failed'], 'How it ended'),
  status: z.nullable(int('The HTTP status, 0 where there was no answer; null while it is pending', 'status')),
  error: z.nullable(text('Why it failed')),
  explanation: z.nullable(text('What that means for the receiver')),
  next_attempt_at: z.nullable(time('When the same changes come again; null where they do not')),
  milliseconds: z.optional(
    z.nullable(int('How long the answer took; null while it is pending, or of an earlier run', 'ms')),
  ),
});

const shown = z.object({
  ...attempt.shape,
  payload: documentedAs(
    z.unknown().meta({ type: 'object', description: 'What was sent; null if it is no longer stored' }),
    { partial: false, load: async () => (await import('../records/change.ts')).callback },
  ),
  answer: z.nullable(text('The beginning of what was answered')),
});

export const deliveries = controlOperation({
  page: { about: 'record' },
  method: 'POST',
  path: 'deliveries',
  command: 'sandbox deliveries',
  summary: 'Show the attempts to deliver changes to webhooks, the newest first',
  description:
    'If one of them is named, only that one is shown, with its payload and the answer: the newest of this run are stored in full.',
  examples: ['shopctl sandbox deliveries', 'shopctl sandbox deliveries --show 1234567890123456789 -o json'],
  input: z.object({
    webhook_id: z.optional(filled('only deliveries to this webhook')),
    record: z.optional(filled('only deliveries with a change of this id, among those that are stored in full')),
    limit: z.optional(int('how many; 100 when absent', 'attempts')),
    show: z.optional(filled('the delivery with this callback id, in full')),
  }),
  output: z.object({
    deliveries: list(shown.partial({ payload: true, answer: true }), 'The newest first'),
    waiting: z.optional(
      int('Webhooks with changes, of the record if one is named, that no attempt has held yet', 'webhooks'),
    ),
  }),
  items: 'deliveries',
  view: {
    columns: [
      { path: 'callback_id' },
      { path: 'url', cut: 'start' },
      { path: 'outcome', kind: 'state' },
      { path: 'status' },
      { path: 'error' },
      { path: 'milliseconds', header: 'ms', kind: 'number', optional: true },
      { path: 'attempt', kind: 'number', optional: true },
      { path: 'sent_at', header: 'sent', kind: 'moment', optional: true },
      { path: 'next_attempt_at', header: 'next', kind: 'moment', optional: true },
      { path: 'changes', kind: 'number', optional: true },
      { path: 'webhook_id', optional: true },
      { path: 'explanation', optional: true },
    ],
    name: 'callback_id',
    fields: ['payload', 'answer'],
  },
  single: {
    isNamed: (input) => 'show' in input && input.show !== undefined,
    view: {
      columns: [
        ...columns('callback_id', 'webhook_id', 'url'),
        { path: 'changes', kind: 'number' },
        { path: 'attempt', kind: 'number' },
        { path: 'sent_at', header: 'sent', kind: 'moment' },
        { path: 'outcome', kind: 'state' },
        ...columns('status'),
        { path: 'milliseconds', header: 'ms', kind: 'number' },
        ...columns('error', 'explanation'),
        { path: 'next_attempt_at', header: 'next', kind: 'moment' },
        ...columns('answer', 'payload'),
      ],
      name: 'callback_id',
    },
  },
  hints: {
    webhook_id: { flag: 'webhook', placeholder: 'ID', offers: 'ids webhooks' },
    show: { placeholder: 'ID' },
    limit: { isStyle: true },
  },
});

export const redeliver = controlOperation({
  page: true,
  method: 'POST',
  path: 'redeliver',
  command: 'sandbox redeliver',
  summary: 'Resend a delivery under a new callback id',
  description: "The webhook's own state does not change: this is separate from the service's own deliveries.",
  examples: ['shopctl sandbox redeliver 1234567890123456789'],
  input: z.object({ callback_id: filled('callback id of the delivery') }),
  output: shown,
  view: {
    columns: [
      ...columns('webhook_id', 'callback_id'),
      { path: 'changes', kind: 'number' },
      { path: 'outcome', kind: 'state' },
      ...columns('status', 'error', 'explanation', 'answer'),
    ],
    name: 'callback_id',
  },
  positional: ['callback_id'],
});

const entry = z.object({
  id: int('Counts up in each run, from 1', 'requests'),
  time: time('By the business clock, as the records that the call made bear it'),
  method: text('The HTTP method'),
  path: text('The path'),
  operation: z.nullable(text('The operation; null for what is none')),
  account: z.nullable(text('Who called; the key itself is never shown')),
  status: z.nullable(
    int('What the service answered, even if no fault let it arrive; null where it was never asked', 'status'),
  ),
  code: z.nullable(text('`ok`, or the code of the error')),
  duration_ms: int('How long it took', 'ms'),
  fault: z.nullable(int('The fault that affected the call', 'faults')),
  arrived: flag('Whether the whole answer was let through to the caller'),
  request: z.unknown().meta({ type: 'object', description: 'The request, its secrets taken out' }),
  response: z.unknown().meta({ type: 'object', description: 'The answer, its secrets taken out' }),
});

export const log = controlOperation({
  method: 'POST',
  path: 'log',
  command: 'sandbox log',
  summary: 'Show the requests that the sandbox received, keys redacted',
  description: 'If it is followed, each request is shown as it arrives.',
  examples: ['shopctl sandbox log --status 4xx', 'shopctl sandbox log -f', 'shopctl sandbox log --follow -o jsonl'],
  input: z.object({
    operation: z.optional(filled('requests of an operation, of an area (shop.Order/*), or all (*)')),
    status: z.optional(filled('a status, a class of them (4xx), or a code such as not_found')),
    fault: z.optional(filled('only requests that a fault affected: its id, or any')),
    record: z.optional(filled('requests that have this id in their body, or in an answer that is not a list')),
    writes: z.optional(flag('only requests of operations that change something')),
    since: z.optional(int('only requests after the one of this id, oldest first', 'requests')),
    limit: z.optional(int('how many; 100 when absent', 'requests')),
    wait_ms: z.optional(int('how long to wait for a request where there is none yet', 'ms')),
  }),
  output: z.object({
    entries: list(entry, 'Oldest first'),
    next: int('To be sent as since, to go on from here', 'requests'),
    lost: int('How many requests after since are no longer stored', 'requests'),
  }),
  items: 'entries',
  view: {
    columns: [
      { path: 'id', kind: 'number' },
      { path: 'time', kind: 'moment' },
      { path: 'operation', cut: 'start' },
      { path: 'status', kind: 'number' },
      { path: 'code' },
      { path: 'duration_ms', header: 'ms', kind: 'number' },
      { path: 'account', optional: true },
      { path: 'fault', kind: 'number', optional: true },
      { path: 'arrived', kind: 'flag', optional: true },
    ],
    name: 'id',
    fields: ['method', 'path', 'request', 'response'],
  },
  hints: { since: { hidden: true }, wait_ms: { hidden: true }, limit: { isStyle: true } },
});

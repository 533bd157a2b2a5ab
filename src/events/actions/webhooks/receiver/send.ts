import * as z from 'zod';
import { action } from '../../../../action/action.ts';
import { Refusal } from '../../../../client/refusal.ts';
import { changeType, entity } from '../../../../contract/enums.ts';
import { flag, id, int, oneOf, text } from '../../../../contract/schema/scalars.ts';
import { callbackWith, recordFor } from './one-change.ts';

/** The service's own timeout (decisions, section 8). */
const TIMEOUT_MS = 60_000;

/** Sends one change to a receiver. */
export const send = action({
  id: 'webhooks.send',
  words: ['webhooks', 'send'],
  summary: 'Send a receiver one change of a real record',
  description:
    'The record is read from the service: the one that you name, or the newest of its kind. Nothing is changed there; the receiver gets the callback that the service would send, and its answer is shown. Exits with 11 if the service would not accept that answer.',
  examples: [
    'shopctl webhooks send http://127.0.0.1:3000/hook --entity order --change create',
    'shopctl webhooks send http://127.0.0.1:3000/hook --entity order --change update --record 1234567890123456789',
  ],
  effect: 'read',
  needs: ['key'],
  input: z.object({
    url: text('address of the receiver'),
    entity: oneOf(entity, 'the kind of the record'),
    change: z.optional(oneOf(changeType, 'what happened to it; update when absent')),
    record: z.optional(id('the record; the newest one when absent')),
  }),
  positional: ['url'],
  hints: { url: { placeholder: 'URL', from: 'path' } },
  output: z.object({
    change: text('What was sent'),
    record_id: z.nullable(text('Id of the record')),
    accepted: flag('Whether the service would accept the answer'),
    status: z.nullable(int('The HTTP status; null if no answer came', 'status')),
    milliseconds: int('How long the answer took', 'ms'),
    answer: z.nullable(text('The beginning of the answer')),
    reason: z.nullable(text('What is wrong with it')),
  }),
  async run({ url, entity: kind, change = 'update', record: wanted }, ports) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
      const message = 'must be an http or https URL';
      throw new Refusal('invalid_input', message, { fieldErrors: [{ path: 'url', message }] });
    }
    const { clock, report, signal } = ports;
    const record = await recordFor(ports, kind, wanted);
    ports.intend({ send: `${kind} ${change}`, to: parsed.host });
    const { receive, sendPost } = await import('../../../listen/index.ts');
    const body = callbackWith(kind, change, record, ports);
    const found = await receive({ url, body, send: sendPost, clock, timeoutMs: TIMEOUT_MS, signal });
    if (found.reason !== null) report.verdict('different');
    const record_id = typeof record.id === 'string' ? record.id : null;
    return { change: `${kind} ${change}`, record_id, accepted: found.reason === null, ...found };
  },
});

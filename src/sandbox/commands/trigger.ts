import * as z from 'zod';
import { action } from '../../action/action.ts';
import { millisecondsOf } from '../../action/duration-field.ts';
import type { ControlCaller, Ports } from '../../action/ports.ts';
import { invalidInput } from '../../client/refusal.ts';
import { advance, deliveries } from '../../contract/control/operations.ts';
import { say } from '../../contract/control/texts.ts';
import { entity, shippingState } from '../../contract/enums.ts';
import type { Hint } from '../../contract/schema/hint.ts';
import { flag, int, list, text } from '../../contract/schema/scalars.ts';
import { elapsedOn } from '../../platform/process/clock.ts';

/** Selects one of several running sandboxes. */
export const sandboxField = {
  sandbox: z.optional(text('which sandbox, where several run; when absent, that of the profile, otherwise the newest')),
};

export const sandboxHint: { readonly sandbox: Hint } = { sandbox: { flag: 'name' } };

const DEFAULT_WITHIN = '30s';
const LOOK_EVERY_MS = 100;

/** What is moved by a carrier, and so can be changed on demand. */
const moved: readonly string[] = ['order', 'fulfillment', 'shipnow_fulfillment'];

const delivery = z.object({
  change: text('What happened'),
  record_id: text('Id of the record that was moved'),
  webhook_id: text('Id of the webhook'),
  url: z.nullable(text('Where it went; null where the webhook is gone')),
  accepted: flag('Whether the answer was accepted'),
  status: z.nullable(int('The HTTP status, 0 where there was no answer', 'status')),
  milliseconds: z.nullable(int('How long the answer took', 'ms')),
  reason: z.nullable(text('What is wrong with the answer')),
});

/** The state in an event like `order.delivered`. Throws a Refusal that says how other changes are made. */
function stateIn(event: string, { ui }: Ports): string {
  const [kind = '', state = ''] = event.split('.');
  const wrong = (message: string) => invalidInput([{ path: 'event', message }]);
  if (!entity.some((known) => known === kind)) throw wrong(say().trigger.kind);
  const states = [...shippingState.slice(1), 'reconciled'];
  if (moved.includes(kind) && states.includes(state)) return state;
  if (moved.includes(kind)) throw wrong(say().trigger.state({ states }));
  throw wrong(say().trigger.ownCommand({ kind, advice: ui.advise('make_change') }));
}

/** Whether each webhook has been sent the changes of these records, with the attempts that held one. */
async function attemptsAt(control: ControlCaller, records: readonly string[], before: ReadonlySet<string>) {
  // A webhook of orders alone hears of the order, and never of its shipment.
  const found = await Promise.all(records.map((record) => control.call(deliveries, { record })));
  const all = new Map(found.flatMap((one) => one.deliveries.map((attempt) => [attempt.callback_id, attempt] as const)));
  const attempts = [...all.values()].filter(({ callback_id }) => !before.has(callback_id));
  const waiting = Math.max(...found.map((one) => one.waiting ?? 0));
  const isOver = waiting === 0 && attempts.every(({ outcome }) => outcome !== 'pending');
  return { attempts, isOver, waiting };
}

/** Makes one true change in the sandbox, and waits until its webhooks have answered. */
export const trigger = action({
  id: 'sandbox.trigger',
  words: ['sandbox', 'trigger'],
  summary: 'Make one real change, and show how each webhook answered it',
  description:
    'Moves a shipment as its carrier would: the named one, or the newest that can get there. Every webhook gets the change the way the service delivers it, at the next multiple of 5 seconds. Exits with 11 if one does not accept it.',
  examples: [
    'shopctl sandbox trigger order.delivered',
    'shopctl sandbox trigger fulfillment.returning --record 1234567890123456789',
  ],
  effect: 'update',
  undo: { whyNot: 'a change that was sent cannot be called back' },
  needs: ['sandbox'],
  input: z.object({
    event: text('the change: order, fulfillment or shipnow_fulfillment, a dot, and the state to reach'),
    record: z.optional(text('the order or its shipment, by its id; the newest that can get there when absent')),
    within: z.optional(text(`how long to wait for the answers; ${DEFAULT_WITHIN} when absent`)),
    ...sandboxField,
  }),
  positional: ['event'],
  hints: {
    event: { placeholder: 'EVENT', from: 'path' },
    record: { placeholder: 'ID', from: 'path' },
    within: { placeholder: 'DURATION', isStyle: true, from: 'path' },
    ...sandboxHint,
  },
  output: list(delivery, 'One webhook each'),
  view: {
    columns: [
      { path: 'change' },
      { path: 'record_id', header: 'record', optional: true },
      { path: 'url', cut: 'start' },
      { path: 'status', kind: 'number' },
      { path: 'milliseconds', header: 'ms', kind: 'number' },
      { path: 'reason' },
    ],
    name: 'record_id',
    fields: ['webhook_id', 'accepted'],
  },
  async run({ event, record, within = DEFAULT_WITHIN, sandbox }, ports) {
    const { clock, ui, intend, report, sandboxes, signal } = ports;
    const to = stateIn(event, ports);
    const mostMs = millisecondsOf('within', within);
    intend({ trigger: event, record: record ?? null });
    const control = await sandboxes.control(sandbox);
    const known = await control.call(deliveries, {});
    const before = new Set(known.deliveries.map(({ callback_id }) => callback_id));
    const moved = await control.call(advance, { ...(record === undefined ? {} : { id: record }), to });
    const { id, shop_id, order_ids, shipping_state } = moved;
    const about = { code: 'moved', entity: moved.entity, record_id: id, order_ids, shop_id, shipping_state };
    const facts = { entity: moved.entity, id, orders: order_ids, shop: shop_id, state: shipping_state };
    report.notice(say().trigger.moved(facts), about);
    const began = elapsedOn(clock);
    let seen = await attemptsAt(control, [id, ...order_ids], before);
    while (!seen.isOver && elapsedOn(clock) - began < mostMs) {
      await clock.wait(LOOK_EVERY_MS, signal);
      seen = await attemptsAt(control, [id, ...order_ids], before);
    }
    if (!seen.isOver)
      report.notice(say().trigger.waiting({ count: seen.waiting, advice: ui.advise('look_at_deliveries') }));
    else if (seen.attempts.length === 0) report.notice(say().trigger.nobody({ advice: ui.advise('start_listener') }));
    if (!seen.isOver || seen.attempts.some(({ outcome }) => outcome !== 'ok')) report.verdict('different');
    return seen.attempts.map(({ webhook_id, url, outcome, status, milliseconds, error, explanation }) => ({
      change: `${event.split('.')[0]} ${shipping_state}`,
      record_id: id,
      webhook_id,
      url,
      accepted: outcome === 'ok',
      status,
      milliseconds: milliseconds ?? null,
      reason: explanation ?? error,
    }));
  },
});

import * as z from 'zod';
import { action } from '../../action/action.ts';
import { millisecondsOf } from '../../action/duration-field.ts';
import type { Ports } from '../../action/ports.ts';
import { batchName, nameHint } from '../../batch/actions/inputs.ts';
import { call } from '../../client/call.ts';
import { ServiceError } from '../../client/errors.ts';
import { shippingState, statusWords, webhookState } from '../../contract/enums.ts';
import { labels } from '../../contract/labels.ts';
import { mayBecome } from '../../contract/records/fulfillment.ts';
import { id, int, isRecordId, list, oneOf, text } from '../../contract/schema/scalars.ts';
import { fieldsIn, recordsIn } from '../../domain/json/values.ts';
import { elapsedOn } from '../../platform/process/clock.ts';
import { shopAskedFor } from '../../settings/keys.ts';
import { say } from './texts.ts';
import { webhookContext } from './webhook-context.ts';

/** What a look found: the states that something is in, and how they are told. */
interface Standing<Shown> {
  readonly name: string;
  readonly states: readonly string[];
  /** The same as fields of the result. */
  readonly shown: Shown;
  /** The same for a sentence. */
  readonly says: string;
  /** Whether it may still come to one of the states that are waited for. */
  readonly mayCome: boolean;
}

const within = z.optional(
  text('how long to wait at most, for example 30s, 10m or 2h; without it, until the state is reached'),
);

const withinHint = { placeholder: 'DURATION', isStyle: true, from: 'path' } as const;

const waitedFor = { name: text('What was waited for') };
const waitedSeconds = { waited_seconds: int('How long that took', 's') };

/** What waiting returns. */
const waited = z.object({ ...waitedFor, state: text('Its state when the waiting ended'), ...waitedSeconds });

/** What waiting for an order returns. */
const orderWaited = z.object({
  ...waitedFor,
  order: text('The state of the order when the waiting ended'),
  parcels: list(text('The state of a parcel'), 'Those of its parcels'),
  ...waitedSeconds,
});

/** Looks are frequent at first, and rarer the longer it takes. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 15_000;

/**
 * Looks again and again until something is in one of these states. The verdict is `different` if it can no longer come to
 * any of them, or if the time is up.
 */
async function waitUntil<Shown>(
  { clock, progress, report, signal }: Ports,
  wanted: readonly string[],
  given: string | undefined,
  look: () => Promise<Standing<Shown>>,
): Promise<{ readonly name: string; readonly waited_seconds: number } & Shown> {
  const mostMs = given === undefined ? Number.POSITIVE_INFINITY : millisecondsOf('within', given);
  const began = elapsedOn(clock);
  const spentMs = () => elapsedOn(clock) - began;
  return progress.during(async () => {
    for (;;) {
      const { name, states, mayCome, shown, says } = await look();
      const spent = spentMs();
      const isReached = states.some((state) => wanted.includes(state));
      if (isReached || !mayCome || spent >= mostMs) {
        const seconds = Math.round(spent / 1000);
        if (!isReached) {
          report.verdict('different');
          const states = wanted.map((state) => labels().state(state));
          report.notice(
            mayCome
              ? say().wait.still({ name, seconds, says, wanted: states })
              : say().wait.over({ name, says, wanted: states }),
          );
        }
        return { name, ...shown, waited_seconds: seconds };
      }
      const pause = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.ceil(spent / 10)));
      await clock.wait(Math.min(pause, mostMs - spent), signal);
    }
  });
}

const { Z: first, ...others } = statusWords;

/** The states of orders and of parcels. */
const orderStates = [first, ...new Set([...Object.values(others), ...shippingState.slice(2)])] as const;

const wordOf = (status: unknown) =>
  Object.entries(statusWords).find(([letter]) => letter === status)?.[1] ?? String(status ?? 'unknown');

/** Words of orders that nothing follows. */
const lastWords: ReadonlySet<string> = new Set(['done', 'cancelled', 'returned']);

/** Whether a parcel has come to one of these states, or may still. */
const comesTo = (parcel: string, ...states: readonly string[]) =>
  states.some((state) => parcel === state || mayBecome(parcel, state));

/** When an order with parcels, which has not ended, may come to a state of its own. */
const orderComesTo: Readonly<Record<string, (parcels: readonly string[]) => boolean>> = {
  new: () => false,
  done: (parcels) => parcels.some((parcel) => comesTo(parcel, 'delivered')),
  returned: (parcels) => parcels.some((parcel) => comesTo(parcel, 'returning', 'undeliverable')),
  // An order can be cancelled alone after its parcel was picked up, but nobody waits for that.
  cancelled: (parcels) => parcels.every((parcel) => comesTo(parcel, 'cancelled')),
};

/** Whether an order, or a parcel of it, may still come to a state by the declared steps of parcels. */
function mayCome(order: string, parcels: readonly string[], wanted: string): boolean {
  const isOfParcels = shippingState.some((state) => state === wanted);
  if (isOfParcels && parcels.some((parcel) => mayBecome(parcel, wanted))) return true;
  if (lastWords.has(order)) return false;
  if (wanted === 'in progress' || parcels.length === 0) return wanted !== 'new';
  return orderComesTo[wanted]?.(parcels) ?? false;
}

/** An order with its parcels. */
function standingOf(
  answer: unknown,
  wanted: readonly string[],
): Standing<{ readonly order: string; readonly parcels: readonly string[] }> {
  const { order, fulfillments } = fieldsIn(answer);
  const { id, code, status } = fieldsIn(order);
  const parcels = recordsIn(fulfillments).map(({ shipping_state }) => String(shipping_state ?? 'unknown'));
  const word = wordOf(status);
  const states = [...new Set([...parcels, word])];
  const [state, ...ofParcels] = [word, ...parcels].map((each) => labels().state(each));
  return {
    name: say().wait.order({ name: String(code ?? id ?? '') }),
    states,
    shown: { order: word, parcels },
    says: parcels.length === 0 ? String(state) : say().wait.ofParcels({ state: String(state), parcels: ofParcels }),
    mayCome: wanted.some((state) => mayCome(word, parcels, state)),
  };
}

const waitOrder = action({
  id: 'wait.order',
  words: ['wait', 'order'],
  summary: 'Wait until an order, or its parcel, is in a state',
  description:
    'Exits with 0 once it is, and with 11 if the time is up, or at once if no step leads there any more: a delivered order is not waited for to be cancelled. Checks every second at first, later less often.',
  examples: ['shopctl wait order 1234567890123456789 --until delivered --within 10m'],
  effect: 'read',
  needs: ['key'],
  operations: ['partner.Shipping/GetOrder', 'shop.Order/GetOrder'],
  input: z.object({
    order: text('the order, by its id, code, external_id or parcel code'),
    until: list(oneOf(orderStates, 'a state'), 'the state to wait for; one of them, if several are given'),
    within,
  }),
  positional: ['order'],
  hints: { order: { placeholder: 'ORDER', from: 'path', offers: 'ids orders' }, within: withinHint },
  output: orderWaited,
  view: {
    columns: [
      { path: 'name' },
      { path: 'order', kind: 'state' },
      { path: 'parcels', kind: 'state' },
      { path: 'waited_seconds', kind: 'number' },
    ],
    name: 'name',
  },
  async run({ order, until, within }, ports) {
    const isShop = ports.settings.as?.value === 'shop';
    const { GetOrder } = isShop
      ? await import('../../contract/shop/order.ts')
      : await import('../../contract/partner/shipping.ts');
    const { findRecord } = await import('../../operations/actions/find-record.ts');
    const connection = ports.connection();
    const named = async () => {
      const { id, by } = await findRecord(GetOrder, GetOrder, order, ports);
      if (id !== order) ports.report.notice(say().wait.calledBy({ order, by, id }));
      return id;
    };
    let id = isRecordId(order) ? order : await named();
    const read = () => call(GetOrder, { id }, connection);
    return waitUntil(ports, until, within, async () => {
      try {
        return standingOf(await read(), until);
      } catch (error) {
        // A number that is no id may be another name of the order.
        const isNone = error instanceof ServiceError && error.code === 'not_found' && id === order;
        if (!isNone) throw error;
        id = await named().catch(() => Promise.reject(error));
        return standingOf(await read(), until);
      }
    });
  },
});

const waitBatch = action({
  id: 'wait.batch',
  words: ['wait', 'batch'],
  summary: 'Wait until a batch is finished',
  description:
    'Whichever process or machine works on it. Exits with 0 once no row is left, and with 11 if the time is up; `batch show` says how the rows ended.',
  examples: ['shopctl wait batch 20260131-k3f9x --within 1h'],
  effect: 'read',
  needs: ['workspace'],
  input: z.object({
    batch: batchName,
    until: z.optional(oneOf(['finished', 'settled'], 'finished, the default; settled also needs no row to be unclear')),
    within,
  }),
  positional: ['batch'],
  hints: { batch: nameHint, within: withinHint },
  output: waited,
  async run({ batch, until = 'finished', within }, ports) {
    const [{ looking }, { summaryOf }, { batchNamed }] = await Promise.all([
      import('../../batch/actions/looking.ts'),
      import('../../batch/summary.ts'),
      import('../../batch/runs.ts'),
    ]);
    return waitUntil(ports, [until], within, () =>
      looking(ports, async ({ batches }) => {
        const {
          batch: name,
          state,
          counts,
        } = await summaryOf(batches, await batchNamed({ batches }, batch, shopAskedFor(ports.settings)));
        const isSettled = state === 'finished' && counts.unclear === 0;
        const said = isSettled ? 'settled' : state;
        const states = [state, said];
        return {
          name: say().wait.batch({ name }),
          states,
          shown: { state: said },
          says: labels().state(said),
          mayCome: true,
        };
      }),
    );
  },
});

const waitWebhook = action({
  id: 'wait.webhook',
  words: ['wait', 'webhook'],
  summary: 'Wait until a webhook is in a state',
  description: 'ok: deliveries arrive; retry: the last one failed; stop: the service has given up. Exits with 0 or 11.',
  examples: ['shopctl wait webhook 1234567890123456789 --until ok --within 5m'],
  effect: 'read',
  needs: ['key'],
  operations: ['partner.Webhook/GetWebhooks', 'shop.Webhook/GetWebhooks'],
  input: z.object({
    webhook: id('the webhook'),
    until: z.optional(oneOf(webhookState, 'the state to wait for; ok when absent')),
    within,
  }),
  positional: ['webhook'],
  hints: { within: withinHint },
  output: waited,
  async run({ webhook, until, within }, ports) {
    const context = await webhookContext(ports);
    return waitUntil(ports, [until ?? 'ok'], within, async () => {
      const found = (await context.list()).find(({ id }) => id === webhook);
      const state = found?.state ?? 'deleted';
      // What was stopped is created again under another id.
      const mayCome = state !== 'stop' && state !== 'deleted';
      return {
        name: say().wait.webhook({ name: webhook }),
        states: [state],
        shown: { state },
        says: labels().state(state),
        mayCome,
      };
    });
  },
});

/** Waiting for what somebody else does. */
export const actions = [waitOrder, waitBatch, waitWebhook];

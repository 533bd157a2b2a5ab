import type { Clock } from '../../../platform/process/clock.ts';
import type { Core } from '../../engine/core.ts';
import type { Part } from '../../engine/part.ts';
import { notFound, Refusal } from '../../engine/refusal.ts';
import type { Schedule } from '../../engine/schedule.ts';
import { rememberDelivery, rememberVerdict } from './attempt.ts';
import { type Deliver, httpDeliver } from './deliver.ts';
import {
  type DeliveryAttempt,
  type DeliveryFilter,
  readDeliveries,
  type ShownDelivery,
  webhooksWaiting,
} from './delivery-log.ts';
import { KEPT_BYTES } from './verdict.ts';
import { startDeliveryWorker } from './worker.ts';

/** The payload and the answer of one delivery. */
interface StoredDelivery {
  readonly url: string;
  /** JSON. */
  readonly body: string;
  /** The beginning of the answer; null if there was none, or not yet. */
  answer: string | null;
  /** How long the answer took; null before. */
  tookMs: number | null;
}

/** The newest deliveries of this run, complete, by their callback ids. */
interface StoredDeliveries {
  /** A `Deliver` that records what it sends. */
  readonly deliver: Deliver;
  of(callbackId: string): StoredDelivery | undefined;
  /** The callback ids of those whose payload has this id, the newest first. */
  naming(id: string): readonly string[];
}

const MOST_KEPT = 200;
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** The id comes first in every body that we write. */
const idOf = (body: string) => /^\{"id":"(\d+)"/.exec(body)?.[1] ?? '';

/** The same delivery under another callback id. */
function underId(body: string, callbackId: string): string {
  return body.replace(/^\{"id":"\d+"/, `{"id":"${callbackId}"`);
}

/** Records deliveries, limited in number and in characters. */
function storeDeliveries(deliver: Deliver, { now }: Pick<Clock, 'now'>): StoredDeliveries {
  const kept = new Map<string, StoredDelivery>();
  let characters = 0;
  const drop = () => {
    for (const [id, { body }] of kept) {
      if (kept.size <= 1 || (kept.size <= MOST_KEPT && characters <= MOST_CHARACTERS)) return;
      kept.delete(id);
      characters -= body.length;
    }
  };
  return {
    async deliver(delivery) {
      const { url, body } = delivery;
      const one: StoredDelivery = { url, body, answer: null, tookMs: null };
      const id = idOf(body);
      characters += body.length - (kept.get(id)?.body.length ?? 0);
      kept.delete(id);
      kept.set(id, one);
      drop();
      const began = now();
      const answer = await deliver(delivery).finally(() => {
        one.tookMs = now() - began;
      });
      one.answer = new TextDecoder().decode(answer.body.subarray(0, KEPT_BYTES));
      return answer;
    },
    of: (callbackId) => kept.get(callbackId),
    naming: (id) =>
      [...kept].flatMap(([callbackId, { body }]) => (body.includes(`"${id}"`) ? [callbackId] : [])).reverse(),
  };
}

/** Which attempts to show. */
export interface WhichDeliveries extends DeliveryFilter {
  /** Only those whose payload names this id. */
  readonly record?: string | undefined;
}

/** Delivery attempts, and how many webhooks have still to get their next one. */
export interface Deliveries {
  readonly deliveries: readonly (DeliveryAttempt | ShownDelivery)[];
  /** Webhooks with changes that no attempt has held yet; of one record, if that was asked for. */
  readonly waiting: number;
}

/** Operations on webhook deliveries from outside the service. */
export interface DeliveryControl {
  /** The latest delivery attempts, newest first; one requested by its id includes its payload. */
  deliveries(filter?: WhichDeliveries): Promise<Deliveries>;
  /**
   * Sends a delivery again under a new callback id, independently of the webhook's own schedule; 404 if it is no longer
   * kept.
   */
  redeliver(callbackId: string): Promise<ShownDelivery>;
}

/** The part that delivers changes to webhooks; over HTTP unless a test supplies another way. */
export async function webhookPart(
  core: Core,
  schedule: Schedule,
  deliver: Deliver = httpDeliver(core.allowedHosts),
): Promise<Part<DeliveryControl>> {
  const kept = storeDeliveries(deliver, core.machineClock);
  const worker = await startDeliveryWorker(core, schedule, kept.deliver);
  const timed = (attempt: DeliveryAttempt) => ({
    ...attempt,
    milliseconds: kept.of(attempt.callback_id)?.tookMs ?? null,
  });
  const show = (callbackId: string): ShownDelivery => {
    const [found] = core.read((work) => readDeliveries(work, { show: callbackId })).deliveries;
    if (found === undefined) throw notFound('delivery');
    const whole = kept.of(callbackId);
    return { ...timed(found), payload: whole ? JSON.parse(whole.body) : null, answer: whole?.answer ?? null };
  };
  return {
    control: {
      deliveries: async ({ record, ...filter } = {}) => {
        const waiting = core.read((work) => webhooksWaiting(work, record));
        if (filter.show !== undefined) return { deliveries: [show(filter.show)], waiting };
        return core.read((work) => {
          const found =
            record === undefined
              ? readDeliveries(work, filter).deliveries
              : kept
                  .naming(record)
                  .slice(0, filter.limit)
                  .flatMap((one) => readDeliveries(work, { ...filter, show: one }).deliveries);
          return { deliveries: found.map(timed), waiting };
        });
      },
      async redeliver(callbackId) {
        const [known, whole] = [show(callbackId), kept.of(callbackId)];
        if (whole === undefined) {
          throw new Refusal(
            'not_found',
            'the content of the delivery is no longer stored: only the newest of this run are',
          );
        }
        const again = await core.write((work) => {
          const id = work.nextId();
          const { webhook_id, changes } = known;
          rememberDelivery(work.database, { id, webhook_id, changes, attempt: known.attempt, sent_at: work.now });
          return id;
        });
        const verdict = await worker.send({ url: whole.url, body: underId(whole.body, again) });
        if (verdict !== undefined) await core.write(({ database }) => rememberVerdict(database, again, verdict));
        return show(again);
      },
    },
    close: () => worker.close(),
  };
}

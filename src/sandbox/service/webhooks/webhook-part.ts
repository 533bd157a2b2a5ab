import type { Core } from '../../engine/core.ts';
import type { Part } from '../../engine/part.ts';
import { notFound, Refusal } from '../../engine/refusal.ts';
import type { Schedule } from '../../engine/time/schedule.ts';
import { rememberDelivery, rememberVerdict } from './delivery/attempt.ts';
import { type Deliver, httpDeliver } from './delivery/deliver.ts';
import { startDeliveryWorker } from './delivery/worker.ts';
import {
  type DeliveryAttempt,
  type DeliveryFilter,
  readDeliveries,
  type ShownDelivery,
  webhooksWaiting,
} from './delivery-log.ts';
import { storeDeliveries, underId } from './stored-deliveries.ts';

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

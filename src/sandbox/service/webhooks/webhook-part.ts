import type { Core } from '../../engine/core.ts';
import type { Part } from '../../engine/part.ts';
import { notFound, Refusal } from '../../engine/refusal.ts';
import type { Schedule } from '../../engine/time/schedule.ts';
import { rememberDelivery, rememberVerdict } from './delivery/attempt.ts';
import { type Deliver, httpDeliver } from './delivery/deliver.ts';
import { startDeliveryWorker } from './delivery/worker.ts';
import { type DeliveryAttempt, type DeliveryFilter, readDeliveries, type ShownDelivery } from './delivery-log.ts';
import { keepDeliveries, underId } from './kept-deliveries.ts';

/** Which attempts to show. */
export interface WhichDeliveries extends DeliveryFilter {
  /** Only those whose payload names this id. */
  readonly record?: string | undefined;
}

/** Operations on webhook deliveries from outside the service. */
export interface DeliveryControl {
  /** The latest delivery attempts, newest first; one requested by its id includes its payload. */
  deliveries(filter?: WhichDeliveries): Promise<{ readonly deliveries: readonly (DeliveryAttempt | ShownDelivery)[] }>;
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
  const kept = keepDeliveries(deliver);
  const worker = await startDeliveryWorker(core, schedule, kept.deliver);
  const show = (callbackId: string): ShownDelivery => {
    const [found] = core.read((work) => readDeliveries(work, { show: callbackId })).deliveries;
    if (found === undefined) throw notFound('delivery');
    const whole = kept.of(callbackId);
    return { ...found, payload: whole ? JSON.parse(whole.body) : null, answer: whole?.answer ?? null };
  };
  return {
    control: {
      deliveries: async ({ record, ...filter } = {}) => {
        if (filter.show !== undefined) return { deliveries: [show(filter.show)] };
        return core.read((work) => {
          if (record === undefined) return readDeliveries(work, filter);
          const naming = kept.naming(record).slice(0, filter.limit);
          return { deliveries: naming.flatMap((one) => readDeliveries(work, { ...filter, show: one }).deliveries) };
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

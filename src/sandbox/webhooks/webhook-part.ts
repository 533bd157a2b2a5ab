import type { Core } from '../core.ts';
import type { Part } from '../part.ts';
import type { Schedule } from '../schedule.ts';
import { type Deliver, httpDeliver } from './deliver.ts';
import { type DeliveryAttempt, type DeliveryFilter, readDeliveries } from './delivery-log.ts';
import { startDeliveryWorker } from './worker.ts';

/** What can be seen of the webhooks from outside the service. */
export interface DeliveryControl {
  /** The newest attempts to deliver, the newest first. */
  deliveries(filter?: DeliveryFilter): Promise<{ readonly deliveries: readonly DeliveryAttempt[] }>;
}

/** The part that delivers changes to webhooks; over HTTP unless a test brings another way. */
export async function webhookPart(
  core: Core,
  schedule: Schedule,
  deliver: Deliver = httpDeliver(core.allowedHosts),
): Promise<Part<DeliveryControl>> {
  const worker = await startDeliveryWorker(core, schedule, deliver);
  return {
    control: { deliveries: async (filter = {}) => core.read((work) => readDeliveries(work, filter)) },
    close: () => worker.close(),
  };
}

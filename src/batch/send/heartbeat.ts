import { systemClock } from '../../platform/process/clock.ts';
import type { Worker } from '../../store/leases.ts';

/**
 * Renews a worker's lease periodically while the work runs; does nothing for a worker without one. If a heartbeat fails
 * for good, its error is thrown when the work has ended: without a lease nothing more is sent.
 */
export async function whileBeating(
  worker: Worker,
  heartbeatMs: number | undefined,
  work: () => Promise<void>,
  clock = systemClock,
): Promise<void> {
  if (heartbeatMs === undefined) return work();
  const over = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const beat = async () => {
    while (!over.signal.aborted) {
      await clock.wait(heartbeatMs, over.signal).catch(() => {});
      if (!over.signal.aborted) await worker.beat();
    }
  };
  const beating = beat().catch((error: unknown) => {
    failure = { error };
  });
  try {
    await work();
  } finally {
    over.abort();
    await beating;
  }
  if (failure !== undefined) throw failure.error;
}

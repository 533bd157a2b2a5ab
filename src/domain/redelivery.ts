const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after the 1st, 2nd, … consecutive failure the changes come again; the failure after the last gap stops the webhook (decisions, section 8). */
export const GAPS_MS: readonly number[] = [
  30 * SECOND,
  1 * MINUTE,
  2 * MINUTE,
  4 * MINUTE,
  8 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  16 * HOUR,
];

/**
 * When changes come again that failed at `failedAt` (a time of the wire) after `retried` repetitions, as a time of the
 * wire; undefined where they do not come again.
 */
export function nextAttempt(failedAt: string, retried: number): string | undefined {
  const gap = GAPS_MS[retried];
  const failed = Date.parse(failedAt);
  if (gap === undefined || !Number.isFinite(failed)) return undefined;
  return new Date(failed + gap).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

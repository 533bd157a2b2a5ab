import { fieldsIn } from './json/values.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Delay before the changes are redelivered after the 1st, 2nd, … consecutive failure; one more failure after the last
 * delay stops the webhook (decisions, section 8).
 */
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

/** When the changes that a webhook's receiver did not accept are redelivered; undefined if there are none. */
export function nextAttemptOf(webhook: object): string | undefined {
  const { state, last_error: error } = fieldsIn(fieldsIn(webhook).states);
  const { sent_at: sentAt, retried } = fieldsIn(error);
  if (state !== 'retry' || typeof sentAt !== 'string' || typeof retried !== 'number') return undefined;
  return nextAttempt(sentAt, retried);
}

/**
 * When changes whose delivery failed at `failedAt` (a wire timestamp) are redelivered after `retried` retries, as a
 * wire timestamp; undefined if they are not redelivered.
 */
export function nextAttempt(failedAt: string, retried: number): string | undefined {
  const gap = GAPS_MS[retried];
  const failed = Date.parse(failedAt);
  if (gap === undefined || !Number.isFinite(failed)) return undefined;
  return new Date(failed + gap).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

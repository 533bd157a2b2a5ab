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

/** How often changes are sent off (decisions, section 8). */
const FLUSH_MS = 5 * SECOND;

/** When changes recorded at a moment are sent off: at the next of the moments that come every 5 s. */
export function flushAfter(moment: number): number {
  return (Math.floor(moment / FLUSH_MS) + 1) * FLUSH_MS;
}

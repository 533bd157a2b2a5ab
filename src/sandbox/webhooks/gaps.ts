const SECOND = 1000;

/** How often changes are sent off (decisions, section 8). */
const FLUSH_MS = 5 * SECOND;

/** When changes recorded at a moment are sent off: at the next of the moments that come every 5 s. */
export function flushAfter(moment: number): number {
  return (Math.floor(moment / FLUSH_MS) + 1) * FLUSH_MS;
}

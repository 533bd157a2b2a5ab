const SECOND = 1000;

/** How often changes are sent (decisions, section 8). */
const FLUSH_MS = 5 * SECOND;

/** When changes recorded at a given time are sent: at the next multiple of 5 s. */
export function flushAfter(moment: number): number {
  return (Math.floor(moment / FLUSH_MS) + 1) * FLUSH_MS;
}

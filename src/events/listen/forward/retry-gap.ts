const LEAST_MS = 1000;
const MOST_MS = 60 * 60 * 1000;

/**
 * The backoff after so many failures: random up to a bound that doubles (full jitter), so that clients do not retry all
 * at once.
 */
export function retryGapMs(failures: number, random: () => number): number {
  return Math.ceil(random() * longestGapMs(failures));
}

/** The bound of the backoff after so many failures. */
export function longestGapMs(failures: number): number {
  return Math.min(MOST_MS, LEAST_MS * 2 ** Math.min(failures - 1, 30));
}

const LEAST_MS = 1000;
const MOST_MS = 60 * 60 * 1000;

/** How long to wait after so many failures: anything up to a bound that doubles (full jitter), so that many do not come back at once. */
export function retryGapMs(failures: number, random: () => number): number {
  return Math.ceil(random() * Math.min(MOST_MS, LEAST_MS * 2 ** Math.min(failures - 1, 30)));
}

import { type Clock, elapsedOn } from '../../../platform/process/clock.ts';

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
function longestGapMs(failures: number): number {
  return Math.min(MOST_MS, LEAST_MS * 2 ** Math.min(failures - 1, 30));
}

/** Whether a target is reachable. Times are milliseconds of `elapsedOn`. */
interface Liveness {
  /** Some answer arrived. */
  answered(): void;
  /** An attempt that began at `began` got no answer. */
  silent(began: number): void;
  /** Whether the last attempt got no answer. */
  isAway(): boolean;
  /** Until when nothing is sent because the target is away; 0 if it is reachable. */
  until(): number;
  /** Whether it has answered anything since that moment. */
  hasAnsweredSince(moment: number): boolean;
}

/** A target that is considered reachable until it does not answer at all; then it is probed with growing backoff. */
export function livenessOf(clock: Clock, random: () => number): Liveness {
  let answeredAt = Number.NEGATIVE_INFINITY;
  let [failures, failedAt, until] = [0, 0, 0];
  return {
    answered() {
      answeredAt = elapsedOn(clock);
      [failures, failedAt, until] = [0, 0, 0];
    },
    silent(began) {
      // Attempts that were in flight together count as one failure.
      if (answeredAt >= began || (failures > 0 && began <= failedAt)) return;
      failures += 1;
      failedAt = elapsedOn(clock);
      until = failedAt + retryGapMs(failures, random);
    },
    isAway: () => failures > 0,
    until: () => until,
    hasAnsweredSince: (moment) => answeredAt >= moment,
  };
}

/**
 * When a change is due that waits in the workspace, in milliseconds of `elapsedOn`. It was stored with a clock that may
 * have been set since, or another machine's: nothing waits longer than after its last failure.
 */
export function dueOn(clock: Clock, nextAt: number | null, failures: number): number {
  if (nextAt === null) return 0;
  return elapsedOn(clock) + Math.min(nextAt - clock.now(), longestGapMs(failures));
}

/** The moment of `elapsedOn` for one in milliseconds since 1970; what is to come counts as now. */
export function sinceOn(clock: Clock, moment: number | null): number | null {
  return moment === null ? null : elapsedOn(clock) - Math.max(0, clock.now() - moment);
}

/** The moment in milliseconds since 1970 for one of `elapsedOn`. */
export function dateOn(clock: Clock, moment: number | null): number | null {
  return moment === null ? null : clock.now() + moment - elapsedOn(clock);
}

import { type Clock, elapsedOn } from '../../../platform/process/clock.ts';
import { retryGapMs } from './retry-gap.ts';

/** Whether a target is reachable. Times are milliseconds of `elapsedOn`. */
export interface Presence {
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
export function presenceOf(clock: Clock, random: () => number): Presence {
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

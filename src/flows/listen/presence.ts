import type { Clock } from '../../platform/clock.ts';
import { retryGapMs } from './retry-gap.ts';

/** Whether a target is there. Times are milliseconds since 1970. */
export interface Presence {
  /** It has given some answer. */
  answered(): void;
  /** A try that began then had no answer. */
  silent(began: number): void;
  /** Whether it did not answer when it was tried last. */
  isAway(): boolean;
  /** Until when nothing is sent to it, because it is away; 0 where it is there. */
  until(): number;
  /** Whether it has answered anything since then. */
  hasAnsweredSince(moment: number): boolean;
}

/** A target that is taken to be there until it does not answer at all; then it is tried at growing gaps. */
export function presenceOf(clock: Clock, random: () => number): Presence {
  let answeredAt = Number.NEGATIVE_INFINITY;
  let [failures, failedAt, until] = [0, 0, 0];
  return {
    answered() {
      answeredAt = clock.now();
      [failures, failedAt, until] = [0, 0, 0];
    },
    silent(began) {
      // Those that were on their way together are one failure.
      if (answeredAt >= began || (failures > 0 && began <= failedAt)) return;
      failures += 1;
      failedAt = clock.now();
      until = failedAt + retryGapMs(failures, random);
    },
    isAway: () => failures > 0,
    until: () => until,
    hasAnsweredSince: (moment) => answeredAt >= moment,
  };
}

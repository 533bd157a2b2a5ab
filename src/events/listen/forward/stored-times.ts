import { type Clock, elapsedOn } from '../../../platform/process/clock.ts';
import { longestGapMs } from './retry-gap.ts';

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

import { type Clock, systemClock } from '../../src/platform/process/clock.ts';

/** The machine's clock, except that it waits a tenth of what it is told: no promise hangs on how long a retry waits. */
export const impatientClock: Clock = {
  now: systemClock.now,
  wait: (milliseconds, signal) => systemClock.wait(milliseconds / 10, signal),
};

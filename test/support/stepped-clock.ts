import type { Clock } from '../../src/platform/process/clock.ts';

/** A clock that advances only by its own waits, which end at once and are recorded. */
export interface SteppedClock extends Clock {
  /** Milliseconds of each wait so far. */
  readonly waits: readonly number[];
}

export function steppedClock(start = Date.parse('2026-01-31T08:00:00Z')): SteppedClock {
  const waits: number[] = [];
  let now = start;
  return {
    now: () => now,
    elapsed: () => now - start + 1_000,
    async wait(milliseconds, signal) {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      now += milliseconds;
    },
    waits,
  };
}

/** The same, but other things happen during its waits: for what tells again and again how long it has waited. */
export function yieldingClock(start?: number): Clock {
  const clock = steppedClock(start);
  return {
    ...clock,
    async wait(milliseconds, signal) {
      await new Promise(setImmediate);
      await clock.wait(milliseconds, signal);
    },
  };
}

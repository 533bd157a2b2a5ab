import type { Clock } from '../../src/platform/process/clock.ts';

/** A clock that stands still; waits last until it is advanced. */
export interface StandingClock extends Clock {
  /** Advances the time, and ends the waits that are then over. */
  advance(milliseconds: number): void;
  /** Sets the clock ahead, or back, as a person may: no time passes. */
  jump(milliseconds: number): void;
}

/** A clock that stands at a given time. */
export function standingClock(start = Date.parse('2026-01-31T08:00:00Z')): StandingClock {
  const waiting = new Set<{ readonly until: number; readonly end: () => void }>();
  let now = start;
  let ahead = 0;
  return {
    now: () => now + ahead,
    // What has elapsed is no time of day: whoever takes the one for the other is far off.
    elapsed: () => now - start + 1_000,
    wait: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          waiting.delete(entry);
          reject(signal?.reason);
        };
        const entry = {
          until: now + milliseconds,
          end: () => {
            signal?.removeEventListener('abort', onAbort);
            waiting.delete(entry);
            resolve();
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waiting.add(entry);
        if (milliseconds <= 0) entry.end();
      }),
    advance(milliseconds) {
      now += milliseconds;
      for (const entry of [...waiting]) if (entry.until <= now) entry.end();
    },
    jump(milliseconds) {
      ahead += milliseconds;
    },
  };
}

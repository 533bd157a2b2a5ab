// Stands in for src/platform/process/clock.ts: the time of the world, as the process whose turn it is has it.
import type { Clock, StartTimer } from '../../../src/platform/process/clock.ts';
import { processNow, type SimProcess } from '../scheduler.ts';

export { elapsedOn } from '../../../src/platform/process/clock.ts';

const ORIGIN = Date.parse('2026-01-01T00:00:00Z');

export function clockOf(process: () => SimProcess): Clock {
  return {
    now: () => process().now(),
    // What has elapsed is no time of day.
    elapsed: () => process().world.now - ORIGIN,
    wait(milliseconds, signal) {
      const own = process();
      return own.waitFor('timer', `waited ${Math.ceil(milliseconds)} ms`, () => {}, {
        due: own.world.now + Math.max(0, Math.ceil(milliseconds)),
        signal,
      });
    },
  };
}

export const systemClock = clockOf(processNow);

/** Limits and grace periods are of real time: no world lasts so long. */
export const startTimer: StartTimer = (milliseconds, then) => {
  const timer = setTimeout(then, milliseconds);
  return { stop: () => clearTimeout(timer), unref: () => void timer.unref() };
};

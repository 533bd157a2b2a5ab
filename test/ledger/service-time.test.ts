import { expect, it } from 'vitest';
import { ServiceTime } from '../../src/ledger/service-time.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.parse('2026-01-31T08:00:00Z');

/** The time of a service whose dates were `known` milliseconds ahead of this machine's clock. */
function heard(known?: number) {
  const clock = { passed: 0 };
  const pass = (milliseconds: number) => {
    clock.passed += milliseconds;
  };
  const time = new ServiceTime({
    clock: {
      now: () => start + clock.passed,
      wait: async (milliseconds) => pass(milliseconds),
    },
  });
  time.expect(known);
  const hear = (aheadMs: number) => time.hear({ date: new Date(start + clock.passed + aheadMs).toUTCString() });
  return { time, hear, pass, clock };
}

it('believes the first Date of all', () => {
  const { time, hear } = heard();
  hear(-2 * day);
  expect([time.isKnown, time.now()]).toEqual([true, start - 2 * day]);
});

it.each([-10, 10])('believes a Date that is %d minutes off what it knows', (minutes) => {
  const { time, hear } = heard(hour);
  hear(hour + minutes * 60_000);
  expect(time.isKnown).toBe(true);
});

it.each([-11, 11])('believes one that is %d minutes off from the second on that agrees, a second later', (minutes) => {
  const { time, hear, pass } = heard(hour);
  const off = hour + minutes * 60_000;
  hear(off);
  pass(999);
  hear(off);
  expect(time.isKnown).toBe(false);
  pass(1);
  hear(off);
  expect([time.isKnown, Math.round((time.offset ?? 0) / 60_000)]).toEqual([true, 60 + minutes]);
});

it('does not believe two that are off by different times', () => {
  const { time, hear, pass } = heard(0);
  hear(-2 * day);
  pass(2_000);
  hear(-day);
  expect([time.isKnown, time.offset]).toEqual([false, 0]);
});

it('goes on with what it knows where one answer of a run is off', () => {
  const { time, hear } = heard(0);
  hear(0);
  hear(-2 * day);
  expect(time.offset).toBe(0);
});

it('dates by the later time as long as one is in doubt', () => {
  for (const off of [-2 * day, 2 * day]) {
    const { time, hear } = heard(0);
    hear(off);
    expect(time.moment).toEqual({ at: start + Math.max(0, off), localAt: start });
  }
});

it('judges what was heard before it knew', () => {
  const { time, hear } = heard();
  hear(-2 * day);
  time.expect(0);
  expect(time.isKnown).toBe(false);
});

it('says that a day has passed only where both clocks do', () => {
  const { time, hear } = heard(0);
  hear(0);
  const passed = (at: number, localAt: number) => time.hasPassed(day, { at: start - at, localAt: start - localAt });
  expect([passed(day, day), passed(day, hour), passed(hour, day)]).toEqual([true, false, false]);
  // Set back or ahead meanwhile.
  expect([passed(-day, 2 * day), passed(2 * day, -day)]).toEqual([false, false]);
});

it('asks once more, a second later, where the first answer is in doubt', async () => {
  const { time, hear, clock } = heard(0);
  const reads: number[] = [];
  await time.ask(async () => {
    reads.push(clock.passed);
    hear(-2 * day);
  });
  expect([reads, time.isKnown]).toEqual([[0, 1_000], true]);
});

it('leaves it open where the second answer does not agree', async () => {
  const { time, hear } = heard(0);
  const dates = [2 * day, 4 * day];
  await time.ask(async () => hear(dates.shift() ?? 0));
  expect(time.hasPassed(day, { at: 0, localAt: 0 })).toBe(false);
});

it('throws what a read throws that was not answered', async () => {
  const { time } = heard(0);
  await expect(time.ask(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
});

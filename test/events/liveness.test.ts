import { expect, it } from 'vitest';
import { livenessOf } from '../../src/events/listen/forward/liveness.ts';
import { elapsedOn } from '../../src/platform/process/clock.ts';
import { standingClock } from '../support/standing-clock.ts';

it('takes tries that were on their way together and had no answer for one failure', () => {
  const clock = standingClock();
  const liveness = livenessOf(clock, () => 1);
  const began = elapsedOn(clock);
  clock.advance(10);
  for (let tries = 0; tries < 16; tries += 1) liveness.silent(began);
  expect(liveness.isAway()).toBe(true);
  expect(liveness.until()).toBe(elapsedOn(clock) + 1000);
  clock.advance(1000);
  const next = elapsedOn(clock);
  clock.advance(10);
  liveness.silent(next);
  expect(liveness.until()).toBe(elapsedOn(clock) + 2000);
});

it('does not take a target for away that has answered since the try began', () => {
  const clock = standingClock();
  const liveness = livenessOf(clock, () => 1);
  const began = elapsedOn(clock);
  clock.advance(10);
  liveness.answered();
  liveness.silent(began);
  expect(liveness.isAway()).toBe(false);
  expect(liveness.until()).toBe(0);
  expect(liveness.hasAnsweredSince(began)).toBe(true);
  expect(liveness.hasAnsweredSince(elapsedOn(clock) + 1)).toBe(false);
});

import { expect, it } from 'vitest';
import { presenceOf } from '../../src/events/listen/forward/read-ahead.ts';
import { standingClock } from '../support/standing-clock.ts';

it('takes tries that were on their way together and had no answer for one failure', () => {
  const clock = standingClock();
  const presence = presenceOf(clock, () => 1);
  const began = clock.now();
  clock.advance(10);
  for (let tries = 0; tries < 16; tries += 1) presence.silent(began);
  expect(presence.isAway()).toBe(true);
  expect(presence.until()).toBe(clock.now() + 1000);
  clock.advance(1000);
  const next = clock.now();
  clock.advance(10);
  presence.silent(next);
  expect(presence.until()).toBe(clock.now() + 2000);
});

it('does not take a target for away that has answered since the try began', () => {
  const clock = standingClock();
  const presence = presenceOf(clock, () => 1);
  const began = clock.now();
  clock.advance(10);
  presence.answered();
  presence.silent(began);
  expect(presence.isAway()).toBe(false);
  expect(presence.until()).toBe(0);
  expect(presence.hasAnsweredSince(began)).toBe(true);
  expect(presence.hasAnsweredSince(clock.now() + 1)).toBe(false);
});

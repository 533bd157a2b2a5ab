import { expect, it } from 'vitest';
import { readMoment, startOfDay } from '../../src/domain/moment-text.ts';

const now = Date.parse('2026-02-03T12:00:00Z');

it('reads a day of local time, from its first moment to its last', () => {
  const first = readMoment('2026-02-03', now);
  expect(first).toBe(new Date(2026, 1, 3).getTime());
  expect(readMoment('2026-02-03', now, true)).toBe((first ?? 0) + 24 * 3_600_000 - 1);
  expect(startOfDay(now)).toBe(new Date(2026, new Date(now).getMonth(), new Date(now).getDate()).getTime());
});

it('reads times with a zone, and how long ago', () => {
  expect(readMoment('2026-02-03T12:00Z', 0)).toBe(now);
  expect(readMoment('2026-02-03T19:00:00+07:00', 0)).toBe(now);
  expect([readMoment('7d', now), readMoment('12h', now), readMoment('30m', now)]).toEqual([
    now - 7 * 86_400_000,
    now - 12 * 3_600_000,
    now - 1_800_000,
  ]);
});

it('takes nothing else', () => {
  for (const text of ['', '2026-02-30', '2026-13-01', '2026-02-03T12:00', '31/02/2026', '7', '-7d', '7w']) {
    expect([text, readMoment(text, now)]).toEqual([text, undefined]);
  }
});

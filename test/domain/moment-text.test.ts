import { expect, it } from 'vitest';
import { readDay, readMoment, startOfDay } from '../../src/domain/moment-text.ts';

const now = Date.parse('2026-02-03T18:00:00Z');
const zone = 'Asia/Ho_Chi_Minh';

it('reads a day of the zone, from its first moment to its last', () => {
  const first = Date.parse('2026-02-02T17:00:00Z');
  expect(readMoment('2026-02-03', { now, timeZone: zone })).toBe(first);
  expect(readMoment('2026-02-03', { now, timeZone: zone }, true)).toBe(first + 24 * 3_600_000 - 1);
  // It is 4 February in the shop already.
  expect(startOfDay(now, zone)).toBe(Date.parse('2026-02-03T17:00:00Z'));
  expect(readMoment('today', { now, timeZone: 'UTC' })).toBe(Date.parse('2026-02-03T00:00:00Z'));
});

it('reads times with a zone, and how long ago', () => {
  expect(readMoment('2026-02-03T18:00Z', { now: 0, timeZone: zone })).toBe(now);
  expect(readMoment('2026-02-04T01:00:00+07:00', { now: 0, timeZone: zone })).toBe(now);
  expect(['7d', '12h', '30m'].map((text) => readMoment(text, { now, timeZone: zone }))).toEqual([
    now - 7 * 86_400_000,
    now - 12 * 3_600_000,
    now - 1_800_000,
  ]);
});

it('reads days in each spelling, and weeks by their first or last one', () => {
  // A Tuesday.
  const today = '2026-02-03';
  expect(['3/2/2026', '2026-02-03', 'Today', 'yesterday'].map((text) => readDay(text, today))).toEqual([
    today,
    today,
    today,
    '2026-02-02',
  ]);
  expect([readDay('last week', today), readDay('last-week', today, true), readDay('this_week', today)]).toEqual([
    '2026-01-26',
    '2026-02-01',
    '2026-02-02',
  ]);
});

it('reads a day without its year as the latest one that is not in the future, where it can be told', () => {
  const told: string[] = [];
  const tell = (line: string) => void told.push(line);
  const days = ['3/2', '4/2', '30/11', '29/02', '31/02', '0/1', '30/13'];
  expect(days.map((text) => readDay(text, '2026-02-03', false, tell))).toEqual([
    ...['2026-02-03', '2025-02-04', '2025-11-30', '2024-02-29'],
    ...[undefined, undefined, undefined],
  ]);
  expect(told[2]).toBe('30/11 is read as 2025-11-30');
  expect(told).toHaveLength(4);
  expect(days.map((text) => readDay(text, '2026-02-03'))).toEqual(days.map(() => undefined));
  expect(readMoment('3/2', { now, timeZone: zone, tell })).toBe(readMoment('2026-02-03', { now, timeZone: zone }));
});

it('takes nothing else', () => {
  for (const text of ['', '2026-02-30', '2026-13-01', '2026-02-03T12:00', '31/02/2026', '7', '-7d', '7w']) {
    expect([text, readMoment(text, { now, timeZone: zone }), readDay(text, '2026-02-03')]).toEqual([
      text,
      undefined,
      undefined,
    ]);
  }
});

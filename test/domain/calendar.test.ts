import { expect, it } from 'vitest';
import {
  addDays,
  dayInZone,
  isDay,
  isoWeek,
  momentInZone,
  periodsIn,
  startOfDayInZone,
} from '../../src/domain/calendar.ts';
import { fc } from '../support/fast-check.ts';

it('numbers weeks as ISO 8601 does, also where they cross a year', () => {
  const weeks = ['2020-12-31', '2021-01-03', '2021-01-04', '2024-12-30', '2026-11-22', '2026-11-23'].map(isoWeek);
  expect(weeks).toEqual(['2020-W53', '2020-W53', '2021-W01', '2025-W01', '2026-W47', '2026-W48']);
});

it('splits any span into periods without a gap', () => {
  const day = fc.integer({ min: 0, max: 9000 }).map((count) => addDays('2010-01-01', count));
  fc.assert(
    fc.property(
      day,
      fc.integer({ min: 1, max: 400 }),
      fc.constantFrom('day', 'week', 'month'),
      (since, count, length) => {
        const until = addDays(since, count);
        const periods = periodsIn(since, until, length);
        expect([periods[0]?.first, periods.at(-1)?.next]).toEqual([since, until]);
        for (const [index, { first }] of periods.entries()) if (index > 0) expect(first).toBe(periods[index - 1]?.next);
        expect(new Set(periods.map(({ name }) => name)).size).toBe(periods.length);
      },
    ),
  );
});

it('finds where a day begins, whatever its zone does at midnight', () => {
  const zones = [
    'Asia/Ho_Chi_Minh',
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Africa/Cairo',
  ];
  const moment = fc.integer({ min: Date.parse('2015-01-01'), max: Date.parse('2030-01-01') });
  fc.assert(
    fc.property(moment, fc.constantFrom(...zones), (at, timeZone) => {
      const day = dayInZone(at, timeZone);
      const start = startOfDayInZone(day, timeZone);
      expect([dayInZone(start, timeZone), dayInZone(start - 1000, timeZone) < day]).toEqual([day, true]);
    }),
  );
  expect(new Date(startOfDayInZone('2026-11-23', 'Asia/Ho_Chi_Minh')).toISOString()).toBe('2026-11-22T17:00:00.000Z');
  expect(momentInZone(Date.parse('2026-11-22T18:05:00Z'), 'Asia/Ho_Chi_Minh')).toBe('2026-11-23 01:05');
});

it('knows which days there are', () => {
  expect(['2024-02-29', '2026-02-29', '2026-13-01', 'today', '2026-1-1'].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

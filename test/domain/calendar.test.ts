import { expect, it } from 'vitest';
import {
  addDays,
  dayInZone,
  inClockTime,
  isDay,
  machineZone,
  momentInZone,
  periodsIn,
  startOfDayInZone,
  zoneLabel,
} from '../../src/domain/calendar.ts';
import { fc } from '../support/fast-check.ts';

it('names a week by its first and its last day, also where it crosses a year or a span cuts it off', () => {
  const names = periodsIn('2026-12-24', '2027-01-06', 'week').map(({ name, first }) => [name, first]);
  expect(names).toEqual([
    ['2026-12-21 to 12-27', '2026-12-24'],
    ['2026-12-28 to 2027-01-03', '2026-12-28'],
    ['2027-01-04 to 01-10', '2027-01-04'],
  ]);
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

/** Runs something by other clocks of this machine. */
function withMachine<Value>(zone: string, work: () => Value): Value {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return work();
  } finally {
    process.env.TZ = before;
  }
}

it('knows the zone of this machine, by the name that people give it', () => {
  const moment = Date.parse('2026-07-31T08:00:59Z');
  const seen = () => [
    machineZone(),
    momentInZone(moment),
    momentInZone(moment, undefined, 'seconds'),
    zoneLabel(moment),
  ];
  expect(seen()).toEqual(['Asia/Ho_Chi_Minh', '2026-07-31 15:00', '2026-07-31 15:00:59', 'GMT+7']);
  expect(withMachine('Europe/Berlin', seen)).toEqual([
    'Europe/Berlin',
    '2026-07-31 10:00',
    '2026-07-31 10:00:59',
    'Europe/Berlin',
  ]);
  expect(withMachine('ICT-7', seen)).toEqual(['Etc/GMT-7', '2026-07-31 15:00', '2026-07-31 15:00:59', 'GMT+7']);
  expect(withMachine('UTC', seen)).toEqual(['UTC', '2026-07-31 08:00', '2026-07-31 08:00:59', 'UTC']);
});

it.each([
  ['Asia/Kolkata', 'GMT+5:30'],
  ['America/Phoenix', 'GMT-7'],
  ['Australia/Sydney', 'Australia/Sydney'],
  ['UTC', 'UTC'],
])('names %s', (zone, label) => {
  expect(zoneLabel(Date.parse('2026-01-31T08:00:00.120Z'), zone)).toBe(label);
});

it.each([
  [
    'sent at 2026-01-31T08:00:00Z, then at 2026-01-31T08:01:30.5+07:00',
    'sent at 2026-01-31 15:00 (GMT+7), then at 2026-01-31 08:01',
  ],
  ['`shopctl events list --since 2026-01-31T08:00:00Z`', undefined],
  ['add --since 2026-01-31T08:00:00Z or --until=2026-01-31T08:00:00Z', undefined],
  ['"2026-01-31T08:00:00Z" and "-1" are not understood', undefined],
  ['from 2026-01-31 to 2026-02-30T99:00Z', undefined],
  ['must be a time like 2026-01-31T08:00:00Z, or such as 2026-02-03T12:00Z', undefined],
])(
  'writes the moments of a sentence by the clocks of a zone, but nothing quoted and no command: %s',
  (sentence, written) => {
    expect(inClockTime(sentence, 'Asia/Ho_Chi_Minh')).toBe(written ?? sentence);
  },
);

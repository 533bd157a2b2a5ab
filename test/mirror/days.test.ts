import { describe, expect, it } from 'vitest';
import { daysIn } from '../../src/mirror/store/write/days.ts';
import { fc } from '../support/fast-check.ts';

/** Zones without and with summer time, ahead of UTC and behind, with odd offsets, and two that moved the date line. */
const zones = [
  'UTC',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Europe/Lisbon',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kwajalein',
];

const dayBy = (timeZone: string, at: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

describe('the day of a moment', () => {
  it('is that of the calendar in the zone', () => {
    const moments = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) });
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.array(moments, { minLength: 1 }), (zone, all) => {
        const dayOf = daysIn(zone);
        for (const at of all) expect(dayOf(new Date(at))).toBe(dayBy(zone, at));
      }),
    );
  });

  it('is that of the calendar around days on which clocks are set', () => {
    const halfHour = 1_800_000;
    const sets: readonly (readonly [string, number])[] = [
      ['America/New_York', Date.UTC(2025, 2, 9)],
      ['America/New_York', Date.UTC(2025, 10, 2)],
      ['America/Sao_Paulo', Date.UTC(2018, 10, 4)],
      ['Australia/Lord_Howe', Date.UTC(2025, 3, 6)],
      ['Pacific/Apia', Date.UTC(2011, 11, 30)],
      ['Pacific/Kwajalein', Date.UTC(1993, 7, 21)],
    ];
    for (const [zone, on] of sets) {
      const dayOf = daysIn(zone);
      for (let step = -72; step < 72; step += 1) {
        const at = on + step * halfHour;
        expect([zone, at, dayOf(new Date(at))]).toEqual([zone, at, dayBy(zone, at)]);
      }
    }
  });

  it('is empty for what is no moment', () => {
    const dayOf = daysIn('UTC');
    expect([null, undefined, '', 'soon'].map(dayOf)).toEqual(['', '', '', '']);
  });
});

import { describe, expect, it } from 'vitest';
import { millisecondsOf } from '../../src/action/duration-field.ts';
import { parseDuration, parseMoment } from '../../src/domain/calendar.ts';

describe('a duration', () => {
  it('is read in days, hours, minutes and seconds, in this order', () => {
    const second = 1000;
    const read: [string, number][] = [
      ['30s', 30 * second],
      ['0s', 0],
      ['15m', 15 * 60 * second],
      ['44h1m', (44 * 60 + 1) * 60 * second],
      ['2d', 48 * 3600 * second],
      ['1d2h3m4s', (26 * 3600 + 3 * 60 + 4) * second],
      [' 90m ', 90 * 60 * second],
    ];
    for (const [text, milliseconds] of read) expect([text, parseDuration(text)]).toEqual([text, milliseconds]);
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      '5',
      's',
      '1.5h',
      '-1h',
      '1h 1m',
      '1m1h',
      '1h1h',
      '1w',
      '10S',
      '1ms',
      '99999999999s',
      '1h1',
    ]) {
      expect([text, parseDuration(text)]).toEqual([text, undefined]);
    }
  });
});

it('a duration that is given may be a plain number of seconds as well', () => {
  const given = ['30s', '10', '1.5', ' 2 ', '0'].map((text) => millisecondsOf('within', text));
  expect(given).toEqual([30_000, 10_000, 1500, 2000, 0]);
  for (const text of ['', '-1', '1.5s', '1,5', 'soon']) {
    expect(() => millisecondsOf('within', text)).toThrow('within is not a duration');
  }
});

describe('a moment', () => {
  it('is read as a time with its zone, or as a day in UTC', () => {
    const moment = Date.UTC(2026, 1, 1, 8);
    for (const text of [
      '2026-02-01T08:00:00Z',
      '2026-02-01t08:00z',
      '2026-02-01T15:00:00+07:00',
      '2026-02-01T08:00:00.000Z',
    ]) {
      expect([text, parseMoment(text)]).toEqual([text, moment]);
    }
    expect(parseMoment('2026-02-01')).toBe(Date.UTC(2026, 1, 1));
    expect(parseMoment('2028-02-29')).toBe(Date.UTC(2028, 1, 29));
  });

  it('is nothing else: no time without a zone, and no day that there is not', () => {
    const wrong = [
      '',
      'now',
      '2026',
      '2026-02-30',
      '2026-02-29T08:00:00Z',
      '2026-02-01T08:00:00',
      '2026-02-01T25:00:00Z',
      '2026-13-01',
      '1770000000',
    ];
    for (const text of wrong) expect([text, parseMoment(text)]).toEqual([text, undefined]);
  });
});

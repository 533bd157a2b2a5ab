import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { coordinates } from '../../src/contract/records/address.ts';
import { fieldErrors, words } from '../../src/contract/schema/hint.ts';
import { readLeniently } from '../../src/contract/schema/parse.ts';
import { id, idsFilter, idText, int, openName, record, requiring } from '../../src/contract/schema/scalars.ts';
import { fc } from '../support/fast-check.ts';

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

const messageOf = (schema: z.ZodObject, input: unknown) => {
  const result = schema.safeParse(input, { error: words });
  return result.success ? undefined : fieldErrors(result.error)[0]?.message;
};

describe('an id', () => {
  const one = id('Id');

  it('keeps all its digits, whatever they are', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: MIN, max: MAX }), (value) => {
        expect(one.parse(value.toString())).toBe(value.toString());
        expect(one.parse(value)).toBe(value.toString());
      }),
    );
    expect(one.parse('1234567890123456789')).toBe('1234567890123456789');
  });

  it('is read in an answer as it is read alone, up to the last one that there is and beyond', () => {
    const answer = record({ id: one });
    const edges = [
      MAX - 1n,
      MAX,
      MAX + 1n,
      MIN,
      MIN - 1n,
      8_999_999_999_999_999_999n,
      9_999_999_999_999_999_999n,
      10n ** 19n,
    ];
    for (const text of [...edges.map(String), '0', '-1', '01', '1e3', ' 1', '1\n', '', 'x']) {
      const alone = one.safeParse(text);
      expect(readLeniently(answer, { id: text }).ok, text).toBe(alone.success);
    }
  });

  it('may come as a number that lost no digit', () => {
    expect(one.parse(42)).toBe('42');
    expect(one.parse(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991');
    expect(messageOf(record({ one }), { one: 2 ** 53 })).toMatch(/write the id as a string/);
  });

  it('ends at the limits of 64 bits', () => {
    for (const value of [MAX, MIN]) expect(one.parse(String(value))).toBe(String(value));
    for (const value of [MAX + 1n, MIN - 1n, 10n ** 19n]) {
      expect(one.safeParse(value).success).toBe(false);
      expect(one.safeParse(String(value)).success).toBe(false);
    }
  });

  it.each(['', ' 1', '1 ', '+1', '01', '-0', '1.0', '1e3', '0x1', '１', 'abc', 1.5, Number.NaN, true, [], {}])(
    'is not %j',
    (value) => {
      expect(messageOf(record({ one }), { one: value })).toBe('is not a 64-bit integer id');
    },
  );

  it('is missing where it is required and absent or null', () => {
    expect(messageOf(requiring({ one }, {}), {})).toBe('is required');
    expect(messageOf(requiring({ one }, {}), { one: null })).toBe('is required');
  });
});

describe('a filter by ids', () => {
  const many = idsFilter('Ids');

  it.each([
    ['1,2,3', '1,2,3'],
    [' 1 , 2,3 ', '1,2,3'],
    ['', ''],
    ['1234567890123456789,9223372036854775807', '1234567890123456789,9223372036854775807'],
    [7, '7'],
    [7n, '7'],
    [['1', 2, 3n], '1,2,3'],
    [['1,2', '3'], '1,2,3'],
  ])('reads %s', (given, read) => {
    expect(many.parse(given)).toBe(read);
  });

  it.each([
    '0',
    '1,0',
    '1,,2',
    ',',
    '1,',
    '-1',
    'abc',
    '1;2',
    '1 2',
    '9223372036854775808',
    ' ',
    [],
    [''],
    [' '],
    ['', '1'],
  ])('refuses %j', (given) => {
    expect(messageOf(record({ many }), { many: given })).toMatch(/^must be ids separated by commas/);
  });

  it.each([[[null]], [[['1']]], [2 ** 53], [1.5], [{}], [true]])('refuses %j', (given) => {
    expect(many.safeParse(given).success).toBe(false);
  });

  it('judges a long text by one look at each character', () => {
    // More than one for each other character would take hours.
    expect(many.safeParse(`1${' '.repeat(1_000_000)}x`).success).toBe(false);
  });
});

describe('a whole number', () => {
  it.each([
    [1.5, 'must be an integer'],
    ['1', 'must be an integer'],
    [Number.NaN, 'must be an integer'],
    [2 ** 53, 'is larger than a JSON number can carry exactly'],
    [-(2 ** 53), 'is larger than a JSON number can carry exactly'],
  ])('is not %s', (given, message) => {
    expect(messageOf(record({ count: int('Count', 'items') }), { count: given })).toBe(message);
  });
});

describe('a place on the map', () => {
  const place = requiring({ coordinates }, {});
  const wrong = (given: object) => {
    const result = place.safeParse({ coordinates: given }, { error: words });
    return result.success ? [] : fieldErrors(result.error);
  };

  it('has both of its numbers or neither', () => {
    expect(wrong({ latitude: 10.762622, longitude: 106.660172 })).toEqual([]);
    expect(wrong({ latitude: 0, longitude: 0 })).toEqual([]);
    for (const neither of [{}, { latitude: null, longitude: null }]) expect(wrong(neither)).toEqual([]);
    const message = (given: string, missing: string) => `is missing: ${given} and ${missing} go together`;
    expect(wrong({ latitude: 0 })).toEqual([
      { path: 'coordinates.longitude', message: message('latitude', 'longitude') },
    ]);
    expect(wrong({ longitude: 106.6, latitude: null })).toEqual([
      { path: 'coordinates.latitude', message: message('longitude', 'latitude') },
    ]);
  });

  it('is on earth', () => {
    expect(wrong({ latitude: -90, longitude: 180 })).toEqual([]);
    expect(wrong({ latitude: 90.1, longitude: -180.1 })).toEqual([
      { path: 'coordinates.latitude', message: 'must be from -90 to 90 degrees' },
      { path: 'coordinates.longitude', message: 'must be from -180 to 180 degrees' },
    ]);
  });

  it('is read as it comes', () => {
    expect(readLeniently(coordinates, { latitude: 21 })).toEqual({ ok: true, value: { latitude: 21 } });
  });
});

describe('an id that is plain text', () => {
  const one = idText('Id');

  it('may be an integer, and is judged by the service alone', () => {
    expect(one.parse(42)).toBe('42');
    expect(one.parse(1234567890123456789n)).toBe('1234567890123456789');
    for (const text of ['1234567890123456789', '', 'abc']) expect(one.parse(text)).toBe(text);
    expect(messageOf(record({ one }), { one: 2 ** 53 })).toMatch(/write the id as a string/);
    for (const value of [true, 1.5, {}])
      expect(messageOf(record({ one }), { one: value })).toBe('is not a 64-bit integer id');
  });
});

it('passes every value of a name that the contract knows only in part', () => {
  const carrier = openName(['manual', 'partner'], 'Carrier');
  for (const value of ['manual', 'redkite', '']) expect(carrier.parse(value)).toBe(value);
  expect(carrier.safeParse(1).success).toBe(false);
});

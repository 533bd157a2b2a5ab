import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { fieldErrors, words } from '../../src/contract/field-errors.ts';
import { id, idsFilter, int, record, requiring } from '../../src/contract/scalars.ts';

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

  it.each(['0', '1,0', '1,,2', ',', '1,', '-1', 'abc', '1;2', '1 2', '9223372036854775808', [], [''], ['', '1']])(
    'refuses %j',
    (given) => {
      expect(messageOf(record({ many }), { many: given })).toMatch(/^must be ids separated by commas/);
    },
  );

  it.each([[[null]], [[['1']]], [2 ** 53], [1.5], [{}], [true]])('refuses %j', (given) => {
    expect(many.safeParse(given).success).toBe(false);
  });

  it('judges a long text without delay', () => {
    const started = performance.now();
    expect(many.safeParse(`1${' '.repeat(1_000_000)}x`).success).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('a whole number', () => {
  it.each([
    [1.5, 'must be an integer'],
    ['1', 'must be an integer'],
    [Number.NaN, 'must be an integer'],
    [2 ** 53, 'is beyond the integers a JSON number can carry exactly'],
    [-(2 ** 53), 'is beyond the integers a JSON number can carry exactly'],
  ])('is not %s', (given, message) => {
    expect(messageOf(record({ count: int('Count', 'items') }), { count: given })).toBe(message);
  });
});

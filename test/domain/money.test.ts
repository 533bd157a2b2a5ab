import { expect, it } from 'vitest';
import { formatMoney } from '../../src/domain/amounts/money.ts';
import { AmountError } from '../../src/domain/amounts/weight.ts';
import { fc } from '../support/fast-check.ts';

it('groups digits by threes', () => {
  expect([0, 7, 999, 1000, 1380000, -1234, -999].map(formatMoney)).toEqual([
    '0',
    '7',
    '999',
    '1,000',
    '1,380,000',
    '-1,234',
    '-999',
  ]);
  expect(formatMoney(Number.MAX_SAFE_INTEGER)).toBe('9,007,199,254,740,991');
});

it('shows neither symbol nor decimal point, and loses nothing', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (amount) => {
      const shown = formatMoney(amount);
      expect(shown).toMatch(/^-?\d{1,3}(,\d{3})*$/);
      expect(Number(shown.replaceAll(',', ''))).toBe(amount + 0);
    }),
  );
});

it('refuses what is not an exact integer', () => {
  for (const amount of [0.5, Number.NaN, 2 ** 53]) expect(() => formatMoney(amount)).toThrow(AmountError);
});

import { expect, it } from 'vitest';
import { formatMoney, readAmountText } from '../../src/domain/amounts/money.ts';
import { fc } from '../support/fast-check.ts';

it.each([
  ['1350000', 1350000],
  ['1.350.000', 1350000],
  ['1,350,000', 1350000],
  ['1 350 000', 1350000],
  ['1\u00a0350\u00a0000', 1350000],
  ['1\u202f350\u202f000', 1350000],
  ["1'350'000", 1350000],
  [' 1350000 ', 1350000],
  ['1350000 ₫', 1350000],
  ['1.350.000₫', 1350000],
  ['₫1,350,000', 1350000],
  ['1.350.000 đ', 1350000],
  ['1.350.000đ'.normalize('NFD'), 1350000],
  ['1.350.000 VND', 1350000],
  ['VNĐ 1.350.000', 1350000],
  ['1.350.000 đồng', 1350000],
  ['450.000', 450000],
  ['450,000', 450000],
  ['1350000.00', 1350000],
  ['1350000.0', 1350000],
  ['1,350,000.00', 1350000],
  ['1.350.000,00', 1350000],
  ['1.350,00', 1350],
  ['0', 0],
  ['-0', 0],
  ['00', 0],
  ['0.00', 0],
  ['-1.350.000', -1350000],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
])('reads %j as %d', (text, amount) => {
  expect(readAmountText(text)).toEqual({ ok: true, amount });
});

it.each([
  '',
  ' ',
  '₫',
  '1.35',
  '1,35',
  '1,5',
  '1.3500',
  '1350.000',
  '1350,000',
  '0.500',
  '0,500',
  '012.500',
  '1.350,000',
  '1,350.000',
  '1.350.00',
  '1.350.000.00',
  '1.350,5',
  '1.350.00,00',
  '1. 350.000',
  '1..350',
  '.350',
  '1.350.',
  '13.50.000',
  '450k1',
  '1.350tr',
  '1.350k',
  '1,350 triệu',
  '85.50k',
  '1tr2k',
  '450k-500k',
  '1tr rưỡi',
  '2 triệu rưỡi',
  'k',
  '1.35E+06',
  '1e6',
  '$1,350',
  '1,350 USD',
  '(1,350)',
  '+1350',
  '--1',
  '- 1',
  '1 35',
  '135 0000',
  '0x10',
  'Infinity',
  'NaN',
  '１３５０',
  '١٣٥',
  'abc',
  '₫ 1.350 ₫ 2',
  '9007199254740992',
  '9'.repeat(400),
  `1${'.000'.repeat(400)}`,
])('refuses %j', (text) => {
  const reading = readAmountText(text);
  expect(reading).toEqual({ ok: false, message: expect.stringMatching(/^(is|has|can|must) /) });
});

it('says what to do', () => {
  expect(readAmountText('1.35')).toEqual({
    ok: false,
    message: 'can be read in more than one way: write it like 1350000, 1.350.000 or 1,350,000',
  });
  expect(readAmountText('1.350tr')).toMatchObject({ message: expect.stringMatching(/^must have all its digits: /) });
  expect(readAmountText('1.35E+06')).toMatchObject({ message: expect.stringMatching(/^has lost digits/) });
  expect(readAmountText('9007199254740992')).toMatchObject({ message: expect.stringMatching(/^is larger than/) });
});

it.each([
  ['450k', 450_000],
  ['450 K', 450_000],
  ['350ng', 350_000],
  ['350 ngàn', 350_000],
  ['350 nghìn', 350_000],
  ['1tr', 1_000_000],
  ['1tr2', 1_200_000],
  ['1tr25', 1_250_000],
  ['1tr350', 1_350_000],
  ['2 triệu', 2_000_000],
  ['1,2 triệu', 1_200_000],
  ['1.35tr', 1_350_000],
  ['0,35tr', 350_000],
  ['85.5k', 85_500],
  ['85,5 nghìn', 85_500],
  ['-450k', -450_000],
])('reads %j, and says how', (text, amount) => {
  expect(readAmountText(text)).toEqual({ ok: true, amount, note: `is read as ${formatMoney(amount)}` });
});

it('reads every amount back as it is shown, with any of the marks', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.constantFrom(',', '.', ' ', "'", ''), (amount, mark) => {
      const shown = formatMoney(amount).replaceAll(',', mark);
      expect(readAmountText(shown)).toEqual({ ok: true, amount: amount + 0 });
    }),
  );
});

it('never makes of a text another number than its digits say', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[-\d., k₫]{1,14}$/), (text) => {
      const reading = readAmountText(text);
      if (!reading.ok) return;
      const digits = text.replaceAll(/\D/g, '') + (text.includes('k') ? (/[.,]\d\s*k/.test(text) ? '00' : '000') : '');
      const decimals = /[.,]0{1,2}\s*₫?\s*$/.test(text) ? [digits, digits.slice(0, -1), digits.slice(0, -2)] : [digits];
      expect(decimals.map(Number)).toContain(Math.abs(reading.amount));
    }),
    { numRuns: 3000 },
  );
});

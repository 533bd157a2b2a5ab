import { expect, it } from 'vitest';
import { readText } from '../../src/sheets/service/cells.ts';
import { readCell } from '../../src/sheets/values.ts';

const text = { type: 'string' } as const;

it.each(['external_id', 'id', 'order_code', 'phone'])(
  'a number of 16 digits is no %s: the last one is a guess',
  (name) => {
    expect(readCell(999_999_999_999_999, text, name)).toMatchObject({ kind: 'value' });
    for (const ruined of [1e15, 1_234_567_890_123_456, 9e15]) {
      expect(readCell(ruined, text, name)).toMatchObject({ kind: 'wrong', message: expect.stringContaining('ruined') });
    }
    expect(readCell('1234567890123456', text, name)).toMatchObject({ kind: 'value', value: '1234567890123456' });
  },
);

it.each(['service_code', 'external_id', 'pickup_address_id'])(
  'a text with an E among its digits is a code, and only what a spreadsheet writes is a ruined number (%s)',
  (name) => {
    for (const code of ['0E68070526', '1E5', '9e12', '4E0000']) {
      expect(readCell(code, text, name)).toEqual({ kind: 'value', value: code });
    }
    for (const ruined of ['9.63E+14', '9,63E+14', '9E+14', '-9.63e14', '1.5E7']) {
      expect(readCell(ruined, text, name)).toMatchObject({ kind: 'wrong' });
    }
  },
);

it.each(['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!'])('the error of a formula in csv is no text (%s)', (error) => {
  expect(readCell(error, text, 'full_name')).toMatchObject({
    kind: 'wrong',
    message: expect.stringContaining('error of'),
  });
  expect(readText(error)).toMatchObject({ kind: 'wrong' });
  expect(readCell(`${error} 5`, text, 'full_name')).toMatchObject({ kind: 'value' });
});

it('what a program writes for no value is no text of any field, and no person, place or goods', () => {
  const said = { kind: 'wrong', message: expect.stringContaining('where there is no value') };
  for (const nothing of ['nan', 'NaN', '<NA>', 'null', 'NULL', 'NaT', 'undefined'])
    for (const name of ['full_name', 'address1', 'product_name', 'shipping_note', 'external_id', 'code'])
      expect([nothing, name, readCell(nothing, text, name)]).toEqual([nothing, name, said]);
  for (const nothing of ['None', 'N/A', 'nil', '-', '...', '—']) {
    for (const name of ['full_name', 'address1', 'ward', 'product_name'])
      expect([nothing, name, readCell(nothing, text, name)]).toEqual([nothing, name, said]);
    expect(readCell(nothing, text, 'shipping_note')).toMatchObject({ kind: 'value' });
  }
  for (const name of ['Nan', 'Null Nguyễn', 'Nón', 'A-B', '12'])
    expect(readCell(name, text, 'full_name')).toMatchObject({ kind: 'value' });
  expect(readCell('none', { type: 'string', enum: ['none', 'open'] }, 'try_on')).toEqual({
    kind: 'value',
    value: 'none',
  });
});

it('a number of a formula is read as a spreadsheet shows it, with 15 digits', () => {
  const amount = { type: 'integer', unit: 'currency units' } as const;
  const items = { type: 'integer', unit: 'items' } as const;
  expect(readCell(385000.00000000006, amount, 'retail_price')).toEqual({ kind: 'value', value: 385_000 });
  expect(readCell(2.9999999999999996, items, 'quantity')).toEqual({ kind: 'value', value: 3 });
  expect(readCell(385000.5, amount, 'retail_price')).toMatchObject({ kind: 'wrong' });
  expect(readCell(2.5, items, 'quantity')).toMatchObject({ kind: 'wrong' });
  // Of a number of more digits, those behind the fifteenth are lost; as a text it has all of them.
  expect(readCell(9_007_199_254_740_991, amount, 'retail_price')).toMatchObject({ kind: 'wrong' });
  expect(readCell('9007199254740991', amount, 'retail_price')).toMatchObject({ value: 9_007_199_254_740_991 });
});

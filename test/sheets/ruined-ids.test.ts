import { expect, it } from 'vitest';
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

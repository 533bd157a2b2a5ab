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

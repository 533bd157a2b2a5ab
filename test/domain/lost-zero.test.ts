import { expect, it } from 'vitest';
import { lookAtPhone } from '../../src/domain/likeness.ts';

it('a leading 0 is put back before nine digits, and before no other number', () => {
  expect(lookAtPhone('901234567')).toMatchObject({ meant: '0901234567' });
  for (const digits of ['1234567', '12345678', '1234567890', '12345678901', '012345678']) {
    expect([digits, lookAtPhone(digits)]).toEqual([digits, expect.not.objectContaining({ meant: expect.anything() })]);
  }
});

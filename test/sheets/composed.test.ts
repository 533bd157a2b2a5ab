import { expect, it } from 'vitest';
import { textOf } from '../../src/sheets/values.ts';
import { fc } from '../support/fast-check.ts';

/** Letters that are composed already, marks that join what stands before them, and everything else. */
const unit = fc.oneof(
  fc.constantFrom('ế', 'Ế', 'e', 'ê', '\u0301', '\u0323', '\u0302', '\u031b', 'ơ', 'đ', '\u212b', '\u0340', '\u1fbe'),
  fc.integer({ min: 0, max: 0x2ff }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0x1ea0, max: 0x1f10 }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0x300, max: 0x3ff }).map((code) => String.fromCodePoint(code)),
  fc.string({ unit: 'binary', maxLength: 2 }),
);

it('reads every text in composed form, however it was typed', () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 6 }), (units) => {
      const text = units.join('');
      expect(textOf(text)).toBe(text.replaceAll(/\r\n?/g, '\n').trim().normalize('NFC'));
    }),
    { numRuns: 5000 },
  );
});

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { completeJson } from '../../src/sandbox/engine/complete-answer.ts';
import { perMille } from '../../src/sandbox/service/shipments/tariff.ts';
import { fc } from '../support/fast-check.ts';

const exact = (amount: number, rate: number) => Number((BigInt(amount) * BigInt(rate) + 999n) / 1000n);

describe('thousandths of an amount', () => {
  it('are rounded up exactly, whatever the size of the amount', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 50 }), (amount, rate) => {
        expect(perMille(amount, rate)).toBe(exact(amount, rate));
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), fc.constantFrom(-1, 0, 1), (thousands, beside) => {
        const amount = Math.max(0, thousands * 1000 + beside);
        expect(perMille(amount, 1)).toBe(exact(amount, 1));
      }),
    );
  });

  it('are none of nothing', () => {
    expect(perMille(0, 5)).toBe(0);
    expect(perMille(1, 5)).toBe(1);
  });
});

const texts = z.object({ text: z.string() });

it('a text in an answer is written as JSON writes it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      expect(completeJson(texts, { text })).toBe(JSON.stringify({ text }));
    }),
  );
  for (let unit = 0; unit <= 0xffff; unit += 1) {
    const text = `a${String.fromCharCode(unit)}`;
    const written = completeJson(texts, { text });
    if (written !== JSON.stringify({ text })) expect(written).toBe(JSON.stringify({ text }));
  }
});

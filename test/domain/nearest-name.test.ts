import { describe, expect, it } from 'vitest';
import { editDistance } from '../../src/domain/likeness.ts';
import { nearestName, nearestNames } from '../../src/domain/nearest-name.ts';
import { fc } from '../support/fast-check.ts';

const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c', 'đ') });

describe('the distance of two texts', () => {
  it.each([
    ['phone', 'phone', 0],
    ['phone', 'phon', 1],
    ['phone', 'phonne', 1],
    ['phone', 'phane', 1],
    ['amount', 'amuont', 1],
    ['abc', 'xyz', 3],
  ])('of %s and %s is %i', (left, right, steps) => {
    expect(editDistance(left, right, 10)).toBe(steps);
  });

  it('is the same both ways, and at most the longer length', () => {
    fc.assert(
      fc.property(word, word, (left, right) => {
        const steps = editDistance(left, right, 20);
        expect(steps).toBe(editDistance(right, left, 20));
        expect(steps).toBeLessThanOrEqual(Math.max(left.length, right.length));
        expect(steps === 0).toBe(left === right);
      }),
    );
  });

  it('is not told beyond what is asked for', () => {
    fc.assert(
      fc.property(word, word, fc.nat(6), (left, right, most) => {
        expect(editDistance(left, right, most)).toBe(Math.min(editDistance(left, right, 20), most + 1));
      }),
    );
  });
});

describe('the nearest names', () => {
  const known = ['cod_amount', 'shipping.cod_amount', 'full_name', 'id'];

  it('are those that a misspelling most likely meant, the nearest first', () => {
    expect(nearestNames('cod_amuont', known)).toEqual(['cod_amount']);
    expect(nearestNames('codAmount', known)).toEqual(['cod_amount', 'shipping.cod_amount']);
    expect(nearestName('Full-Name', known)).toBe('full_name');
  });

  it('are none where nothing is near, whatever is given', () => {
    expect(nearestNames('weight', known)).toEqual([]);
    expect(nearestNames('x'.repeat(10_000), known)).toEqual([]);
    expect(nearestName('', ['full_name'])).toBeUndefined();
  });
});

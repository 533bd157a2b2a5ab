import { describe, expect, it } from 'vitest';
import { createIds } from '../../src/sandbox/engine/store/ids.ts';
import { fixedRandom, testStart } from '../support/sandbox.ts';

describe('ids', () => {
  const make = (now: number, count: number, highest?: string) => {
    const ids = createIds(() => now, fixedRandom(), highest);
    return Array.from({ length: count }, () => ids.next());
  };

  it('have 19 digits, grow, and fit no JavaScript number', () => {
    for (const now of [0, testStart, Date.parse('9999-01-01T00:00:00Z')]) {
      const ids = make(now, 2000);
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) {
        expect(id).toMatch(/^\d{19}$/);
        expect(BigInt(id)).toBeLessThan(2n ** 63n);
        expect(BigInt(Number(id)).toString()).not.toBe(id);
      }
    }
  });

  it('go on after the highest there was, also when the clock was set back', () => {
    const [last = ''] = make(testStart, 1);
    const [next = ''] = make(0, 1, last);
    expect(next > last).toBe(true);
  });

  it('are the same for the same clock and chance', () => {
    expect(make(testStart, 5)).toEqual(make(testStart, 5));
  });
});

import { describe, expect, it } from 'vitest';
import { isDeeperThan, isSurelyWithin, jsonExtent } from '../../src/domain/json/values.ts';
import { fc } from '../support/fast-check.ts';

describe('the extent of a JSON text', () => {
  it('counts levels and values, and nothing in a string', () => {
    expect(jsonExtent('{"a":[1,{"b":"[[[{,,"}],"c":"\\"["}')).toEqual({ depth: 3, values: 6 });
  });

  it('has the depth of its parsed value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, levels) => {
        expect(isDeeperThan(levels, value)).toBe(jsonExtent(JSON.stringify(value)).depth > levels);
      }),
      { numRuns: 1_000 },
    );
    expect(isDeeperThan(100, JSON.parse(`${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`))).toBe(true);
  });

  it('is never more than what a text is surely within', () => {
    const limit = fc.record({ depth: fc.nat(6), values: fc.nat(60) });
    fc.assert(
      fc.property(fc.stringMatching(/^[[\]{}",:1 \\]{0,40}$/), limit, (text, most) => {
        const { depth, values } = jsonExtent(text);
        if (isSurelyWithin(text, most)) expect(depth <= most.depth && values <= most.values).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is known without a measure for an answer of the usual size, and only for such', () => {
    const answer = JSON.stringify({
      orders: Array.from({ length: 20 }, () => ({ id: '1', lines: [{ quantity: 1 }] })),
    });
    expect(isSurelyWithin(answer, { depth: 100, values: 500_000 })).toBe(true);
    expect(isSurelyWithin('['.repeat(101), { depth: 100, values: 500_000 })).toBe(false);
    expect(isSurelyWithin(`[${'1,'.repeat(300_000)}1]`, { depth: 100, values: 500_000 })).toBe(false);
  });
});

import { expect, it } from 'vitest';
import { chosenNumbers, SeenIds } from '../../src/mirror/verify.ts';
import { randomFrom } from '../support/random-from.ts';

it('chooses as many numbers as were asked for, each once, and every one of them at times', () => {
  const random = randomFrom(7);
  expect(chosenNumbers(9, 5, random).sort()).toEqual([1, 2, 3, 4, 5]);
  expect(chosenNumbers(3, 0, random)).toEqual([]);
  const inWalk = new Map<number, number>();
  for (let round = 0; round < 2_000; round += 1) {
    const chosen = chosenNumbers(3, 6, random);
    expect(new Set(chosen).size).toBe(3);
    for (const number of chosen) inWalk.set(number, (inWalk.get(number) ?? 0) + 1);
  }
  for (const number of [1, 2, 3, 4, 5, 6]) expect(Math.abs((inWalk.get(number) ?? 0) - 1_000)).toBeLessThan(150);
});

it('knows which of many ids were met, in eight bytes each', () => {
  const inWalk = new SeenIds();
  const ids = Array.from({ length: 5_000 }, (_, at) => `${at}-${at % 7}`);
  for (const id of ids.filter((_, at) => at % 3 > 0)) inWalk.add(id);
  expect(inWalk.unmet(ids)).toEqual(ids.filter((_, at) => at % 3 === 0));
  inWalk.add('0-0');
  expect(inWalk.unmet(['0-0', '3-3'])).toEqual(['3-3']);
  expect(new SeenIds().unmet(['1'])).toEqual(['1']);
});

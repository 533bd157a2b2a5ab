import { getHeapStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { freeMemory } from '../../src/platform/process/free-memory.ts';

/** Objects that nobody refers to any more when it returns; how many there were. */
function waste(count: number): number {
  return Array.from({ length: count }, (_, number) => ({ number, text: `${number}` })).length;
}

it('collects what is not in use any more, beyond a limit and not before', () => {
  freeMemory(0);
  expect(waste(300_000)).toBe(300_000);
  const before = getHeapStatistics().used_heap_size;
  freeMemory(Number.POSITIVE_INFINITY);
  expect(getHeapStatistics().used_heap_size).toBeGreaterThan(before - 1_000_000);
  freeMemory(0);
  expect(getHeapStatistics().used_heap_size).toBeLessThan(before - 10_000_000);
});

// Stands in for src/platform/process/free-memory.ts where the program reads files in the tests' process (vitest.config.ts): what
// is in use there, all sources and all tests, is beyond the limit from the first on, and each file of one row would collect it all.
import { getHeapStatistics } from 'node:v8';
import { freeMemory as collect } from '../../src/platform/process/free-memory.ts';

const used = () => getHeapStatistics().used_heap_size;

/** What was in use when it was least; what has come since is the program's. */
let before = used();

/** Collects garbage now if more than so many bytes have come together since it was done last. */
export function freeMemory(beyondBytes: number): void {
  before = Math.min(before, used());
  if (used() - before <= beyondBytes) return;
  collect(0);
  before = used();
}

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage now if more than so many bytes of it and of what is in use have come together. V8 waits until a heap is
 * some times as large as after its last collection: what reads one file after another would keep many of them in memory.
 */
export function freeMemory(beyondBytes: number): void {
  if (getHeapStatistics().used_heap_size <= beyondBytes) return;
  collect ??= collectorOfV8();
  if (typeof collect === 'function') collect();
}

let collect: unknown;

function collectorOfV8(): unknown {
  // Only for a moment: V8 refuses code that was compiled under other flags.
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return found;
}

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { kindsOfTests } from './test/once/kinds.ts';
import { SlowFirst } from './test/once/slow-first.ts';

const MINUTE_MS = 60_000;

// Limits are here alone, and only against what hangs: nothing is decided by them, on the slowest machine either.
const limits = { testTimeout: 5 * MINUTE_MS, hookTimeout: 10 * MINUTE_MS };
/** Tests of a minute and more on a quiet machine. */
const long = ['test/simulation/simulation.test.ts', 'test/batch/killed.test.ts', 'test/promises/kills.test.ts'];

const { slow, apart } = kindsOfTests();

export default defineConfig({
  test: {
    // A third of a slow test's time nobody computes: it waits for another process, a connection or a time limit.
    maxWorkers: availableParallelism() + 1,
    ...limits,
    // What a test waits for comes when a busy machine gets to it.
    expect: { poll: { timeout: limits.testTimeout } },
    globalSetup: ['test/once/setup.ts'],
    setupFiles: ['test/once/watchdog.ts'],
    sequence: { sequencer: SlowFirst },
    projects: [
      // Loading the sources takes longer than most of these tests: they are loaded once for many files.
      {
        extends: true,
        test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: [...slow, ...apart, ...long], isolate: false },
      },
      {
        extends: true,
        test: { name: 'slow', include: slow.filter((file) => !long.includes(file)), isolate: false },
      },
      { extends: true, test: { name: 'apart', include: [...apart] } },
      { extends: true, test: { name: 'long', include: long, testTimeout: 2 * limits.testTimeout, isolate: false } },
    ],
  },
});

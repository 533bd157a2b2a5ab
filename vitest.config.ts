import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { kindsOfTests } from './test/once/kinds.ts';
import { SlowFirst } from './test/once/slow-first.ts';

// The clocks of a shop: nothing is right because this machine's are those of UTC.
process.env.TZ = 'Asia/Ho_Chi_Minh';

const MINUTE_MS = 60_000;

// Limits are here alone, and only against what hangs: nothing is decided by them, on the slowest machine either.
const limits = { testTimeout: 5 * MINUTE_MS, hookTimeout: 10 * MINUTE_MS };
/** Tests of a minute and more on a quiet machine. */
const long = [
  'test/simulation/simulation.proof.test.ts',
  'test/batch/killed.proof.test.ts',
  'test/promises/kills.proof.test.ts',
];

/** Where it is to be written down which lines each file of tests runs (scripts/mutants/coverage.mjs). */
const recorder = process.env.SHOPCTL_COVERAGE === undefined ? [] : ['scripts/mutants/record-coverage.mjs'];

const quick = kindsOfTests(false);
const proof = kindsOfTests(true);

/** Loading the sources takes longer than most tests: they are loaded once for many files, but for those set apart. */
const shared = (name: string, include: readonly string[]) => ({
  extends: true as const,
  test: { name, include: [...include], isolate: false },
});
const apart = (name: string, include: readonly string[]) => ({
  extends: true as const,
  test: { name, include: [...include] },
});

/** What reads files frees memory after each, however small: not that of all tests (test/once/free-memory.ts). */
const memoryOfReading = {
  name: 'memory-of-reading',
  enforce: 'pre' as const,
  resolveId: (id: string, importer = '') =>
    /\/process\/free-memory\.ts$/.test(id) && /\/src\/(?:batch|cod\/actions)\//.test(importer)
      ? resolve('test/once/free-memory.ts')
      : undefined,
};

export default defineConfig({
  plugins: [memoryOfReading],
  test: {
    // A third of a slow test's time nobody computes: it waits for another process, a connection or a time limit.
    maxWorkers: availableParallelism() + 1,
    ...limits,
    // The projects, and the runs after this one, take the sources as this one has transformed them.
    experimental: { fsModuleCache: true },
    // What a test waits for comes when a busy machine gets to it.
    expect: { poll: { timeout: limits.testTimeout } },
    globalSetup: ['test/once/setup.ts'],
    setupFiles: ['test/once/watchdog.ts', ...recorder],
    sequence: { sequencer: SlowFirst },
    projects: [
      // `npm test`
      shared('quick', [...quick.slow, ...quick.fast]),
      apart('quick-apart', quick.apart),
      // `npm run proof`
      shared(
        'proof',
        [...proof.fast, ...proof.slow].filter((file) => !long.includes(file)),
      ),
      apart('proof-apart', proof.apart),
      {
        extends: true,
        test: { name: 'proof-long', include: long, testTimeout: 2 * limits.testTimeout, isolate: false },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';
import { kindsOfTests } from './test/once/kinds.ts';
import { SlowFirst } from './test/once/slow-first.ts';

const { slow, apart } = kindsOfTests();
// What other processes take depends on the machine.
const ofProcesses = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    // Most of a slow test's time is other processes': a core each is what they need.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What a test waits for comes when a busy machine gets to it.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/once/setup.ts'],
    setupFiles: ['test/once/watchdog.ts'],
    sequence: { sequencer: SlowFirst },
    projects: [
      // Loading the sources takes longer than most of these tests: they are loaded once for many files.
      {
        extends: true,
        test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: [...slow, ...apart], isolate: false },
      },
      { extends: true, test: { name: 'slow', include: [...slow], ...ofProcesses, isolate: false } },
      { extends: true, test: { name: 'apart', include: [...apart], ...ofProcesses } },
    ],
  },
});

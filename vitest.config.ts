import { defineConfig } from 'vitest/config';
import { slowTests } from './test/once/kinds.ts';

const slow = slowTests();

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
    projects: [
      {
        extends: true,
        // Loading the sources takes longer than most of these tests: they are loaded once for many files.
        test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: slow, isolate: false },
      },
      // What other processes take depends on the machine.
      { extends: true, test: { name: 'slow', include: slow, testTimeout: 120_000, hookTimeout: 120_000 } },
    ],
  },
});

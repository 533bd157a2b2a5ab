import { onTestFailed } from 'vitest';
import { randomFrom } from './random-from.ts';
import { testSeed } from './test-seed.ts';

/**
 * Numbers in [0, 1) for a randomised test, from the run's seed. It is printed if the test fails.
 */
export function seededRandom(what: string): () => number {
  const seed = testSeed();
  onTestFailed(() => console.error(`${what}: SHOPCTL_TEST_SEED=${seed} makes the same choices`));
  return randomFrom(seed);
}

/** A seed for a test's child process, drawn from the test's own random numbers. */
export const seedFrom = (random: () => number): number => Math.floor(random() * 1_000_000);

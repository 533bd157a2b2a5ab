import { onTestFailed } from 'vitest';
import { randomFrom } from './random-from.ts';

/**
 * Numbers in [0, 1) for a randomised test. The seed is printed if the test fails, and can be passed to another run:
 * `SHOPCTL_TEST_SEED=…`.
 */
export function seededRandom(what: string): () => number {
  const seed = Number(process.env.SHOPCTL_TEST_SEED ?? Date.now() % 1_000_000);
  onTestFailed(() => console.error(`${what}: SHOPCTL_TEST_SEED=${seed} makes the same choices`));
  return randomFrom(seed);
}

/** A seed for a test's child process, drawn from the test's own random numbers. */
export const seedFrom = (random: () => number): number => Math.floor(random() * 1_000_000);

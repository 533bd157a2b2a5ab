import { onTestFailed } from 'vitest';
import { randomFrom } from './random-from.ts';

/**
 * Numbers in [0, 1) for a test that chooses by chance. Its seed is printed where the test fails, and another run can be
 * given it: `SHOPCTL_TEST_SEED=…`.
 */
export function seededRandom(what: string): () => number {
  const seed = Number(process.env.SHOPCTL_TEST_SEED ?? Date.now() % 1_000_000);
  onTestFailed(() => console.error(`${what}: SHOPCTL_TEST_SEED=${seed} makes the same choices`));
  return randomFrom(seed);
}

/** A seed for a process of the test, drawn from the test's own choices. */
export const seedFrom = (random: () => number): number => Math.floor(random() * 1_000_000);

import { testSeed } from './test-seed.ts';

/** Numbers in [0, 1), the same for the same seed. Imports no package, so that a test's child process can use it. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  // mulberry32: small, and random enough to choose points in time.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The random numbers of a test's child process: from the seed that the test passed in `SHOPCTL_TEST_SEED`, or 1. */
export const randomHere = (): (() => number) => randomFrom(testSeed());

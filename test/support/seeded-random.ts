/** Numbers in [0, 1) from a seed that is printed, so that a run can be had again: `SHOPCTL_TEST_SEED=…`. */
export function seededRandom(what: string): () => number {
  const seed = Number(process.env.SHOPCTL_TEST_SEED ?? Date.now() % 1_000_000);
  console.log(`${what}: SHOPCTL_TEST_SEED=${seed}`);
  let state = seed >>> 0;
  // mulberry32: small, and good enough to choose moments by.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

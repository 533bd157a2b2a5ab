/**
 * The seed of a run's random tests: always the same one, so that a red run is the change's fault and can be made again.
 * `SHOPCTL_TEST_SEED=7` takes another, `SHOPCTL_TEST_SEED=any` one that nobody has seen yet.
 */
export function testSeed(): number {
  const { SHOPCTL_TEST_SEED: wanted = '1' } = process.env;
  return wanted === 'any' ? Date.now() % 1_000_000 : Number(wanted);
}

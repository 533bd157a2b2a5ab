import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleSimulator, playWorlds, rareStates } from './bundle.mjs';

/** The seeds of every run are the same: what has passed once passes again. These are some that meet every rare state. */
const WORLDS = { first: 401, many: 300 };

const directory = mkdtempSync(join(tmpdir(), 'shopctl-simulator-'));
let simulator = '';

beforeAll(async () => {
  simulator = await bundleSimulator(directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const linesOf = (trace: string) => trace.split('\n').filter((line) => !line.startsWith('    '));

it('keeps every promise in every world, and meets every rare state', async () => {
  const { broken, counts } = await playWorlds(simulator, { ...WORLDS, atOnce: availableParallelism() });
  const reported = broken.map(
    ({ seed, trace }) => `npm run simulate -- --seed ${seed} --trace\n${linesOf(trace).join('\n')}`,
  );
  expect(reported.join('\n')).toBe('');
  expect(rareStates.filter((name) => (counts[name] ?? 0) === 0)).toEqual([]);
});

it('plays a seed as it did before, whatever was played before it', async () => {
  const series = { first: 1, many: 10, atOnce: 1 };
  const once = await playWorlds(simulator, series);
  const again = await playWorlds(simulator, series);
  expect(again.hash).toBe(once.hash);
  const alone = await playWorlds(simulator, { first: 10, many: 1, atOnce: 1 });
  expect(alone.trace).toBe(once.trace);
});

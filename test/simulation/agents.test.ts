import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { testSeed } from '../support/test-seed.ts';
import { bundleSimulator, playWorlds } from './bundle.mjs';

const WORLDS = 16;

const directory = mkdtempSync(join(tmpdir(), 'shopctl-simulator-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('sends nothing for hostile clients but what a person or the policy has allowed, and nothing twice', async () => {
  const simulator = await bundleSimulator(directory);
  const first = testSeed() * WORLDS;
  const { broken, counts } = await playWorlds(simulator, { first, many: WORLDS, atOnce: 2, isOfAgents: true });
  const reported = broken.map(({ seed, trace }) => `npm run simulate -- --agents --seed ${seed} --trace\n${trace}`);
  expect(reported.join('\n')).toBe('');
  expect(Math.min(counts['by a person'] ?? 0, counts['by the policy'] ?? 0)).toBeGreaterThan(1);
});

import { appendFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fleet, openFleet } from './fleet/fleet.ts';
import { play } from './play.ts';

const many = Number(process.env.SHOPCTL_TEST_INTERLEAVINGS ?? 300);
const first = Number(process.env.SHOPCTL_TEST_SEED ?? 1);

let fleet: Fleet;

beforeAll(async () => {
  fleet = await openFleet(availableParallelism() + 1);
}, 60_000);
afterAll(() => fleet?.remove());

it(`keeps every promise in ${many} interleavings`, async () => {
  const broken: string[] = [];
  const counts = new Map<string, number>();
  let next = first;
  const began = Date.now();
  const player = async () => {
    while (next < first + many) {
      const seed = next;
      next += 1;
      let played: Awaited<ReturnType<typeof play>>;
      try {
        played = await play(seed, fleet);
      } catch (error) {
        broken.push(`${seed} ${String((error as Error).stack)}`);
        continue;
      }
      for (const [name, count] of played.counts) counts.set(name, (counts.get(name) ?? 0) + count);
      if (played.broken.length > 0) {
        const text = `SHOPCTL_TEST_SEED=${seed} SHOPCTL_TEST_INTERLEAVINGS=1\n  ${[...played.trace, ...played.broken.map((line) => `!! ${line}`)].join('\n  ')}`;
        broken.push(text);
        if (process.env.SHOPCTL_TEST_TRACE !== undefined) appendFileSync(process.env.SHOPCTL_TEST_TRACE, `${text}\n`);
      } else if (process.env.SHOPCTL_TEST_ALL !== undefined) console.log(played.trace.join('\n'));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, player));
  console.log(`${Math.round((Date.now() - began) / 1000)} s`, Object.fromEntries([...counts].sort()));
  expect(broken.join('\n')).toBe('');
}, 3_600_000);

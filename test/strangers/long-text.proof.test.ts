import { expect, it } from 'vitest';
import { processorMs } from '../support/processor-time.ts';
import { env, listing, long } from './long-names.ts';

it.each([8_000, 16_000])('prints a hundred names of %i characters in every format', async (characters) => {
  for (const text of [
    long(characters),
    long(characters).normalize('NFD'),
    '\u{1f1fb}\u{1f1f3}'.repeat(characters / 4),
  ]) {
    for (const format of ['table', 'csv', 'json', 'yaml']) {
      for (const terminal of [true, false]) {
        const { exit } = await listing(text).run(['customers', 'list', '-o', format, '-q'], { env, terminal });
        expect(exit).toBe(0);
      }
    }
  }
});

it('takes time in proportion to a cell, not to its square', async () => {
  const timeOf = async (characters: number) => {
    const began = processorMs();
    await listing(long(characters)).run(['customers', 'list', '-q', '--fields', 'full_name'], { env });
    return processorMs() - began;
  };
  await timeOf(4_000);
  // The garbage of what ran before is collected in whichever of them it pleases.
  const [short, eightTimes]: [number[], number[]] = [[], []];
  for (let time = 0; time < 3; time += 1) {
    short.push(await timeOf(4_000));
    eightTimes.push(await timeOf(32_000));
  }
  expect(Math.min(...eightTimes) / Math.min(...short)).toBeLessThan(32);
});

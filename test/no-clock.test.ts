/* No test is decided by a clock: limits stand in vitest.config.ts alone, and nothing asserts how long something took. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The tests, and what they are made of, but for this file. */
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && path !== 'no-clock.test.ts' && !path.startsWith('once'))
  .map((path) => ({ path, text: readFileSync(join('test', path), 'utf8') }));

function linesWith(pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${path}:${line}: ${found.trim().split('\n')[0]}`;
    }),
  );
}

it('limits stand in the configuration alone', () => {
  expect(files.length).toBeGreaterThan(400);
  // The last argument of a test or of a hook; numbers that a world is told stand in lists of their own.
  const last = /^(?:\s*)\},\n?\s*[\d_]{4,},?\n?\s*\);$/gm;
  const allowed = ['cli/progress.test.ts'];
  expect(linesWith(last).filter((line) => !allowed.some((path) => line.startsWith(path)))).toEqual([]);
  expect(linesWith(/\b(?:timeout|testTimeout|hookTimeout): ?[\d_]+/g)).toEqual([]);
  // They give up after a second of their own; what is polled has the limit of the configuration.
  expect(linesWith(/\bvi\.wait(?:For|Until)\(/g)).toEqual([]);
});

it('nothing is asserted of the time that has passed', () => {
  const now = /(?:performance\.now|Date\.now|processorMs|process\.hrtime(?:\.bigint)?)\(\)/.source;
  expect(linesWith(new RegExp(`expect\\([^;]*?${now} ?- ?\\w+[^;]*?\\)\\s*\\.(?:not\\.)?to`, 'g'))).toEqual([]);
  expect(linesWith(/expect\([^;\n]*\b\w*(?:\.ms|Ms|elapsed|took|seconds)\)\s*\.toBeLess\w*\(\s*[\d_]+\s*\)/g)).toEqual(
    [],
  );
});

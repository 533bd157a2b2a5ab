// Which files of tests run a line of src, as `npm test` has it recorded (record-coverage.mjs).
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { outcomeOf } from './run-tests.mjs';

/** Longer than all tests take on one busy core. */
const MOST_MS = 3_600_000;

/** The tests of each line of each source, as a folder has them; they are run in a tree first if the folder is not there. */
export async function coverageIn(folder, tree) {
  const name = resolve(folder);
  if (!existsSync(name)) {
    mkdirSync(name, { recursive: true });
    await outcomeOf(tree, ['run', '--project=quick*'], { mostMs: MOST_MS, env: { SHOPCTL_COVERAGE: name }, all: true });
  }
  const tests = new Map();
  for (const file of readdirSync(name)) {
    const { test, files } = JSON.parse(readFileSync(join(name, file), 'utf8'));
    for (const [source, lines] of Object.entries(files)) {
      const ofSource = tests.get(source) ?? new Map();
      tests.set(source, ofSource);
      for (const line of lines) ofSource.set(line, [...(ofSource.get(line) ?? []), test]);
    }
  }
  return (source, line) => tests.get(source)?.get(line) ?? [];
}

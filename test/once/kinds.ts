import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What takes a test longer than its own work: processes, servers, browsers, and a build of the program. */
const slowModules = /^(?:node:child_process|node:worker_threads|playwright-core|esbuild)$/;

function testFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? testFiles(path) : path.endsWith('.test.ts') ? [path] : [];
  });
}

/** What a file imports, not only for its types. */
function importsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/^(?!import type\b).*\b(?:from|import\()\s*'([^']+)'/gm);
  return [...imports].map(([, name = '']) => name);
}

/** Whether a test, or anything below `test` that it imports, is slow by what it imports. */
function isSlow(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  return importsOf(file).some((name) => {
    if (!name.startsWith('.')) return slowModules.test(name);
    const path = resolve(dirname(file), name);
    return /\/test\//.test(path) && isSlow(path, seen);
  });
}

/** Whether a test runs the tests of other files once more: they must not be loaded yet. */
const repeatsOthers = (file: string): boolean => importsOf(file).some((name) => name.endsWith('.test.ts'));

/** The tests by their paths in the project. */
export interface KindsOfTests {
  /** Those that start processes, servers or browsers, and share what they load. */
  readonly slow: readonly string[];
  /** Those likewise that run the tests of other files once more, with modules of their own. */
  readonly apart: readonly string[];
}

/** Sorts the tests by what they need. */
export function kindsOfTests(): KindsOfTests {
  const slow = testFiles('test').filter((file) => isSlow(resolve(file)));
  return { slow: slow.filter((file) => !repeatsOthers(file)), apart: slow.filter(repeatsOthers) };
}

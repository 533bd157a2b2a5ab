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

/** Whether a file is of `npm run proof`: what is proved at length, or only by real processes, browsers and disks. */
const isProof = (file: string): boolean => file.endsWith('.proof.test.ts');

/** The files of one of the two runs, by their paths in the project. */
export interface KindsOfTests {
  /** Those that start processes, servers or browsers, and share what they load. */
  readonly slow: readonly string[];
  /** Those that run the tests of other files once more, with modules of their own. */
  readonly apart: readonly string[];
  /** The others. */
  readonly fast: readonly string[];
}

/** Sorts the files of `npm test`, or those of `npm run proof`, by what they need. */
export function kindsOfTests(ofProof: boolean): KindsOfTests {
  const files = testFiles('test').filter((file) => isProof(file) === ofProof);
  const slow = new Set(files.filter((file) => isSlow(resolve(file))));
  const apart = new Set([...slow].filter(repeatsOthers));
  return {
    slow: [...slow].filter((file) => !apart.has(file)),
    apart: [...apart],
    fast: files.filter((file) => !slow.has(file)),
  };
}

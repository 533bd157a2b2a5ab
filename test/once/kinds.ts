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

/** Whether a test, or anything below `test` that it imports, is slow by what it imports. */
function isSlow(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/^(?!import type\b).*\b(?:from|import\()\s*'([^']+)'/gm);
  return [...imports].some(([, name = '']) => {
    if (!name.startsWith('.')) return slowModules.test(name);
    const path = resolve(dirname(file), name);
    return /\/test\//.test(path) && isSlow(path, seen);
  });
}

/** The tests that start processes, servers or browsers, by their paths in the project. */
export const slowTests = (): string[] => testFiles('test').filter((file) => isSlow(resolve(file)));

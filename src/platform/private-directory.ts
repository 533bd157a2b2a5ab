import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * Makes a directory and those above it where they are missing, ours alone (0700). Throws the system's error. Step by step
 * and not by Node's `recursive`, which tries again without end where the parent is there and nothing can be made in it, as
 * in /proc.
 */
export function makePrivateDirectory(path: string): void {
  const missing: string[] = [];
  let at = resolve(path);
  while (!existsSync(at)) {
    missing.push(at);
    if (dirname(at) === at) break;
    at = dirname(at);
  }
  for (const directory of missing.reverse()) {
    try {
      mkdirSync(directory, { mode: 0o700 });
    } catch (error) {
      // Another process may have made it meanwhile.
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../process/error-code.ts';

/**
 * Creates a directory and its missing parents, for this user only unless a mode is given. Throws the system's error. One by one instead
 * of Node's `recursive`, which retries forever if the parent exists but nothing can be created in it, as in /proc.
 */
export function makePrivateDirectory(path: string, mode = 0o700): void {
  const missing: string[] = [];
  let at = resolve(path);
  while (!existsSync(at)) {
    missing.push(at);
    if (dirname(at) === at) break;
    at = dirname(at);
  }
  for (const directory of missing.reverse()) {
    try {
      mkdirSync(directory, { mode });
    } catch (error) {
      // Another process may have created it meanwhile.
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

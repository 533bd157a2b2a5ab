import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../process/error-code.ts';
import { synchroniseDirectory } from './node-replace.ts';

/**
 * Creates a directory and its missing parents, for this user only unless a mode is given. Throws the system's error. One
 * by one instead of Node's `recursive`, which retries forever if the parent exists but nothing can be created in it, as
 * in /proc. Their names are synchronised: a power cut would take a directory with all that was synchronised in it.
 */
export function makePrivateDirectory(path: string, { mode = 0o700, synchronise = synchroniseDirectory } = {}): void {
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
    synchronise(dirname(directory));
  }
}

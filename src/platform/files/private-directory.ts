import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
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

/** A directory for one run, which nobody else can read, made when it is first asked for. */
export interface ScratchDirectory {
  path(): string;
  /** Removes it with all that is in it. */
  remove(): void;
}

/** A directory among the temporary files of the system, none of which is kept. */
export function scratchDirectory(): ScratchDirectory {
  let made: string | undefined;
  return {
    path() {
      made ??= mkdtempSync(join(tmpdir(), 'shopctl-look-'));
      return made;
    },
    remove() {
      if (made !== undefined) rmSync(made, { recursive: true, force: true });
    },
  };
}

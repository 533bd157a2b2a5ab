import { closeSync, existsSync, fsyncSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '../process/process-status.ts';

/**
 * Atomically puts a finished file in another's place: at any moment, even in a crash, the name refers to one or the
 * other.
 */
export function replaceFile(finished: string, path: string): void {
  renamePatiently(finished, path);
  synchroniseDirectory(dirname(path));
}

/**
 * On Windows a virus scanner or another reader can hold the old file for a moment; elsewhere a refusal is not retried.
 */
function renamePatiently(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const code = errorCode(error);
      if (
        process.platform !== 'win32' ||
        attempt === 10 ||
        !(code === 'EPERM' || code === 'EACCES' || code === 'EBUSY')
      ) {
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attempt * 10);
    }
  }
}

/**
 * Makes a new name in a directory survive a power cut; some file systems (and Windows) cannot, and then the data is safe
 * but the name may refer to the old file.
 */
function synchroniseDirectory(directory: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, 'r');
    fsyncSync(descriptor);
  } catch {
    // The name itself has changed: reporting a failure now would be wrong.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

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

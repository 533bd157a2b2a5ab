import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../process/error-code.ts';

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
export function synchroniseDirectory(directory: string): void {
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

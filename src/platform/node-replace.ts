import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';

/** Puts a finished file in another's place: at every moment, a crash included, the name holds the one or the other. */
export function replaceFile(finished: string, path: string): void {
  renamePatiently(finished, path);
  synchroniseDirectory(dirname(path));
}

/** On Windows a scanner or another reader can hold the old file for a moment; nowhere else is a refusal tried again. */
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

/** Makes the new name survive a power cut; some file systems (and Windows) cannot, and then the data is safe but the name may be old. */
function synchroniseDirectory(directory: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, 'r');
    fsyncSync(descriptor);
  } catch {
    // The rename itself has happened: to report a failure now would be wrong.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

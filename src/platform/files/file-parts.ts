import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, realpath, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../process/error-code.ts';
import { asFileError, FileError, makePrivateDirectory, replaceFile } from './files.ts';

function toFileError(path: string, error: unknown, preference: 'read' | 'write'): unknown {
  if (error instanceof FileError) return error;
  // Errors thrown by the parts have their own codes, which are not system codes.
  return /^E[A-Z\d]+$/.test(errorCode(error) ?? '') ? asFileError(path, error, preference) : error;
}

/** Reads a file in chunks, for content too large to read whole. Throws a FileError. */
export async function* readParts(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const chunks: AsyncIterable<Uint8Array> = createReadStream(path, { highWaterMark: 256 * 1024 });
    yield* chunks;
  } catch (error) {
    throw toFileError(path, error, 'read');
  }
}

/**
 * Writes a file in chunks, all or nothing: to a temporary file beside it, which replaces it once it is on the disk.
 * Mode 0600. Throws a FileError, and whatever the parts throw; in both cases nothing has changed.
 */
export async function writeParts(path: string, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const draft = join(dirname(target), `.${basename(target).slice(0, 64)}.${randomBytes(6).toString('hex')}.tmp`);
  let made = false;
  try {
    makePrivateDirectory(dirname(target));
    const handle = await open(draft, 'wx', 0o600);
    made = true;
    try {
      for await (const part of parts) await handle.writeFile(part);
      await handle.sync();
    } finally {
      await handle.close();
    }
    replaceFile(draft, target);
  } catch (error) {
    if (made) await unlink(draft).catch(() => {});
    throw toFileError(path, error, 'write');
  }
}

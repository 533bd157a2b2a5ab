import { randomBytes } from 'node:crypto';
import { access, constants, open, readdir, realpath, stat, statfs, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../process/error-code.ts';
import { makeSafe } from '../terminal/text-safety.ts';
import { say } from '../terminal/texts.ts';
import { acquireLock } from './file-lock.ts';
import {
  asFileError,
  decodeUtf8,
  FileError,
  type Files,
  largestText,
  makePrivateDirectory,
  replaceFile,
} from './files.ts';

/** The machine's files. Symbolic links are followed: the target is read or replaced, and the link stays. */
export const nodeFiles: Files = {
  async read(path) {
    const bytes = await readUpTo(largestText, path);
    const decoded = decodeUtf8(bytes);
    if ('text' in decoded) return decoded.text;
    const message = say().file.notText({ path: makeSafe(path), byte: decoded.badByte + 1 });
    throw new FileError(path, 'EILSEQ', message);
  },
  async write(path, content, mode = 0o600) {
    try {
      // Whoever may read the file has to reach it.
      makePrivateDirectory(dirname(path), { mode: (mode & 0o004) === 0 ? 0o700 : 0o755 });
      const target = await realpath(path).catch(() => path);
      const kind = await kindOf(target);
      if (kind === 'directory') throw Object.assign(new Error(), { code: 'EISDIR' });
      // A device or a pipe cannot be replaced, only written to: `> /dev/null` must not remove /dev/null.
      if (kind === 'special') return await writeInto(target, 'w', content);
      const draft = join(dirname(target), `.${basename(target).slice(0, 64)}.${randomBytes(6).toString('hex')}.tmp`);
      try {
        await writeInto(draft, 'wx', content, mode);
        replaceFile(draft, target);
      } catch (error) {
        await unlink(draft).catch(() => {});
        throw error;
      }
    } catch (error) {
      throw asFileError(path, error, 'write');
    }
  },
  async freeBytes(path) {
    try {
      const { bavail, bsize } = await statfs(path);
      return bavail * bsize;
    } catch (error) {
      const parent = dirname(path);
      return errorCode(error) === 'ENOENT' && parent !== path ? this.freeBytes(parent) : undefined;
    }
  },
  async isWritable(path) {
    try {
      await access(path, constants.W_OK);
      return true;
    } catch (error) {
      const parent = dirname(path);
      return errorCode(error) === 'ENOENT' && parent !== path ? this.isWritable(parent) : false;
    }
  },
  async append(path, text) {
    try {
      makePrivateDirectory(dirname(path));
      const handle = await open(path, 'a', 0o600);
      try {
        await handle.write(text);
        return (await handle.stat()).size;
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw asFileError(path, error, 'write');
    }
  },
  async list(directory) {
    try {
      return (await readdir(directory)).sort();
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw asFileError(directory, error, 'read');
    }
  },
  async remove(path) {
    try {
      await unlink(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw asFileError(path, error, 'write');
    }
  },
  async lock(path, timeoutMs) {
    try {
      makePrivateDirectory(dirname(path));
      const lock = await acquireLock(path, { timeoutMs });
      return () => lock.release();
    } catch (error) {
      // A full or read-only disk is the user's to fix; a held lock has its own error.
      throw error instanceof Error && 'code' in error ? asFileError(path, error, 'write') : error;
    }
  },
};

const CHUNK_BYTES = 64 * 1024;

/** Reads in chunks, since a pipe (`<(…)`) has no size to check first. */
async function readUpTo(limit: number, path: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    const handle = await open(path, 'r');
    try {
      for (;;) {
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(CHUNK_BYTES), 0, CHUNK_BYTES, null);
        if (bytesRead === 0) break;
        length += bytesRead;
        if (length > limit) throw Object.assign(new Error(), { code: 'EFBIG' });
        chunks.push(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw asFileError(path, error, 'read');
  }
  return Buffer.concat(chunks);
}

async function writeInto(path: string, flags: 'w' | 'wx', content: string | Uint8Array, mode?: number): Promise<void> {
  const handle = await open(path, flags, mode);
  try {
    await handle.writeFile(content);
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}

async function kindOf(path: string): Promise<'absent' | 'file' | 'directory' | 'special'> {
  try {
    const status = await stat(path);
    return status.isFile() ? 'file' : status.isDirectory() ? 'directory' : 'special';
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'absent';
    throw error;
  }
}

import { isUtf8 } from 'node:buffer';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '../process/error-code.ts';
import { makeSafe } from '../terminal/text-safety.ts';
import { say } from '../terminal/texts.ts';

/** The largest text that is read whole, in bytes. */
export const largestText = 64 * 1024 * 1024;

/**
 * Decodes UTF-8 bytes, without a byte-order mark; or returns the offset of the first invalid byte. Nothing is replaced:
 * a name containing U+FFFD would be sent as if it were intended.
 */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { badByte: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  if (isUtf8(buffer)) return { text: text.startsWith('\uFEFF') ? text.slice(1) : text };
  const replaced = Buffer.from(text);
  let offset = 0;
  while (offset < bytes.length && bytes[offset] === replaced[offset]) offset += 1;
  return { badByte: offset };
}

/** The files that a command reads and writes by name. */
export interface Files {
  /** Reads the whole text as UTF-8; throws a FileError that names the file. */
  read(path: string): Promise<string>;
  /** Writes text as UTF-8, or bytes, atomically; mode 0600 by default, directories 0700. */
  write(path: string, content: string | Uint8Array, mode?: number): Promise<void>;
  /**
   * Appends text to a file of ours, mode 0600, without waiting for the disk, and returns its size in bytes; what fits in
   * one write of the system is never mixed with what another process appends.
   */
  append(path: string, text: string): Promise<number>;
  /** The names in a directory, sorted; empty if the directory does not exist. */
  list(directory: string): Promise<string[]>;
  /** Removes a file; does nothing if it does not exist. */
  remove(path: string): Promise<void>;
  /**
   * Acquires the lock that is the file `path`, across processes too, waiting at most `timeoutMs` for the current
   * holder; a killed process holds nothing. Returns the release function; throws a LockError on timeout.
   */
  lock(path: string, timeoutMs: number): Promise<() => void>;
  /** How many bytes can still be written where `path` is, or will be; undefined if the file system does not tell. */
  freeBytes(path: string): Promise<number | undefined>;
  /** Whether this user may write where `path` is, or will be. */
  isWritable(path: string): Promise<boolean>;
}

/** Thrown when a named file cannot be read or written; `code` is the system's (`ENOENT`, …). */
export class FileError extends Error {
  readonly kind = 'file';
  readonly path: string;
  readonly code: string;

  constructor(path: string, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileError';
    this.path = path;
    this.code = code;
  }
}

/** The system's error about a file as a FileError, after what was to be done with it. */
export function asFileError(path: string, error: unknown, preference: 'read' | 'write'): FileError {
  const code = errorCode(error) ?? 'unknown';
  const isRead = preference === 'read';
  const { file } = say();
  const at = { path: makeSafe(path), code, mebibytes: largestText / 1024 / 1024 };
  const mayNot = isRead ? file.mayNotRead : file.mayNotWrite;
  const sentences: Readonly<Record<string, (at: { path: string; code: string; mebibytes: number }) => string>> = {
    ENOENT: isRead ? file.none : file.noDirectory,
    ENOTDIR: file.belowFile,
    EISDIR: file.isDirectory,
    EACCES: mayNot,
    EPERM: mayNot,
    EROFS: file.readOnly,
    ENOSPC: file.full,
    EDQUOT: file.full,
    EFBIG: isRead ? file.tooLarge : file.limit,
    ELOOP: file.loop,
    ENAMETOOLONG: file.longName,
  };
  const sentence = sentences[code] ?? (isRead ? file.unread : file.unwritten);
  return new FileError(path, code, sentence(at), { cause: error });
}

/** Whether a process with that id exists and has not exited: a zombie, which its parent has not reaped, has. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  const [state] = statusFields(pid) ?? [];
  return state !== 'Z' && state !== 'X';
}

/** Start time of a process, in ticks since boot; undefined where the system does not say (only Linux does). */
export function processStart(pid: number): string | undefined {
  return statusFields(pid)?.[19];
}

/** What Linux says about a process, from its state on. */
function statusFields(pid: number): readonly string[] | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses can contain anything; the fields follow the last closing one.
    return status.slice(status.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

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
      // Whatever the umask leaves out: its owner could not enter it.
      if ((mode & 0o077) === 0) chmodSync(directory, mode);
    } catch (error) {
      // Another process may have created it meanwhile; what /proc does not take it calls missing.
      if (errorCode(error) === 'ENOENT') throw refusedAt(directory, error);
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    synchronise(dirname(directory));
  }
}

function refusedAt(directory: string, cause: unknown): Error {
  const message = `EPERM: nothing can be created there, mkdir '${directory}'`;
  return Object.assign(new Error(message, { cause }), { code: 'EPERM', errno: -1, path: directory });
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

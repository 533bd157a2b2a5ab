import { isUtf8 } from 'node:buffer';

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

/** The files that a command reads and writes by name. */
export interface Files {
  /** Whole text as UTF-8; throws a FileError that names the file. */
  read(path: string): Promise<string>;
  /** Writes a text as UTF-8, or bytes, whole and atomically; mode 0600 unless told, directories 0700. */
  write(path: string, content: string | Uint8Array, mode?: number): Promise<void>;
  /** The names in a directory, sorted; none where there is no such directory. */
  list(directory: string): Promise<string[]>;
  /** Removes a file; one that is not there is removed already. */
  remove(path: string): Promise<void>;
  /**
   * Takes the lock that is the file `path`, also against other processes, waiting at most `timeoutMs` for whoever holds
   * it; a holder that was killed holds nothing. Answers its release; throws a LockError when it did not become free.
   */
  lock(path: string, timeoutMs: number): Promise<() => void>;
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

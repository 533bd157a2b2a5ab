/** Where text goes. `write` resolves when the stream took it; a reader that went away is not a failure (`closed` becomes true). */
export interface Sink {
  write(text: string): Promise<void>;
  readonly closed: boolean;
  readonly isTerminal: boolean;
  /** Width in columns; undefined without a terminal. */
  readonly columns: number | undefined;
}

/** Where text comes from. */
export interface Source {
  /** Everything until the end, as UTF-8. */
  readAll(): Promise<string>;
  readonly isTerminal: boolean;
}

/** Thrown when a text could not be written, and not because its reader went away; `code` is the system's (`ENOSPC`, …). */
export class OutputError extends Error {
  readonly kind = 'output';
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'no space left' : code;
    super(`the output could not be written: ${reason}`, options);
    this.name = 'OutputError';
    this.code = code;
  }
}

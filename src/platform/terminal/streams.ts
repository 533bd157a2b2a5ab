/**
 * An output for text. `write` resolves when the stream has accepted it; a reader that disconnects is not an error
 * (`closed` becomes true).
 */
export interface Sink {
  write(text: string): Promise<void>;
  readonly closed: boolean;
  readonly isTerminal: boolean;
  /** Width in columns; undefined without a terminal. */
  readonly columns: number | undefined;
}

/** An input of text. */
export interface Source {
  /** Reads to the end, as UTF-8. */
  readAll(): Promise<string>;
  readonly isTerminal: boolean;
}

/** Thrown when text could not be written, except when its reader disconnected; `code` is the system's (`ENOSPC`, …). */
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

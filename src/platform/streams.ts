/** Where text goes. `write` resolves when the stream took it; a reader that went away is no failure (`closed` becomes true). */
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

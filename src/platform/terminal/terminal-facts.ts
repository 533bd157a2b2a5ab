/** What a stream says of the terminal that it is connected to; nothing if it is none. */
export interface TerminalFacts {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** The facts of a stream as they are now: a terminal changes its size. */
export function terminalFacts(stream: object | undefined): TerminalFacts {
  if (stream === undefined) return { isTerminal: false, columns: undefined, rows: undefined };
  return {
    isTerminal: 'isTTY' in stream && stream.isTTY === true,
    columns: 'columns' in stream ? numberOf(stream.columns) : undefined,
    rows: 'rows' in stream ? numberOf(stream.rows) : undefined,
  };
}

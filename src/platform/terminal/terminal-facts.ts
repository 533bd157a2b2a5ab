import { fstatSync, statSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** What a stream says of the terminal that it is connected to; nothing if it is none. */
interface TerminalFacts {
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

/**
 * Whether a descriptor is a terminal. Asking Node's tty, or opening the stream, loads all of net: what is certainly no
 * terminal is recognised by its kind.
 */
export function isTerminalAt(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor);
    if (status.isFIFO() || status.isSocket() || status.isFile()) return false;
    if (status.rdev === statSync('/dev/null').rdev) return false;
  } catch {
    // A closed descriptor says nothing, and Windows has no such device.
  }
  return isatty(descriptor);
}

/**
 * Columns of the terminal that stdout is connected to; undefined if it is not a terminal. Checks the file descriptor
 * first: touching `process.stdout` loads all of Node's streams, which takes as long as printing a help text.
 */
export const terminalWidth = (): number | undefined => (isTerminalAt(1) ? process.stdout.columns : undefined);

/** Writes a text to standard output when this process exits, however it does except by a kill; returns how to revoke it. */
export function writeAtExit(text: string): () => void {
  const write = () => {
    try {
      writeSync(1, text);
    } catch {
      // Nobody is there to see it.
    }
  };
  process.once('exit', write);
  return () => void process.off('exit', write);
}

import type { Sink } from '../../src/platform/streams.ts';

/** A Sink that keeps what it is given, as a test reads it back. */
export interface MemorySink extends Sink {
  /** Everything written so far. */
  readonly text: string;
  /** Each write apart. */
  readonly writes: readonly string[];
}

/** What a memory sink pretends to be. */
export interface MemorySinkOptions {
  /** Width of the terminal; absent for a pipe. */
  readonly columns?: number;
  /** The reader goes away with this many writes (0: before the first). */
  readonly closesAfter?: number;
  /** Called with each write before it is taken, for a slow reader. */
  readonly onWrite?: (text: string) => Promise<void> | void;
}

/** A Sink in memory: a pipe, or a terminal when it has columns. */
export function memorySink({ columns, closesAfter, onWrite }: MemorySinkOptions = {}): MemorySink {
  const writes: string[] = [];
  let closed = closesAfter === 0;
  return {
    async write(text) {
      await onWrite?.(text);
      if (closed || text === '') return;
      writes.push(text);
      closed = writes.length === closesAfter;
    },
    get closed() {
      return closed;
    },
    isTerminal: columns !== undefined,
    columns,
    get text() {
      return writes.join('');
    },
    writes,
  };
}

import type { Sink } from '../../src/platform/terminal/streams.ts';

/** A Sink that records what is written, for a test to read. */
export interface MemorySink extends Sink {
  /** Everything written so far. */
  readonly text: string;
  /** Each write separately. */
  readonly writes: readonly string[];
}

/** What a memory sink simulates. */
export interface MemorySinkOptions {
  /** Width of the terminal; absent for a pipe. */
  readonly columns?: number;
  /** The reader disconnects at this number of writes (0: before the first). */
  readonly closesAfter?: number;
  /** Awaited before each write is accepted, to simulate a slow reader. */
  readonly onWrite?: (text: string) => Promise<void> | void;
}

/** A Sink in memory: a pipe, or a terminal if it has columns. */
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

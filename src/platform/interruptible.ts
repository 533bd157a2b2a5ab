/** How long the rows of one turn may take: a signal is heard between two turns alone. */
const TURN_MS = 50;

/** Thrown where a signal ended what was under way; the exit is the signal's. */
class InterruptedError extends Error {
  constructor() {
    super('it was interrupted');
    this.name = 'InterruptedError';
  }
}

/**
 * The rows as they come, with a pause now and then in which the process hears signals: rows that are there already are
 * otherwise gone through in one turn, and Ctrl-C waits for the end. Throws an InterruptedError once the signal is aborted.
 */
export async function* interruptible<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Row, void> {
  let began = performance.now();
  for await (const row of rows) {
    if (performance.now() - began > TURN_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      began = performance.now();
    }
    if (signal?.aborted) throw new InterruptedError();
    yield row;
  }
}

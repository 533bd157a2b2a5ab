/** How long rows may be processed in one turn of the event loop: signals are delivered only between turns. */
const TURN_MS = 50;

/** Milliseconds since some moment. The global `performance` would load node:perf_hooks at every start. */
const elapsed = () => Number(process.hrtime.bigint()) / 1e6;

/** Thrown when a signal interrupted the work; the exit code is the signal's. */
export class InterruptedError extends Error {
  constructor() {
    super('it was interrupted');
    this.name = 'InterruptedError';
  }
}

/**
 * Passes rows on, yielding to the event loop now and then so that signals are delivered: rows that are already in
 * memory would otherwise be processed in one turn, and Ctrl-C would wait for the end. Throws an InterruptedError once
 * the signal is aborted.
 */
export async function* interruptible<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Row, void> {
  let began = elapsed();
  for await (const row of rows) {
    if (elapsed() - began > TURN_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      began = elapsed();
    }
    if (signal?.aborted) throw new InterruptedError();
    yield row;
  }
}

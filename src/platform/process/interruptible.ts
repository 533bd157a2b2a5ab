import { setMaxListeners } from 'node:events';
import { say } from '../terminal/texts.ts';
import { type Clock, elapsedOn } from './clock.ts';

/** How long rows may be processed in one turn of the event loop: signals are delivered only between turns. */
const TURN_MS = 50;

/** Milliseconds since some moment. The global `performance` would load node:perf_hooks at every start. */
const elapsed = () => Number(process.hrtime.bigint()) / 1e6;

/** Thrown when a signal interrupted the work; the exit code is the signal's. */
export class InterruptedError extends Error {
  constructor() {
    super(say().program.interrupted);
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

/** How long a run waits for the answer to what it has sent, once a signal has come. */
export const LAST_WAIT_MS = 30_000;
/** What is put away after a signal, such as a lease, has this long. */
const GRACE_MS = 1_000;
/** A wait that a person does not notice. */
const UNNOTICED_MS = 1_000;

/** How a run waits for what is outside of it: a database, a lock, another process. */
export interface Waiting {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Called with what is waited for, once a wait has lasted a second. */
  readonly onWait?: ((what: string) => void) | undefined;
  /** How long to wait at most; as long as the thing itself suggests when absent. */
  readonly patienceMs?: number | undefined;
}

/** Rejects with an InterruptedError as soon as the signal is aborted; whoever works goes on unheard. */
export async function untilAborted<Result>(signal: AbortSignal | undefined, work: Promise<Result>): Promise<Result> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new InterruptedError());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A pause that ends with an InterruptedError as soon as the signal is aborted. */
export async function pause(clock: Clock, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await clock.wait(milliseconds, signal);
  } catch (error) {
    throw signal?.aborted ? new InterruptedError() : error;
  }
}

/**
 * Does what may have to wait, again and again while `again` says so: until its time is over, which is the last failure,
 * or until the signal is aborted, which is an InterruptedError at once, whatever hangs. What comes after the signal is
 * putting away, and has a second. After a second it is said what is waited for.
 */
export async function waitedFor<Result>(
  clock: Clock,
  { signal, onWait, patienceMs }: Waiting,
  { what, mostMs, stepMs, work, again }: Waited<Result>,
): Promise<Result> {
  const isLate = signal?.aborted === true;
  const over = new AbortController();
  const late = isLate ? over : undefined;
  if (isLate)
    clock.wait(GRACE_MS, over.signal).then(
      () => over.abort(),
      () => {},
    );
  else if (onWait !== undefined)
    clock.wait(UNNOTICED_MS, over.signal).then(
      () => onWait(what),
      () => {},
    );
  const ending = late?.signal ?? signal;
  const deadline = elapsedOn(clock) + Math.min(mostMs, patienceMs ?? mostMs);
  try {
    for (let round = 0; ; round += 1) {
      try {
        return await untilAborted(ending, work());
      } catch (error) {
        if (error instanceof InterruptedError || !again(error) || elapsedOn(clock) >= deadline) throw error;
        await pause(clock, stepMs(round), ending);
      }
    }
  } finally {
    over.abort();
  }
}

/** Something that may have to wait. */
export interface Waited<Result> {
  /** For a person. */
  readonly what: string;
  readonly mostMs: number;
  /** The pause after an attempt, by its number. */
  readonly stepMs: (round: number) => number;
  readonly work: () => Promise<Result>;
  readonly again: (error: unknown) => boolean;
}

/** How long a run still waits after the signal that ends it. */
export interface Patience {
  /** Aborted when all waits end: by the first signal where nothing was sent, else by a second one, or after a while. */
  readonly signal: AbortSignal;
  /** Says that something is sent whose answer counts, and has to be stored. */
  sent(): void;
  /** Whether something was. */
  readonly hasSent: boolean;
  /** The run has ended. */
  end(): void;
}

/** The patience of a run whose signals are given: the first one, and the one after. */
export function patienceFor(first: AbortSignal, { clock, again }: { clock: Clock; again?: AbortSignal }): Patience {
  const waits = new AbortController();
  const ended = new AbortController();
  // Each wait adds a listener; a batch has more than Node's default limit.
  setMaxListeners(0, waits.signal);
  let hasSent = false;
  const end = () => waits.abort(first.reason);
  const onSignal = () => {
    if (!hasSent || again?.aborted === true) return end();
    again?.addEventListener('abort', end, { once: true });
    clock.wait(LAST_WAIT_MS, ended.signal).then(end, () => {});
  };
  if (first.aborted) onSignal();
  else first.addEventListener('abort', onSignal, { once: true });
  return {
    signal: waits.signal,
    sent() {
      hasSent = true;
    },
    get hasSent() {
      return hasSent;
    },
    end() {
      first.removeEventListener('abort', onSignal);
      again?.removeEventListener('abort', end);
      ended.abort();
    },
  };
}

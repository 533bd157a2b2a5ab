/** Time and waiting, so that tests can control both. */
export interface Clock {
  /** Milliseconds since 1970, UTC; somebody may set it back or ahead. */
  now(): number;
  /** Milliseconds since some moment, which never go back; a clock that nobody sets needs none. See `elapsedOn`. */
  elapsed?(): number;
  /**
   * Resolves after so many milliseconds; rejects with the reason of the signal if it is aborted first. Each caller says
   * which signal ends its wait: one that none ends would keep a run that was told to end.
   */
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/** A call that is to come. */
export interface Timer {
  /** Calls it off. */
  stop(): void;
  /** Lets the process end before. */
  unref(): void;
}

/**
 * Calls a function once, after so many milliseconds of real time, whatever the clock of a command says: for grace periods
 * and limits of connections.
 */
export type StartTimer = (milliseconds: number, then: () => void) => Timer;

/** The machine's own timers. */
export const startTimer: StartTimer = (milliseconds, then) => {
  const timer = setTimeout(then, milliseconds);
  return { stop: () => clearTimeout(timer), unref: () => void timer.unref() };
};

/**
 * Whole milliseconds since some moment, for durations within this process: whoever sets the clock neither shortens nor
 * lengthens them. What other processes, or a later start, are to compare takes `now`.
 */
export const elapsedOn = (clock: Clock): number => Math.floor(clock.elapsed?.() ?? clock.now());

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

import { type StartTimer, startTimer, type Timer } from '../../../platform/process/clock.ts';
import { Refusal } from '../refusal.ts';
import type { BusinessClock } from './business-clock.ts';

/** Registers background work, so that a caller who moves the clock can wait for it. */
export type Track = (work: Promise<void>) => void;

/** Something that happens by itself at business times: deliveries, shipments that move. */
export interface DueWork {
  /**
   * The next time at which it has something to start, in milliseconds; a past one means now, undefined that nothing is
   * pending. Work in progress does not count.
   */
  next(): Promise<number | undefined>;
  /**
   * Starts what is due by now, so that `next` no longer returns it. Long-running work is passed to `track`, and the
   * rest of the schedule continues meanwhile; when that work ends, every `next` is called again.
   */
  begin(track: Track): Promise<void>;
}

/**
 * Starts things when business time reaches them. Costs nothing while nothing is due: it waits for the clock or for
 * `wake`.
 */
export interface Schedule {
  /** Adds work to the schedule. */
  add(work: DueWork): void;
  /** Starts the schedule. */
  start(): void;
  /** Call this when something new is due at that time, or now if none is given. Cheap if it changes nothing. */
  wake(moment?: number): void;
  /**
   * Starts what is due by now, waits for it and for all work in progress, and repeats until nothing is left. Rejects
   * with any error meanwhile (a failed delivery is not one), or if the schedule was closed.
   */
  settle(): Promise<void>;
  /** The next time at which something is to start. */
  next(): Promise<number | undefined>;
  /** Starts nothing more. Work in progress is up to whoever started it. */
  close(): Promise<void>;
}

/** The longest sleep, since the machine may have been suspended or had its clock set meanwhile. */
const LONGEST_SLEEP_MS = 60_000;
/** The pause after a failure, such as a full disk, to avoid a busy loop. */
const PAUSE_AFTER_FAILURE_MS = 1000;

/** A schedule by the business clock; `onFailure` is called with errors of background work. */
export function createSchedule(
  clock: BusinessClock,
  onFailure: (error: unknown) => void = () => {},
  begin: StartTimer = startTimer,
): Schedule {
  const everyone: DueWork[] = [];
  const underWay = new Set<Promise<void>>();
  let started = false;
  let closed = false;
  /** The earliest time at which something is known to be due; Infinity if nothing is. */
  let awaited = Number.POSITIVE_INFINITY;
  let timer: Timer | undefined;
  let round: Promise<void> | undefined;
  let again = false;
  let failure: { readonly error: unknown } | undefined;

  const track: Track = (work) => {
    const tracked = work.then(wakeNow, fail).finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };

  function wakeNow(): void {
    wake(Number.NEGATIVE_INFINITY);
  }

  function fail(error: unknown): void {
    onFailure(error);
    failure = { error };
    awaited = Number.POSITIVE_INFINITY;
    sleep(PAUSE_AFTER_FAILURE_MS, wakeNow);
  }

  function rethrow(): void {
    if (failure !== undefined) throw failure.error;
  }

  function sleep(milliseconds: number, then: () => void): void {
    timer?.stop();
    if (closed || milliseconds === Number.POSITIVE_INFINITY) return;
    timer = begin(Math.min(milliseconds, LONGEST_SLEEP_MS), then);
    timer.unref();
  }

  function wake(moment: number): void {
    if (!started || closed || moment >= awaited) return;
    awaited = moment;
    rest();
  }

  /** Sleeps until the awaited time, or starts at once. */
  function rest(): void {
    const remaining = clock.until(awaited);
    if (remaining === 0) void run();
    else sleep(remaining, rest);
  }

  /** Runs one round at a time; a round that is requested meanwhile follows this one. */
  function run(): Promise<void> {
    again = round !== undefined;
    round ??= rounds().finally(() => {
      round = undefined;
    });
    return round;
  }

  async function rounds(): Promise<void> {
    try {
      do {
        again = false;
        awaited = Number.POSITIVE_INFINITY;
        wake((await beginAll()) ?? Number.POSITIVE_INFINITY);
      } while (again && !closed);
    } catch (error) {
      fail(error);
    }
  }

  /** Starts everything that is due; returns the next due time. */
  async function beginAll(): Promise<number | undefined> {
    const moments: number[] = [];
    for (const work of everyone) {
      let moment = await work.next();
      while (moment !== undefined && moment <= clock.now() && !closed) {
        await work.begin(track);
        moment = await work.next();
      }
      if (moment !== undefined) moments.push(moment);
    }
    return moments.length > 0 ? Math.min(...moments) : undefined;
  }

  // Asks for the due times again instead of just adjusting the sleep: they may depend on whether the clock was set
  // back.
  clock.onSet(wakeNow);

  return {
    add: (work) => void everyone.push(work),
    start() {
      started = true;
      wakeNow();
    },
    wake: (moment = Number.NEGATIVE_INFINITY) => wake(moment),
    async settle() {
      failure = undefined;
      do {
        await Promise.all(underWay);
        await run();
      } while (underWay.size > 0 && failure === undefined && !closed);
      rethrow();
      if (closed) throw new Refusal('unavailable', 'the sandbox was closed meanwhile');
    },
    async next() {
      const moments = await Promise.all(everyone.map((work) => work.next()));
      const known = moments.filter((moment) => moment !== undefined);
      return known.length > 0 ? Math.min(...known) : undefined;
    },
    async close() {
      closed = true;
      timer?.stop();
      await round;
    },
  };
}

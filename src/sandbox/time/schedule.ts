import { Refusal } from '../refusal.ts';
import type { BusinessClock } from './business-clock.ts';

/** Hands on work that goes on in the background, so that whoever moves the clock can wait for it. */
export type Track = (work: Promise<void>) => void;

/** Something that happens by itself at moments of business time: deliveries, shipments that move. */
export interface DueWork {
  /**
   * The next moment at which it has something to begin, in milliseconds; a past one means now, undefined that nothing
   * is pending. What is under way does not count.
   */
  next(): Promise<number | undefined>;
  /**
   * Begins what is due by now, so that `next` no longer names it. What takes long is given to `track`, and the rest of
   * the schedule goes on meanwhile; when it ends, everyone is asked for `next` again.
   */
  begin(track: Track): Promise<void>;
}

/** Begins things when business time reaches them. Costs nothing while nothing is due: it waits for the clock or for `wake`. */
export interface Schedule {
  /** Takes part from now on. */
  add(work: DueWork): void;
  /** Starts: from now on, things begin when they are due. */
  start(): void;
  /** To be called when something new is due at that moment, or by now where none is given. Cheap when it changes nothing. */
  wake(moment?: number): void;
  /**
   * Begins what is due by now, waits for it and for all that is under way, and so on until there is nothing left.
   * Rejects with what went wrong meanwhile (a delivery that fails is nothing of that kind), or when it was closed.
   */
  settle(): Promise<void>;
  /** The next moment at which something is to begin. */
  next(): Promise<number | undefined>;
  /** Begins nothing more. What is under way is the business of whoever began it. */
  close(): Promise<void>;
}

/** The longest sleep: the machine may have slept or had its clock set meanwhile. */
const LONGEST_SLEEP_MS = 60_000;
/** The pause after a failure, such as a full disk: it must not become a busy loop. */
const PAUSE_AFTER_FAILURE_MS = 1000;

/** A schedule by the business clock; `onFailure` hears of what went wrong in the background. */
export function createSchedule(clock: BusinessClock, onFailure: (error: unknown) => void = () => {}): Schedule {
  const everyone: DueWork[] = [];
  const underWay = new Set<Promise<void>>();
  let started = false;
  let closed = false;
  /** The earliest moment at which something is known to be due; Infinity when none is. */
  let awaited = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
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
    clearTimeout(timer);
    if (closed || milliseconds === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(then, Math.min(milliseconds, LONGEST_SLEEP_MS));
    timer.unref();
  }

  function wake(moment: number): void {
    if (!started || closed || moment >= awaited) return;
    awaited = moment;
    rest();
  }

  /** Sleeps until the awaited moment, or begins at once. */
  function rest(): void {
    const remaining = clock.until(awaited);
    if (remaining === 0) void run();
    else sleep(remaining, rest);
  }

  /** One round at a time; whoever asks for one meanwhile gets it after this one. */
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

  /** Begins all that is due; answers the next moment. */
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

  // Asked anew, not only slept anew: what is due when may hang on whether the clock was set back.
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
      clearTimeout(timer);
      await round;
    },
  };
}

import { type StartTimer, startTimer, type Timer } from '../../platform/process/clock.ts';
import type { BusinessClock } from './business-clock.ts';
import { Refusal } from './refusal.ts';

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
  return new ClockSchedule(clock, onFailure, begin);
}

class ClockSchedule implements Schedule {
  readonly #clock: BusinessClock;
  readonly #onFailure: (error: unknown) => void;
  readonly #begin: StartTimer;
  readonly #everyone: DueWork[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #started = false;
  #closed = false;
  /** The earliest time at which something is known to be due; Infinity if nothing is. */
  #awaited = Number.POSITIVE_INFINITY;
  #timer: Timer | undefined;
  #round: Promise<void> | undefined;
  #again = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(clock: BusinessClock, onFailure: (error: unknown) => void, begin: StartTimer) {
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.#begin = begin;
    // Asks for the due times again instead of just adjusting the sleep: they may depend on whether the clock was set
    // back.
    clock.onSet(() => this.wake());
  }

  add(work: DueWork): void {
    this.#everyone.push(work);
  }

  start(): void {
    this.#started = true;
    this.wake();
  }

  wake(moment = Number.NEGATIVE_INFINITY): void {
    if (!this.#started || this.#closed || moment >= this.#awaited) return;
    this.#awaited = moment;
    this.#rest();
  }

  async settle(): Promise<void> {
    this.#failure = undefined;
    do {
      await Promise.all(this.#underWay);
      await this.#run();
    } while (this.#underWay.size > 0 && this.#failure === undefined && !this.#closed);
    this.#rethrow();
    if (this.#closed) throw new Refusal('unavailable', 'the sandbox was closed meanwhile');
  }

  async next(): Promise<number | undefined> {
    const moments = await Promise.all(this.#everyone.map((work) => work.next()));
    const known = moments.filter((moment) => moment !== undefined);
    return known.length > 0 ? Math.min(...known) : undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.stop();
    await this.#round;
  }

  readonly #track: Track = (work) => {
    const tracked = work
      .then(
        () => this.wake(),
        (error: unknown) => this.#fail(error),
      )
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  };

  #fail(error: unknown): void {
    this.#onFailure(error);
    this.#failure = { error };
    this.#awaited = Number.POSITIVE_INFINITY;
    this.#sleep(PAUSE_AFTER_FAILURE_MS, () => this.wake());
  }

  #rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #sleep(milliseconds: number, then: () => void): void {
    this.#timer?.stop();
    if (this.#closed || milliseconds === Number.POSITIVE_INFINITY) return;
    this.#timer = this.#begin(Math.min(milliseconds, LONGEST_SLEEP_MS), then);
    this.#timer.unref();
  }

  /** Sleeps until the awaited time, or starts at once. */
  #rest(): void {
    const remaining = this.#clock.until(this.#awaited);
    if (remaining === 0) void this.#run();
    else this.#sleep(remaining, () => this.#rest());
  }

  /** Runs one round at a time; a round that is requested meanwhile follows this one. */
  #run(): Promise<void> {
    this.#again = this.#round !== undefined;
    this.#round ??= this.#rounds();
    return this.#round;
  }

  async #rounds(): Promise<void> {
    try {
      do {
        this.#again = false;
        this.#awaited = Number.POSITIVE_INFINITY;
        this.wake((await this.#beginAll()) ?? Number.POSITIVE_INFINITY);
      } while (this.#again && !this.#closed);
    } catch (error) {
      this.#fail(error);
    } finally {
      // In the same moment as the last look at #again: what is woken from now on begins a round of its own.
      this.#round = undefined;
    }
  }

  /** Starts everything that is due; returns the next due time. */
  async #beginAll(): Promise<number | undefined> {
    const moments: number[] = [];
    for (const work of this.#everyone) {
      let moment = await work.next();
      while (moment !== undefined && moment <= this.#clock.now() && !this.#closed) {
        await work.begin(this.#track);
        moment = await work.next();
      }
      if (moment !== undefined) moments.push(moment);
    }
    return moments.length > 0 ? Math.min(...moments) : undefined;
  }
}

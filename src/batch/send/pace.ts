import { setMaxListeners } from 'node:events';
import { CallError, NetworkError, ServiceError } from '../../client/errors.ts';
import { isPassingFailure, retryDelayMs } from '../../client/retry.ts';
import { TransportError } from '../../platform/http/transport.ts';
import { type Clock, elapsedOn } from '../../platform/process/clock.ts';
import type { BatchEvent } from '../batch-context.ts';

/** What a pace depends on. */
export interface PaceOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Fixed if the user says so; otherwise adaptive. */
  readonly concurrency?: number | undefined;
  readonly maxOutageMs: number;
  readonly tell: (event: BatchEvent) => void;
}

/** Thrown in place of a call that is not made because nothing new may start; the row is left as it is. */
export class Stopped extends Error {}

const FIRST_LIMIT = 4;
const MOST_LIMIT = 32;
const LEAST_PAUSE_MS = 250;

const THROTTLED = new Set(['resource_exhausted', 'throttled']);
const AWAY_STATUS = new Set([500, 502, 503, 504]);

/** Whether a failure is temporary: the service throttles, or it is unavailable. */
export function passingOf(error: CallError): 'throttled' | 'away' | undefined {
  if (error.outcome !== 'not_applied') return undefined;
  if (error instanceof ServiceError) {
    if (error.status === 429 || THROTTLED.has(error.code)) return 'throttled';
    return AWAY_STATUS.has(error.status) && error.code !== 'unimplemented' ? 'away' : undefined;
  }
  if (!(error instanceof NetworkError)) return undefined;
  const { cause } = error;
  return cause instanceof TransportError && isPassingFailure('read', cause) ? 'away' : undefined;
}

interface Outage {
  readonly since: number;
  readonly over: Promise<void>;
  readonly end: () => void;
}

/**
 * Controls how many calls are in flight, and when none is. Each success raises the limit, by one per round; a throttled
 * call halves it. While the service is unavailable, one caller probes it with growing backoff and the others wait for
 * that one.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #ended = new AbortController();
  #limit: number;
  #successes = 0;
  #pauseUntil = Number.NEGATIVE_INFINITY;
  #outage: Outage | undefined;
  #failure: Error | undefined;
  #stopped = false;

  constructor(options: PaceOptions) {
    this.#options = options;
    // Every waiting row listens; Node takes more than ten listeners for a leak and warns the user.
    setMaxListeners(0, this.#ended.signal);
    this.#limit = options.concurrency ?? FIRST_LIMIT;
  }

  /** How many calls may be in flight. */
  get limit(): number {
    return this.#limit;
  }

  /** Whether nothing new may start. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Why the batch cannot continue; undefined while it can. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Starts nothing new from here on; calls in flight may finish. */
  stop(): void {
    this.#stopped = true;
  }

  /** Ends every wait as well: only calls in flight at this moment continue. */
  leave(): void {
    this.#stopped = true;
    this.#ended.abort();
    this.#outage?.end();
  }

  /** Stops for a reason: calls in flight may finish, waiting ones are dropped. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.leave();
  }

  /**
   * Makes a call, retrying while it is throttled or the service is unavailable. Otherwise throws what the call throws,
   * and Stopped if nothing new may start; `finishing` marks a call that completes earlier work.
   */
  async through<Result>(call: () => Promise<Result>, { finishing = false } = {}): Promise<Result> {
    let asks = false;
    for (let round = 0; ; round += 1) {
      if (!asks) await this.#ready();
      if (this.#ended.signal.aborted || (this.#stopped && !finishing)) throw new Stopped();
      try {
        const result = await call();
        this.#succeeded();
        return result;
      } catch (error) {
        const passing = error instanceof CallError ? passingOf(error) : undefined;
        if (passing === undefined || !(error instanceof CallError)) {
          if (error instanceof ServiceError) this.#isBack();
          // This caller was probing and failed: the next one probes.
          else if (asks) this.#isBack();
          throw error;
        }
        const afterMs = error instanceof ServiceError ? error.retryAfterMs : undefined;
        const delayMs = Math.max(LEAST_PAUSE_MS, retryDelayMs(round, this.#options.random(), afterMs));
        if (passing === 'throttled') this.#slowDown(delayMs);
        asks = passing === 'away' && (await this.#away(error, asks, delayMs));
      }
    }
  }

  /** Slows down for a call whose caller settles it. Milliseconds. */
  throttled(pauseMs: number | undefined): void {
    this.#slowDown(Math.max(LEAST_PAUSE_MS, pauseMs ?? 0));
  }

  /** Waits this long; throws Stopped if the wait is cut short. */
  async wait(milliseconds: number): Promise<void> {
    try {
      await this.#options.clock.wait(milliseconds, this.#ended.signal);
    } catch {
      throw new Stopped();
    }
  }

  async #ready(): Promise<void> {
    while (this.#outage !== undefined && !this.#ended.signal.aborted) await this.#outage.over;
    for (let left = this.#pauseLeft(); left > 0; left = this.#pauseLeft()) await this.wait(left);
  }

  /** Milliseconds until calls are made again. */
  #pauseLeft(): number {
    return this.#pauseUntil - elapsedOn(this.#options.clock);
  }

  #succeeded(): void {
    this.#isBack();
    if (this.#options.concurrency !== undefined) return;
    this.#successes += 1;
    if (this.#successes < this.#limit) return;
    this.#successes = 0;
    this.#limit = Math.min(MOST_LIMIT, this.#limit + 1);
  }

  /** One reduction for all calls that were in flight when it began. */
  #slowDown(pauseMs: number): void {
    this.#isBack();
    const left = this.#pauseLeft();
    if (pauseMs > left) this.#pauseUntil = elapsedOn(this.#options.clock) + pauseMs;
    if (left > 0) return;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#successes = 0;
    this.#options.tell({ event: 'throttled', inFlight: this.#limit });
  }

  /**
   * Waits for the next probe, or for the result of another caller's; returns whether this caller is the one to probe.
   */
  async #away(error: CallError, asks: boolean, delayMs: number): Promise<boolean> {
    const { clock, maxOutageMs, tell } = this.#options;
    if (this.#outage !== undefined && !asks) {
      await this.#outage.over;
      return false;
    }
    if (this.#outage === undefined) {
      let end = () => {};
      const over = new Promise<void>((resolve) => {
        end = resolve;
      });
      this.#outage = { since: elapsedOn(clock), over, end };
      tell({ event: 'away', reason: error.message });
    }
    if (elapsedOn(clock) + delayMs - this.#outage.since > maxOutageMs) {
      this.fail(error);
      throw new Stopped();
    }
    await this.wait(delayMs);
    return true;
  }

  #isBack(): void {
    if (this.#outage === undefined) return;
    const { since, end } = this.#outage;
    this.#outage = undefined;
    this.#options.tell({ event: 'back', afterMs: elapsedOn(this.#options.clock) - since });
    end();
  }
}

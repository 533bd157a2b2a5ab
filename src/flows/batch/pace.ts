import { setMaxListeners } from 'node:events';
import { CallError, NetworkError, ServiceError } from '../../client/errors.ts';
import { isPassingFailure, retryDelayMs } from '../../client/retry.ts';
import type { Clock } from '../../platform/clock.ts';
import { TransportError } from '../../platform/transport.ts';
import type { BatchEvent } from './desk.ts';

/** What a pace goes by. */
export interface PaceOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Fixed, where the user says so; else it is found out. */
  readonly concurrency?: number | undefined;
  readonly maxOutageMs: number;
  readonly tell: (event: BatchEvent) => void;
}

/** Thrown instead of a call that is not made, because nothing new is to be begun; the row stays as it is. */
export class Stopped extends Error {}

const FIRST_LIMIT = 4;
const MOST_LIMIT = 32;
const LEAST_PAUSE_MS = 250;

const THROTTLED = new Set(['resource_exhausted', 'throttled']);
const AWAY_STATUS = new Set([500, 502, 503, 504]);

/** Whether a failure passes: the service asks for fewer calls, or it is not there. */
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
 * How many calls are under way, and when none is. Each success makes room for more, by one a round; a throttled answer
 * halves it. While the service is away one caller asks for it, at growing distances, and the others wait for that one.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #ended = new AbortController();
  #limit: number;
  #successes = 0;
  #pauseUntil = 0;
  #cutAt = 0;
  #outage: Outage | undefined;
  #failure: Error | undefined;
  #stopped = false;

  constructor(options: PaceOptions) {
    this.#options = options;
    // Every row that waits hears it; Node takes more than ten for a leak, and says so to the user.
    setMaxListeners(0, this.#ended.signal);
    this.#limit = options.concurrency ?? FIRST_LIMIT;
  }

  /** How many calls may be under way. */
  get limit(): number {
    return this.#limit;
  }

  /** Whether nothing new is to be begun. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Why the batch cannot go on; undefined while it can. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Begins nothing new from here on; what is under way may end. */
  stop(): void {
    this.#stopped = true;
  }

  /** Ends every wait too: what is not under way at this moment is left. */
  leave(): void {
    this.#stopped = true;
    this.#ended.abort();
    this.#outage?.end();
  }

  /** Stops for a reason: what is under way may end, what waits is left. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.leave();
  }

  /**
   * Makes a call, again and again while it is throttled or the service is away. Throws what it throws otherwise, and
   * Stopped where nothing new is to be begun; `finishing` is a call that ends what was begun before.
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
          // Whoever asked for the service did not find it: the next one asks.
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

  /** Waits for so long; throws Stopped where it is left before. */
  async wait(milliseconds: number): Promise<void> {
    try {
      await this.#options.clock.wait(milliseconds, this.#ended.signal);
    } catch {
      throw new Stopped();
    }
  }

  async #ready(): Promise<void> {
    while (this.#outage !== undefined && !this.#ended.signal.aborted) await this.#outage.over;
    for (;;) {
      const left = this.#pauseUntil - this.#options.clock.now();
      if (left <= 0) return;
      await this.wait(left);
    }
  }

  #succeeded(): void {
    this.#isBack();
    if (this.#options.concurrency !== undefined) return;
    this.#successes += 1;
    if (this.#successes < this.#limit) return;
    this.#successes = 0;
    this.#limit = Math.min(MOST_LIMIT, this.#limit + 1);
  }

  /** One cut for all that were under way when it began. */
  #slowDown(pauseMs: number): void {
    const now = this.#options.clock.now();
    this.#isBack();
    const isNew = now >= this.#cutAt;
    this.#pauseUntil = Math.max(this.#pauseUntil, now + pauseMs);
    this.#cutAt = this.#pauseUntil;
    if (!isNew) return;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#successes = 0;
    this.#options.tell({ event: 'throttled', inFlight: this.#limit });
  }

  /** Waits for the next look of the one that asks, or for what it finds; answers whether this caller is the one. */
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
      this.#outage = { since: clock.now(), over, end };
      tell({ event: 'away', reason: error.message });
    }
    if (clock.now() + delayMs - this.#outage.since > maxOutageMs) {
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
    this.#options.tell({ event: 'back', afterMs: this.#options.clock.now() - since });
    end();
  }
}

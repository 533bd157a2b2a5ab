import type { Account } from '../client/account.ts';
import { type Connection, through } from '../client/connection.ts';
import type { Middleware } from '../platform/http/transport.ts';
import { elapsedOn } from '../platform/process/clock.ts';
import type { LedgerStore } from './store/intents.ts';
import type { Moment } from './store/keys.ts';
import { clockOffset, keepClockOffset } from './store/services.ts';

/** A Date further off than this from what is known, in milliseconds, is believed only once another one agrees with it. */
const OFF_MS = 10 * 60_000;

/** So many milliseconds later at least: one node answers wrongly several times at once. */
const LATER_MS = 1_000;

/** Two offsets that differ by less are one. */
const SAME_MS = 60_000;

/** What the Date of an answer said, and when that was here. */
interface Reported {
  readonly served: number;
  readonly elapsed: number;
}

/** The service's time, as its answers have told it, and this machine's. */
export class ServiceTime {
  readonly #clock: Connection['clock'];
  readonly #signal: AbortSignal | undefined;
  /** How far the service's dates were ahead of this machine's clock before; undefined if no run has learned it. */
  #known: number | undefined;
  /** The latest that counts. */
  #reported: Reported | undefined;
  /** One that is off, and that no other one has confirmed. */
  #doubted: Reported | undefined;
  #isSilent = false;

  constructor({ clock, signal }: Pick<Connection, 'clock' | 'signal'>) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** What earlier runs have learned: how many milliseconds the service's dates are ahead of this machine's clock. */
  expect(offset: number | undefined): void {
    const early = this.#reported;
    this.#known = offset;
    this.#reported = undefined;
    if (early !== undefined) this.#judge(early);
  }

  /** How many milliseconds the service's dates are ahead of this machine's clock; undefined as long as nothing tells. */
  get offset(): number | undefined {
    return this.#reported === undefined ? this.#known : this.#expected(this.#reported) - this.#clock.now();
  }

  /**
   * Milliseconds since 1970, by the service as far as that is known. While a Date is in doubt the later time counts: what
   * is dated by it is recent for longer.
   */
  now(): number {
    const doubted = this.#doubted === undefined ? Number.NEGATIVE_INFINITY : this.#expected(this.#doubted);
    return Math.max(this.#expected(this.#reported), doubted);
  }

  /** This moment, by the service's time and by this machine's clock. */
  get moment(): Moment {
    return { at: this.now(), localAt: this.#clock.now() };
  }

  /** Whether an answer has told it. */
  get isKnown(): boolean {
    return this.#reported !== undefined;
  }

  /**
   * Whether so many milliseconds have passed since a moment, by the service's dates and by this machine's clock, of which
   * each may be wrong; `unknown` if that has to be asked of the service first. A service whose answers tell no time leaves
   * it open, and then nothing is over.
   */
  hasPassed(milliseconds: number, { at, localAt }: Moment): boolean | 'unknown' {
    if (this.#clock.now() - localAt < milliseconds) return false;
    if (this.#reported !== undefined) return this.#expected(this.#reported) - at >= milliseconds;
    return this.#isSilent ? false : 'unknown';
  }

  /** Takes the time from the headers of an answer. */
  hear(headers: Readonly<Record<string, string | undefined>>): void {
    const served = Date.parse(headers.date ?? '');
    if (!Number.isNaN(served)) this.#judge({ served, elapsed: elapsedOn(this.#clock) });
  }

  /**
   * Asks for it by a read, whatever that answers, and once more where the answer is in doubt. Throws what the read throws
   * if there was no answer.
   */
  async ask(read: () => Promise<unknown>): Promise<void> {
    for (const isLast of [false, true]) {
      if (this.isKnown) return;
      const doubted = this.#doubted;
      if (doubted !== undefined) await this.#waitUntil(doubted.elapsed + LATER_MS);
      try {
        await read();
      } catch (error) {
        if (!this.isKnown && this.#doubted === doubted) throw error;
      }
      if (isLast || this.#doubted === undefined) break;
    }
    this.#isSilent = !this.isKnown;
  }

  /** The time now by what was told: before the first answer, by this machine's clock and what earlier runs have learned. */
  #expected(reported: Reported | undefined): number {
    if (reported === undefined) return this.#clock.now() + (this.#known ?? 0);
    return reported.served + elapsedOn(this.#clock) - reported.elapsed;
  }

  #judge(reported: Reported): void {
    const isFirst = this.#reported === undefined && this.#known === undefined;
    const agrees = (other: Reported | undefined) =>
      Math.abs(this.#expected(reported) - this.#expected(other)) <= OFF_MS;
    const doubted = this.#doubted;
    const isConfirmed = doubted !== undefined && agrees(doubted);
    if (isFirst || agrees(this.#reported) || (isConfirmed && reported.elapsed - doubted.elapsed >= LATER_MS)) {
      this.#reported = reported;
      this.#doubted = undefined;
    } else if (!isConfirmed) this.#doubted = reported;
  }

  async #waitUntil(elapsed: number): Promise<void> {
    const left = elapsed - elapsedOn(this.#clock);
    if (left > 0) await this.#clock.wait(left, this.#signal);
  }
}

/** A connection whose answers tell the service's time. */
export function timed(connection: Connection): { readonly connection: Connection; readonly time: ServiceTime } {
  const time = new ServiceTime(connection);
  const hearing: Middleware = async (request, next) => {
    const answer = await next(request);
    time.hear(answer.headers);
    return answer;
  };
  return { connection: through(connection, hearing), time };
}

/**
 * Tells a run what earlier ones have learned of a service's clock. `keep` stores what the run has learned; the next one
 * learns it once more where that fails. Throws a WorkspaceError.
 */
export async function knownClock(
  { read, write }: Pick<LedgerStore, 'read' | 'write'>,
  { origin }: Pick<Account, 'origin'>,
  time: ServiceTime,
): Promise<{ keep(): Promise<void> }> {
  const known = await read((sql) => clockOffset(sql, origin));
  time.expect(known);
  return {
    async keep() {
      const { offset } = time;
      const isSame = known !== undefined && offset !== undefined && Math.abs(offset - known) < SAME_MS;
      if (offset !== undefined && !isSame) await write((sql) => keepClockOffset(sql, origin, offset)).catch(() => {});
    },
  };
}

import type { Connection } from '../../client/connection.ts';
import { elapsedOn } from '../../platform/process/clock.ts';

/** The service's time, as its answers have told it. */
export class ServiceTime {
  readonly #clock: Connection['clock'];
  /** When the latest answer was sent, by the service, and when it was here. */
  #told: { readonly served: number; readonly elapsed: number } | undefined;
  #isSilent = false;

  constructor(clock: Connection['clock']) {
    this.#clock = clock;
  }

  /** Milliseconds since 1970; before the first answer by this machine's clock, which may be wrong. */
  now(): number {
    if (this.#told === undefined) return this.#clock.now();
    const { served, elapsed } = this.#told;
    return served + elapsedOn(this.#clock) - elapsed;
  }

  /** Whether an answer has told it. */
  get isKnown(): boolean {
    return this.#told !== undefined;
  }

  /**
   * Whether so many milliseconds have passed since a moment; `unknown` if that has to be asked of the service first. A
   * service whose answers tell no time leaves it open, and then nothing is over.
   */
  hasPassed(milliseconds: number, since: number): boolean | 'unknown' {
    if (this.now() - since < milliseconds) return false;
    if (this.isKnown) return true;
    return this.#isSilent ? false : 'unknown';
  }

  /** Takes the time from the headers of an answer. */
  hear(headers: Readonly<Record<string, string | undefined>>): void {
    const served = Date.parse(headers.date ?? '');
    if (!Number.isNaN(served)) this.#told = { served, elapsed: elapsedOn(this.#clock) };
  }

  /** Asks for it by a read, whatever that answers. Throws what the read throws if there was no answer. */
  async ask(read: () => Promise<unknown>): Promise<void> {
    if (this.isKnown) return;
    try {
      await read();
    } catch (error) {
      if (!this.isKnown) throw error;
    }
    this.#isSilent = !this.isKnown;
  }
}

/** A connection whose answers tell the service's time. */
export function timed(connection: Connection): { readonly connection: Connection; readonly time: ServiceTime } {
  const time = new ServiceTime(connection.clock);
  const transport: Connection['transport'] = async (wire) => {
    const answer = await connection.transport(wire);
    time.hear(answer.headers);
    return answer;
  };
  return { connection: { ...connection, transport }, time };
}

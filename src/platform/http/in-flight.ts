import type { Socket } from 'node:net';
import { say } from '../terminal/texts.ts';
import { TransportError, type WireRequest, type WireResponse } from './transport.ts';

/** `HTTP/1.1 100` and the character that ends the number. */
const CONTINUE = /^HTTP\/1\.[01] 100[ \r]/;
const CONTINUE_LENGTH = 13;

/** Where the status starts, and how an interim one starts: this byte rules out nearly every response. */
const CLASS_AT = 'HTTP/1.1 '.length;
const INTERIM = '1'.charCodeAt(0);

/** An interim response with longer headers is left to the parser, which refuses it. */
const LONGEST_BYTES = 16 * 1024;

/** Whether a prefix too short to decide may still become such a response. */
function mayBecomeContinue(beginning: string): boolean {
  return ['HTTP/1.1 100 ', 'HTTP/1.0 100 '].some((line) => line.startsWith(beginning));
}

/** What follows the interim responses at the start of some bytes; undefined while more bytes are needed. */
function behindContinue(bytes: Buffer): Buffer | undefined {
  let rest = bytes;
  for (;;) {
    const beginning = rest.toString('latin1', 0, CONTINUE_LENGTH);
    if (beginning.length < CONTINUE_LENGTH) return mayBecomeContinue(beginning) ? undefined : rest;
    if (!CONTINUE.test(beginning)) return rest;
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest.length > LONGEST_BYTES ? rest : undefined;
    rest = rest.subarray(end + 4);
  }
}

const NOTHING = Buffer.alloc(0);

/**
 * Hides `100 Continue` from a socket's reader. A server may send one at any time, and a client has to ignore it (RFC
 * 9110, 15.2); undici closes the connection, since it did not ask for one.
 */
export function passOverContinue(socket: Socket): void {
  const read: (size?: number) => Buffer | null = socket.read.bind(socket);
  const { write } = socket;
  let held: Buffer | undefined;
  // The last request sent is answered next: a response begins with the first bytes after it.
  const noticing = (...given: Parameters<Socket['write']>) => {
    held ??= NOTHING;
    return Reflect.apply(write, socket, given);
  };
  Object.assign(socket, { write: noticing });
  socket.read = (size?: number) => {
    for (;;) {
      const chunk = read(size);
      if (held === undefined || chunk === null) return chunk;
      if (held.length === 0 && chunk.length >= CONTINUE_LENGTH && chunk[CLASS_AT] !== INTERIM) {
        held = undefined;
        return chunk;
      }
      held = Buffer.concat([held, chunk]);
      const rest = behindContinue(held);
      if (rest === undefined) continue;
      held = undefined;
      return rest;
    }
  };
}

/** A request that ends by itself, when its time is over, or when its signal is aborted. */
export interface Limited {
  /** Its time limit, in milliseconds of `performance.now()`; Infinity for none. */
  readonly until: number;
  readonly signal: AbortSignal | undefined;
  /** Its index in the list, which alone sets it. */
  place: number;
  timeIsOver(): void;
  isAborted(): void;
}

/** The requests in progress. */
export interface InFlight {
  add(one: Limited): void;
  /** It has ended. */
  remove(one: Limited): void;
}

/** A longer time does not fit into a timer. */
const MOST_MS = 2 ** 31 - 1;

/**
 * Requests in progress, with one timer for all of them and one listener for each signal. A timer and a listener each
 * cost much for a short request; and the listeners that a signal no longer has still point to later ones, so that the
 * garbage collector keeps copying what has ended long ago.
 */
export function createInFlight(): InFlight {
  return new OneTimer();
}

class OneTimer implements InFlight {
  readonly #list: Limited[] = [];
  readonly #signals = new Map<AbortSignal, { users: number; readonly stop: () => void }>();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;

  add(one: Limited): void {
    one.place = this.#list.push(one) - 1;
    this.#setFor(one.until);
    if (one.signal !== undefined) this.#listenTo(one.signal);
  }

  remove(one: Limited): void {
    const last = this.#list.pop();
    if (last !== undefined && last !== one) {
      this.#list[one.place] = last;
      last.place = one.place;
    }
    if (this.#list.length === 0) this.#clear();
    if (one.signal !== undefined) this.#ignore(one.signal);
  }

  #setFor(at: number): void {
    if (at >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    const remaining = Math.max(1, Math.ceil(at - performance.now()));
    this.#timer = setTimeout(() => this.#check(), Math.min(MOST_MS, remaining));
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  #check(): void {
    this.#clear();
    const now = performance.now();
    for (const one of this.#list.filter(({ until }) => until <= now)) one.timeIsOver();
    this.#setFor(Math.min(...this.#list.map(({ until }) => until)));
  }

  #listenTo(signal: AbortSignal): void {
    const known = this.#signals.get(signal);
    if (known !== undefined) {
      known.users += 1;
      return;
    }
    const onAbort = () => {
      for (const one of this.#list.filter((each) => each.signal === signal)) one.isAborted();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#signals.set(signal, { users: 1, stop: () => signal.removeEventListener('abort', onAbort) });
  }

  #ignore(signal: AbortSignal): void {
    const known = this.#signals.get(signal);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    known.stop();
    this.#signals.delete(signal);
  }
}

/**
 * Waits for an answer as long as its request may take. Throws a TransportError when its time is over, or its signal is
 * aborted; whoever answers goes on.
 */
export function withinLimits(
  inFlight: InFlight,
  { url, timeoutMs, signal: given, sentSignal }: WireRequest,
  answer: () => Promise<WireResponse>,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(url);
    if (given?.aborted) throw new TransportError('aborted', 'no', say().network.givenUp({ host }));
    // Whoever answers has it at once.
    const signal = sentSignal ?? given;
    let isOver = false;
    const end = () => {
      if (!isOver) inFlight.remove(limited);
      isOver = true;
    };
    const giveUp = (failure: 'timeout' | 'aborted', message: string) => {
      end();
      reject(new TransportError(failure, 'maybe', message));
    };
    const limited: Limited = {
      until: timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs,
      signal,
      place: 0,
      timeIsOver: () => giveUp('timeout', say().network.late({ host, seconds: (timeoutMs ?? 0) / 1000 })),
      isAborted: () => giveUp('aborted', say().network.givenUp({ host })),
    };
    inFlight.add(limited);
    answer().finally(end).then(resolve, reject);
  });
}

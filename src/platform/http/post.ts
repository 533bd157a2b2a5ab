import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { systemClock } from '../process/clock.ts';
import { say } from '../terminal/texts.ts';
import { TransportError, transportError } from './transport.ts';

/** A POST with control over how its body is sent, and with the exact bytes that come back. */
export interface Post {
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Sends the body in that many pieces, with a pause between them; all at once when absent. */
  readonly drip?: { readonly pieces: number; readonly pauseMs: number };
  /** Awaited before the last byte of the body is sent, to act while the request is in progress. */
  readonly meanwhile?: () => Promise<void>;
  /** Time limit for the whole response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** The response. */
export interface PostAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or its first 64 KiB if it is larger. */
  readonly body: Uint8Array;
  /** Whether the response arrived before the whole body was sent. */
  readonly early: boolean;
}

/**
 * Sends one POST over its own connection; follows no redirect. Throws a TransportError when no complete response
 * arrived.
 */
export type SendPost = (post: Post) => Promise<PostAnswer>;

const KEPT_BYTES = 64 * 1024;

/** Sends with node:http, which gives control over each write of the body. */
export const sendPost: SendPost = (post) =>
  new Promise<PostAnswer>((resolve, reject) => new SendingPost(post, resolve, reject).begin());

/** One request on its way, until it is answered, fails, or is given up. */
class SendingPost {
  readonly #post: Post;
  readonly #resolve: (answer: PostAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #url: URL;
  readonly #bytes: Buffer;
  readonly #ending = new AbortController();
  readonly #outgoing: ClientRequest;
  readonly #timer: NodeJS.Timeout;
  #connected = false;
  #sentWhole = false;

  constructor(post: Post, resolve: (answer: PostAnswer) => void, reject: (error: Error) => void) {
    this.#post = post;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#url = new URL(post.url);
    this.#bytes = Buffer.from(post.body);
    this.#outgoing = (this.#isSecure() ? requestHttps : requestHttp)(this.#url, {
      method: 'POST',
      agent: false,
      headers: { ...post.headers, 'content-length': this.#bytes.length },
    });
    const late = say().network.late({ host: this.#url.host, seconds: post.timeoutMs / 1000 });
    this.#timer = setTimeout(() => this.#giveUp('timeout', late), post.timeoutMs);
  }

  begin(): void {
    this.#post.signal?.addEventListener('abort', this.#onAbort, { once: true });
    // Stays attached: once the response is complete, later errors of the connection do not matter.
    this.#outgoing.on('error', (error) => this.#breakOff(error, this.#connected));
    this.#outgoing.once('socket', (socket) => {
      socket.once(this.#isSecure() ? 'secureConnect' : 'connect', () => {
        this.#connected = true;
      });
    });
    this.#outgoing.once('response', (incoming) => this.#receive(incoming));
    sendBody(this.#outgoing, this.#bytes, this.#post, this.#ending.signal).then(
      () => {
        this.#sentWhole = true;
      },
      (error: Error) => {
        if (!this.#ending.signal.aborted) this.#fail(error);
      },
    );
  }

  #receive(incoming: IncomingMessage): void {
    const early = !this.#sentWhole;
    const chunks: Buffer[] = [];
    let received = 0;
    const answer = () => ({
      status: incoming.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
      ),
      body: Buffer.concat(chunks).subarray(0, KEPT_BYTES),
      early,
    });
    const end = () => {
      const whole = answer();
      this.#finish(() => this.#resolve(whole));
      this.#outgoing.destroy();
    };
    incoming.on('error', (error) => this.#breakOff(error, true));
    incoming.once('end', end);
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received > KEPT_BYTES) end();
    });
  }

  #isSecure(): boolean {
    return this.#url.protocol === 'https:';
  }

  readonly #onAbort = () => this.#giveUp('aborted', say().network.givenUp({ host: this.#url.host }));

  #giveUp(failure: 'timeout' | 'aborted', message: string): void {
    this.#fail(new TransportError(failure, this.#connected ? 'maybe' : 'no', message));
  }

  #breakOff(error: Error, connected: boolean): void {
    this.#fail(transportError(error, connected, { host: this.#url.host }));
  }

  #fail(error: Error): void {
    this.#finish(() => this.#reject(error));
    this.#outgoing.destroy();
  }

  #finish(settle: () => void): void {
    clearTimeout(this.#timer);
    this.#post.signal?.removeEventListener('abort', this.#onAbort);
    this.#ending.abort();
    settle();
  }
}

/** Writes the body as the post specifies; the headers are flushed at once if the body takes its time. */
async function sendBody(outgoing: ClientRequest, bytes: Buffer, post: Post, signal: AbortSignal): Promise<void> {
  const { drip = { pieces: 1, pauseMs: 0 }, meanwhile } = post;
  const size = Math.max(1, Math.ceil(bytes.length / drip.pieces));
  if (drip.pieces > 1 || meanwhile !== undefined) outgoing.flushHeaders();
  for (let from = 0; from + size < bytes.length; from += size) {
    outgoing.write(bytes.subarray(from, from + size));
    await systemClock.wait(drip.pauseMs, signal);
  }
  const last = bytes.subarray(Math.floor((bytes.length - 1) / size) * size);
  if (meanwhile === undefined) return void outgoing.end(last);
  outgoing.write(last.subarray(0, -1));
  await meanwhile();
  if (!signal.aborted) outgoing.end(last.subarray(-1));
}

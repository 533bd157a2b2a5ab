import type { SendPost } from '../../platform/http/post.ts';
import { TransportError } from '../../platform/http/transport.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { faultOf } from './verdicts.ts';

/** How a receiver answered one callback. */
export interface Received {
  /** Null if no answer came. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** The beginning of its body. */
  readonly answer: string | null;
  /** Why the service would not accept it; null if it would. */
  readonly reason: string | null;
}

const SHOWN = 200;

/** Sends one callback to a receiver and judges its answer as the service would (decisions, section 8). */
export async function receive({
  url,
  body,
  send,
  clock,
  timeoutMs,
  signal,
}: {
  readonly url: string;
  readonly body: string;
  readonly send: SendPost;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}): Promise<Received> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'shopctl-webhooks-send' };
  const began = clock.now();
  const tookMs = () => Math.max(0, clock.now() - began);
  try {
    const answered = await send({ url, headers, body, timeoutMs, signal });
    const milliseconds = tookMs();
    const reason = faultOf({ ...answered, tookMs: milliseconds }, timeoutMs) ?? null;
    const answer = Buffer.from(answered.body).toString('utf8').slice(0, SHOWN);
    return { status: answered.status, milliseconds, answer, reason };
  } catch (error) {
    if (signal.aborted || !(error instanceof TransportError)) throw error;
    return { status: null, milliseconds: tookMs(), answer: null, reason: `gave no answer: ${error.message}` };
  }
}

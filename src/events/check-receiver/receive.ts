import type { PostAnswer, SendPost } from '../../platform/http/post.ts';
import { TransportError } from '../../platform/http/transport.ts';
import { type Clock, elapsedOn } from '../../platform/process/clock.ts';
import { say } from '../actions/texts.ts';

/** An answer and how long it took, counted from the last byte sent if the answer came after that. */
interface TimedAnswer extends PostAnswer {
  readonly tookMs: number;
}

/** How many characters of an answer are quoted. */
const QUOTED = 60;

/**
 * What is wrong with an answer, or undefined: the service accepts status 200 and a body of exactly `ok`, optionally
 * with one newline, byte by byte (decisions, section 8). An answer later than `mostMs` is a fault as well.
 */
export function faultOf({ status, headers, body, early, tookMs }: TimedAnswer, mostMs: number): string | undefined {
  const texts = say().answered;
  if (status >= 300 && status < 400) return texts.redirect({ status });
  if (status === 413) return texts.tooLarge;
  if (status !== 200) return texts.status({ status });
  const wrong = faultOfBody(Buffer.from(body), headers['content-encoding']);
  if (wrong !== undefined) return wrong;
  if (early) return texts.early;
  return tookMs > mostMs ? texts.late({ seconds: tookMs / 1000, most: mostMs / 1000 }) : undefined;
}

function faultOfBody(body: Buffer, encoding: string | undefined): string | undefined {
  const bytes = body.toString('latin1');
  if (bytes === 'ok' || bytes === 'ok\n') return undefined;
  const texts = say().answered;
  if (encoding !== undefined && encoding !== 'identity') return texts.encoded({ encoding: encoding.slice(0, 20) });
  if (bytes === '') return texts.empty;
  const text = body.toString('utf8');
  const cut = text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
  const answer = texts.other({ body: JSON.stringify(cut) });
  const slip = slipOf(text);
  return slip === undefined ? answer : texts.slips[slip]({ answer });
}

/** The small difference by which a body fails to be `ok`. */
function slipOf(text: string): 'mark' | 'blanks' | 'capitals' | 'quotes' | 'json' | 'page' | undefined {
  if (text.startsWith('\uFEFF')) return 'mark';
  const bare = text.trim();
  if (bare === 'ok') return 'blanks';
  if (bare.toLowerCase() === 'ok') return 'capitals';
  if (/^(["'])ok\1$/i.test(bare)) return 'quotes';
  if (bare.startsWith('{') || bare.startsWith('[')) return 'json';
  return bare.startsWith('<') ? 'page' : undefined;
}

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
  const began = elapsedOn(clock);
  const tookMs = () => Math.max(0, elapsedOn(clock) - began);
  try {
    const answered = await send({ url, headers, body, timeoutMs, signal });
    const milliseconds = tookMs();
    const reason = faultOf({ ...answered, tookMs: milliseconds }, timeoutMs) ?? null;
    const answer = Buffer.from(answered.body).toString('utf8').slice(0, SHOWN);
    return { status: answered.status, milliseconds, answer, reason };
  } catch (error) {
    if (signal.aborted || !(error instanceof TransportError)) throw error;
    return { status: null, milliseconds: tookMs(), answer: null, reason: say().answered.none({ why: error.message }) };
  }
}

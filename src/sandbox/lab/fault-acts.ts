import {
  TransportError,
  type TransportFailure,
  type WireRequest,
  type WireResponse,
} from '../../platform/http/transport.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { jsonAnswer } from '../engine/complete-answer.ts';
import type { FaultAction } from './fault-action.ts';

/** Details of a broken call, for the layers around it. */
interface Breakage {
  readonly faultId: number;
  /** The service's answer; undefined if it was not called. */
  readonly answer?: WireResponse | undefined;
  /** Whether half of the answer is sent, with the length of the whole, before the connection is closed. */
  readonly half?: boolean;
}

/** Thrown by `sandbox.handle` if a fault prevents a complete answer; over HTTP the connection is closed. */
export class BrokenAnswerError extends TransportError {
  readonly faultId: number;
  readonly answer: WireResponse | undefined;
  readonly half: boolean;

  constructor(failure: TransportFailure, { faultId, answer, half = false }: Breakage) {
    super(failure, 'maybe', `fault ${faultId} of the sandbox: ${words[failure] ?? words.closed}`);
    this.name = 'BrokenAnswerError';
    this.faultId = faultId;
    this.answer = answer;
    this.half = half;
  }
}

const words: Partial<Record<TransportFailure, string>> & { readonly closed: string } = {
  closed: 'the connection closed before the whole answer had arrived',
  timeout: 'no answer came in time',
  aborted: 'the caller gave up',
};

/** What a fault needs to act. */
export interface Acting {
  readonly faultId: number;
  /** The machine's clock: delays are in real time. */
  readonly clock: Clock;
  /** Ends every delay: a late answer is then sent at once. */
  readonly interrupted: AbortSignal;
}

/** The header that tells the caller which fault was applied to its call. */
export const FAULT_HEADER = 'sandbox-fault';

/** Applies an action to a call. Throws a BrokenAnswerError if the answer must not arrive completely. */
export async function act(
  action: FaultAction,
  request: WireRequest,
  next: (request: WireRequest) => Promise<WireResponse>,
  acting: Acting,
): Promise<WireResponse> {
  const { faultId } = acting;
  const marked = (answer: WireResponse): WireResponse => ({
    ...answer,
    headers: { ...answer.headers, [FAULT_HEADER]: String(faultId) },
  });
  switch (action.kind) {
    case 'drop-before':
      throw new BrokenAnswerError('closed', { faultId });
    case 'drop-after-commit':
      throw new BrokenAnswerError('closed', { faultId, answer: await next(request) });
    case 'half-answer':
      throw new BrokenAnswerError('closed', { faultId, answer: marked(await next(request)), half: true });
    case 'late-after-commit': {
      const answer = await next(request);
      await patience(request, action.delayMs, acting, answer);
      return marked(answer);
    }
    case 'delay':
      await patience(request, action.delayMs, acting);
      return marked(await next(request));
    case 'html':
      return marked(page(action.status));
    case 'status': {
      const { status, code, retryAfterSeconds } = action;
      const answer = jsonAnswer(status, { code, msg: `fault ${faultId} of the sandbox` });
      if (retryAfterSeconds === undefined) return marked(answer);
      return marked({ ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfterSeconds) } });
    }
  }
}

/** Waits, but gives up for an in-process caller whose own timeout expires meanwhile, as a connection would. */
async function patience(
  { timeoutMs = Number.POSITIVE_INFINITY, signal }: WireRequest,
  delayMs: number,
  { faultId, clock, interrupted }: Acting,
  answer?: WireResponse,
): Promise<void> {
  const ended = signal === undefined ? interrupted : AbortSignal.any([signal, interrupted]);
  await clock.wait(Math.min(delayMs, timeoutMs), ended).catch(() => {});
  if (signal?.aborted) throw new BrokenAnswerError('aborted', { faultId, answer });
  if (timeoutMs < delayMs && !interrupted.aborted) throw new BrokenAnswerError('timeout', { faultId, answer });
}

function page(status: number): WireResponse {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  const body = `<!doctype html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
  return { status, headers, body };
}

import type { Clock } from '../../platform/clock.ts';
import type { WireRequest, WireResponse } from '../../platform/transport.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import type { FaultAction } from './action.ts';
import { BrokenAnswerError } from './broken-answer.ts';

/** What a fault acts with. */
export interface Acting {
  readonly faultId: number;
  /** The machine's: delays are real. */
  readonly clock: Clock;
  /** Ends every delay: then what is late comes at once. */
  readonly interrupted: AbortSignal;
}

/** The header that tells the caller which fault befell its call. */
export const FAULT_HEADER = 'sandbox-fault';

/** Lets an action befall a call. Throws a BrokenAnswerError where no whole answer is to arrive. */
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

/** Waits, and gives up for a caller in this process whose own limit passes meanwhile, as a connection would. */
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

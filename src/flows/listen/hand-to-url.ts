import { type Transport, TransportError } from '../../platform/transport.ts';
import type { Hand } from './hand.ts';
import { faultOfTarget } from './target-address.ts';

/** The service waits for so long (decisions, section 8). */
const TIMEOUT_MS = 60_000;
const MOST_ANSWER_BYTES = 64 * 1024;
const QUOTED = 60;

/**
 * Hands a change on as the service would have sent it: a Callback with this change alone, whose id is the change's own
 * and the same at each attempt. Accepted as the service accepts: 200 and `ok` (contract, "Events"), or with `2xx` by any
 * such status. Follows no redirect, and sends no key.
 */
export function handToUrl(url: string, accept: 'ok' | '2xx', transport: Transport, userAgent: string): Hand {
  const fault = faultOfTarget(url);
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent };
  return async ({ id, text }, signal) => {
    if (fault !== undefined) return { accepted: false, answered: true, error: `the url ${fault}` };
    try {
      const { status, body } = await transport({
        method: 'POST',
        url,
        headers: { ...headers, 'x-shopctl-change': id },
        body: `{"id":"${id}","changes":[${text}]}`,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MOST_ANSWER_BYTES,
        signal,
      });
      if (accept === '2xx' ? status >= 200 && status < 300 : status === 200 && (body === 'ok' || body === 'ok\n')) {
        return { accepted: true };
      }
      const error =
        status === 200 ? `answered ${JSON.stringify(body.slice(0, QUOTED))}, not ok` : `answered status ${status}`;
      return { accepted: false, answered: true, error };
    } catch (error) {
      if (signal.aborted || !(error instanceof TransportError)) throw error;
      // A target that answers too much is there, and says something else than ok.
      return { accepted: false, answered: error.failure === 'oversized', error: error.message };
    }
  };
}

import { inEnglish } from '../../../domain/language.ts';
import { type Transport, TransportError } from '../../../platform/http/transport.ts';
import type { Hand } from './queues.ts';
import { faultOfTarget } from './target-address.ts';

/** The service's own timeout (decisions, section 8). */
const TIMEOUT_MS = 60_000;
const MOST_ANSWER_BYTES = 64 * 1024;
const QUOTED = 60;

/**
 * Posts a change as the service would: a Callback with this change alone, whose id is the change's own and the same for
 * each attempt. Accepted under the service's rule, 200 and `ok` (contract, "Events"), or with `2xx` by any such status.
 * Follows no redirect, and sends no key.
 */
export function handToUrl(url: string, accept: 'ok' | '2xx', transport: Transport, userAgent: string): Hand {
  const fault = inEnglish(() => faultOfTarget(url));
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
        return { accepted: true, answer: `status ${status}` };
      }
      const error =
        status === 200 ? `answered ${JSON.stringify(body.slice(0, QUOTED))}, not ok` : `answered status ${status}`;
      return { accepted: false, answered: true, error };
    } catch (error) {
      if (signal.aborted || !(error instanceof TransportError)) throw error;
      // A target that answers too much is reachable, but its answer is not ok.
      return { accepted: false, answered: error.failure === 'oversized', error: error.message };
    }
  };
}

import type { Effect } from '../contract/operation.ts';
import type { Outcome } from './errors.ts';

/**
 * Whether a call can leave a trace that matters at the service. `authorize` counts as a read: AuthorizeShop makes a new
 * request token on every call and nothing else, and unused tokens end by themselves (contract, "Authentication").
 */
export function isWrite(effect: Effect): boolean {
  return effect !== 'read' && effect !== 'authorize';
}

/**
 * What an answer other than success tells: its status, its code when the service wrote it, and whether it says when to
 * come again.
 */
export interface Refusal {
  readonly status: number;
  readonly code?: string | undefined;
  readonly retryAfter: boolean;
}

/** Codes that say the work was given up, not that it was undone: it may have been finished all the same. */
const GIVEN_UP = new Set(['deadline_exceeded', 'canceled', 'internal', 'unknown', 'data_loss', 'dataloss']);

/** Statuses below 500 that speak of time, not of the request: 408, and 499 as some gateways answer it. */
const TIMED_OUT = new Set([408, 499]);

/**
 * Whether a refused call changed something. A read never does. A write is not applied when
 * - the status is 429: whoever throttles refuses before anything is done;
 * - the service says `unimplemented`;
 * - the service itself says `unavailable` (503) and when to come again: it asks for the same request once more. It has been
 *   seen to do so after it was applied, so a create is believed only where its name keeps the second one from being made;
 * - the status is another 4xx: the request was judged and refused.
 * It is unknown with everything else of 5xx (a gateway's 502, 503 and 504 may hide a write that was applied, and
 * `internal` tells nothing), and where the work was given up for lack of time.
 */
export function outcomeOfRefusal(
  { effect, named = false }: { readonly effect: Effect; readonly named?: boolean | undefined },
  { status, code, retryAfter }: Refusal,
): Outcome {
  if (!isWrite(effect) || status === 429 || code === 'unimplemented') return 'not_applied';
  if (code !== undefined && GIVEN_UP.has(code)) return 'unknown';
  if (status === 503 && code === 'unavailable' && retryAfter) {
    return effect === 'create' && !named ? 'unknown' : 'not_applied';
  }
  return status >= 400 && status < 500 && !TIMED_OUT.has(status) ? 'not_applied' : 'unknown';
}

/**
 * Whether a redirected call changed something: 301, 307 and 308 ask for the same request elsewhere, so it was not done
 * here; 302 and 303 are also what a server answers when a form has been taken in.
 */
export function outcomeOfRedirect(effect: Effect, status: number): Outcome {
  return !isWrite(effect) || status === 301 || status === 307 || status === 308 ? 'not_applied' : 'unknown';
}

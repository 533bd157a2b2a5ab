import type { Effect } from '../../contract/operation.ts';
import type { Outcome } from '../errors.ts';

/**
 * Whether a call can change something that matters at the service. `authorize` counts as a read: AuthorizeShop only
 * creates a new request token on every call, and unused tokens expire (contract, "Authentication").
 */
export function isWrite(effect: Effect): boolean {
  return effect !== 'read' && effect !== 'authorize';
}

/**
 * The relevant parts of an error response: its status, its code if the service wrote it, and whether it says when to
 * retry.
 */
export interface Refusal {
  readonly status: number;
  readonly code?: string | undefined;
  readonly retryAfter: boolean;
}

/** Codes that mean that the work was abandoned, not undone: it may have been completed anyway. */
const GIVEN_UP = new Set(['deadline_exceeded', 'canceled', 'internal', 'unknown', 'data_loss', 'dataloss']);

/** Statuses below 500 that are about time, not about the request: 408, and 499 as some gateways return it. */
const TIMED_OUT = new Set([408, 499]);

/**
 * Whether a refused call changed something. A read never does. A write was not applied if
 * - the status is 429: a rate limiter refuses before anything is done. It has been seen after a request was applied, so
 *   for a create this counts only if its name prevents a second record;
 * - the service says `unimplemented`;
 * - the service itself says `unavailable` (503) and when to retry: it asks for the same request again. It has been seen
 *   to do so after applying a request, so for a create this counts only if its name prevents a second record;
 * - the status is another 4xx with a code: the service has judged the request and refused it.
 * It is unknown for every other 5xx (a gateway's 502, 503 and 504 may hide a write that was applied, and `internal`
 * proves nothing), if the work was abandoned for lack of time, and without a code that can be read: that is a gateway's
 * answer and not the service's, which may have done what was asked for, or had it delivered twice.
 */
export function outcomeOfRefusal(
  { effect, named = false }: { readonly effect: Effect; readonly named?: boolean | undefined },
  { status, code, retryAfter }: Refusal,
): Outcome {
  if (!isWrite(effect) || code === 'unimplemented') return 'not_applied';
  const isUnprotected = effect === 'create' && !named;
  if (status === 429) return isUnprotected ? 'unknown' : 'not_applied';
  if (code === undefined || GIVEN_UP.has(code)) return 'unknown';
  if (status === 503 && code === 'unavailable' && retryAfter) {
    return isUnprotected ? 'unknown' : 'not_applied';
  }
  return status >= 400 && status < 500 && !TIMED_OUT.has(status) ? 'not_applied' : 'unknown';
}

/**
 * Whether a redirected call changed something: 301, 307 and 308 ask for the same request elsewhere, so it was not done
 * here; servers also return 302 and 303 after accepting a form.
 */
export function outcomeOfRedirect(effect: Effect, status: number): Outcome {
  return !isWrite(effect) || status === 301 || status === 307 || status === 308 ? 'not_applied' : 'unknown';
}

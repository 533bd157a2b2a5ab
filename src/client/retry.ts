import type { Effect } from '../contract/operation.ts';
import type { TransportError, TransportFailure } from '../platform/http/transport.ts';
import type { Outcome } from './errors.ts';

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

const FIRST_STEP_MS = 250;
const LONGEST_STEP_MS = 8_000;

/** Time from the first attempt of a call within which a retry may start; a longer Retry-After is not waited for. */
export const RETRY_BUDGET_MS = 60_000;

/**
 * Delay before attempt `attempt + 1`, in milliseconds: exponential backoff with full jitter (so that many clients do
 * not retry together), and never less than the service asked for.
 */
export function retryDelayMs(attempt: number, random: number, retryAfterMs: number | undefined): number {
  const step = Math.min(LONGEST_STEP_MS, FIRST_STEP_MS * 2 ** attempt);
  return Math.max(Math.floor(random * step), retryAfterMs ?? 0);
}

const SECONDS = /^\d{1,9}$/;

/**
 * Parses Retry-After in both forms, seconds and HTTP-date, as milliseconds from `now`; undefined if absent or invalid.
 * A date is relative to the service's own Date header if there is one, since the clocks may differ.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') return undefined;
  if (SECONDS.test(text)) return Number(text) * 1000;
  const moment = Date.parse(text);
  // Date.parse takes a bare or signed number for a year: only a text with the name of a weekday or month is a date.
  if (Number.isNaN(moment) || !/[a-z]{3}/i.test(text)) return undefined;
  const served = Date.parse(headers.date ?? '');
  return Math.max(0, moment - (Number.isNaN(served) ? now : served));
}

const PASSING_STATUS = new Set([429, 502, 503, 504]);

/**
 * Whether a response is worth a retry: throttled, or temporarily unavailable. A write is resent only after a response
 * that says that it was not applied (see `outcomeOfRefusal`): 429, or the service's own 503 with Retry-After.
 */
export function isPassingStatus(status: number): boolean {
  return PASSING_STATUS.has(status);
}

/**
 * Transient failures, and those of a proxy that are. An invalid certificate, a proxy that refuses, an oversized response
 * and the caller's own abort are not.
 */
const PASSING_FAILURES: ReadonlySet<TransportFailure> = new Set(['refused', 'unresolved', 'timeout', 'closed']);

/**
 * Whether a request without a response is worth a retry: a read always, a write only if it certainly did not arrive. A
 * host that does not exist is not retried; one whose name server did not answer is.
 */
export function isPassingFailure(effect: Effect, error: TransportError): boolean {
  if (!(PASSING_FAILURES.has(error.failure) || error.passing) || (isWrite(effect) && error.sent !== 'no')) return false;
  const { cause } = error;
  return !(cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND');
}

import type { Effect } from '../../contract/operation.ts';
import type { TransportError, TransportFailure } from '../../platform/http/transport.ts';
import { isWrite } from './outcome.ts';

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
 * Transient failures. An invalid certificate, a proxy that refuses, an oversized response and the caller's own abort
 * are not.
 */
const PASSING_FAILURES: ReadonlySet<TransportFailure> = new Set(['refused', 'unresolved', 'timeout', 'closed']);

/**
 * Whether a request without a response is worth a retry: a read always, a write only if it certainly did not arrive. A
 * host that does not exist is not retried; one whose name server did not answer is.
 */
export function isPassingFailure(effect: Effect, error: TransportError): boolean {
  if (!PASSING_FAILURES.has(error.failure) || (isWrite(effect) && error.sent !== 'no')) return false;
  const { cause } = error;
  return !(cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND');
}

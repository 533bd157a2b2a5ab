import type { Effect } from '../contract/operation.ts';
import type { TransportError, TransportFailure } from '../platform/transport.ts';
import { isWrite } from './outcome.ts';

const FIRST_STEP_MS = 250;
const LONGEST_STEP_MS = 8_000;

/** Time from the first attempt of a call in which another one may begin; a longer Retry-After is not waited for. */
export const RETRY_BUDGET_MS = 60_000;

/**
 * How long to wait before attempt `attempt + 1`, in milliseconds: full jitter (a random part of a step that doubles, so
 * that many clients do not come back together), and never less than the service asked for.
 */
export function retryDelayMs(attempt: number, random: number, retryAfterMs: number | undefined): number {
  const step = Math.min(LONGEST_STEP_MS, FIRST_STEP_MS * 2 ** attempt);
  return Math.max(Math.floor(random * step), retryAfterMs ?? 0);
}

const SECONDS = /^\d{1,9}$/;

/**
 * Reads Retry-After in both forms, seconds and HTTP-date, as milliseconds from `now`; undefined where it is absent or
 * garbage. A date counts from the service's own Date header where there is one, for the two clocks may differ.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') return undefined;
  if (SECONDS.test(text)) return Number(text) * 1000;
  const moment = Date.parse(text);
  // A bare or signed number is a year to Date.parse: only a date with a weekday's or month's name is one.
  if (Number.isNaN(moment) || !/[a-z]{3}/i.test(text)) return undefined;
  const served = Date.parse(headers.date ?? '');
  return Math.max(0, moment - (Number.isNaN(served) ? now : served));
}

const PASSING_STATUS = new Set([429, 502, 503, 504]);

/**
 * Whether an answer is worth another attempt: throttled, or out of order for a moment. A write is sent again only after
 * an answer that says that it was not applied (see `outcomeOfRefusal`): 429, or the service's own 503 that says when to
 * come again.
 */
export function isPassingStatus(status: number): boolean {
  return PASSING_STATUS.has(status);
}

/**
 * Failures that pass. A wrong certificate, a proxy that refuses, an oversized answer and the caller's own abort do not.
 */
const PASSING_FAILURES: ReadonlySet<TransportFailure> = new Set(['refused', 'unresolved', 'timeout', 'closed']);

/**
 * Whether a request without an answer is worth another attempt: a read always, a write only when it surely did not
 * arrive. A host that does not exist is not asked for twice; one whose name server did not answer is.
 */
export function isPassingFailure(effect: Effect, error: TransportError): boolean {
  if (!PASSING_FAILURES.has(error.failure) || (isWrite(effect) && error.sent !== 'no')) return false;
  const { cause } = error;
  return !(cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND');
}

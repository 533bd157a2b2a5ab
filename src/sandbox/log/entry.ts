import type { Operation } from '../../contract/operation.ts';
import { errorCode } from '../../platform/error-code.ts';
import type { WireResponse } from '../../platform/transport.ts';
import { findAccount } from '../accounts/authenticate.ts';
import type { Work } from '../work.ts';
import { redactBody, redactText } from './redact.ts';

/** What is kept of one request; the secrets in it stay in memory and are taken out when it is read. */
export interface SeenRequest {
  /** Counts up in each run, from 1. */
  readonly id: number;
  /** By the business clock, milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly durationMs: number;
  readonly request: string;
  /** What the service answered, whether it arrived or not; undefined where it was never asked. */
  readonly answer: WireResponse | undefined;
  /** Whether the whole answer was let through. */
  readonly arrived: boolean;
  readonly faultId: number | undefined;
}

/** A request as the log shows it; nothing in it opens anything. */
export interface LogEntry {
  readonly id: number;
  /** By the business clock, as the records that the call made bear it. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  /** Who called, for example `shop 1001`, or by whose key for it; the key itself is never shown. */
  readonly account: string | null;
  /** What the service answered, even if no fault let it arrive; null where it was never asked. */
  readonly status: number | null;
  /** `ok`, or the code of the error. */
  readonly code: string | null;
  readonly duration_ms: number;
  /** The fault that befell the call. */
  readonly fault: number | null;
  /** Whether the whole answer was let through to the caller. */
  readonly arrived: boolean;
  readonly request: unknown;
  readonly response: unknown;
}

/** Longer bodies are shown as their length alone. */
const LONGEST_BODY = 64 * 1024;

/** Shows a request without its secrets. `operation` is undefined for what is none, such as the sign-in page. */
export function showEntry(work: Work, seen: SeenRequest, operation: Operation | undefined): LogEntry {
  const { id, at, method, url, authorization, durationMs, answer, arrived, faultId } = seen;
  const isOperation = operation !== undefined;
  const request = isOperation && seen.request !== '' ? shown(seen.request) : null;
  const isJson = answer?.headers['content-type']?.startsWith('application/json') ?? false;
  const response = isOperation && isJson && answer ? shown(answer.body) : null;
  return {
    id,
    time: new Date(at).toISOString(),
    method,
    path: redactText(new URL(url).pathname),
    operation: operation?.id ?? null,
    account: authorization === undefined ? null : accountOf(work, authorization, operation),
    status: answer?.status ?? null,
    code: answer === undefined ? null : codeOf(answer.status, response),
    duration_ms: Math.round(durationMs),
    fault: faultId ?? null,
    arrived,
    request,
    response,
  };
}

function shown(body: string): unknown {
  return body.length > LONGEST_BODY ? `[${body.length} characters]` : redactBody(body);
}

function codeOf(status: number, response: unknown): string | null {
  if (status === 200) return 'ok';
  return errorCode(response) ?? null;
}

/** Whoever bears the key; whom it names, where it opens nothing (any more). */
function accountOf(work: Work, authorization: string, operation: Operation | undefined): string | null {
  const [, key = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
  const account = findAccount(work.database, key);
  if (account?.kind === 'partner') return `partner ${account.partnerId}`;
  if (account?.kind === 'shop') {
    return account.partnerId === undefined
      ? `shop ${account.shopId}`
      : `shop ${account.shopId} by partner ${account.partnerId}`;
  }
  const [, ofPartner, id] = /^(shop)?(\d{1,19}):/.exec(key) ?? [];
  if (id === undefined) return null;
  if (ofPartner) return `shop ${id} (key not valid)`;
  return `${operation?.credential === 'partner-api-key' ? 'partner' : 'shop'} ${id} (key not valid)`;
}

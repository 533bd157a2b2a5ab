import type { Operation } from '../../contract/operation.ts';
import { JsonSyntaxError, parseJson } from '../../domain/json/json.ts';
import type { WireResponse } from '../../platform/http/transport.ts';
import { errorCode } from '../../platform/process/error-code.ts';
import type { Work } from '../engine/call.ts';
import { findAccount } from '../engine/call.ts';

/** The replacement for a secret. */
const REDACTED = '[redacted]';

const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'auth_token',
  'api_key',
  'shop_key',
  'token',
  'secret',
  'password',
]);

/** API keys, shop keys and request tokens (decisions, section 3), also url-encoded. */
const KEY = /\b(request|shop\d{1,19}|\d{1,19})(:|%3A)[\w-]{16,}/gi;

/** A text with its keys redacted. */
function redactText(text: string): string {
  return text.replace(KEY, `$1$2${REDACTED}`);
}

/** A body without its secrets: its parsed JSON, or its text if it is not JSON. */
function redactBody(body: string): unknown {
  try {
    return redactValue(parseJson(body));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return redactText(body);
    throw error;
  }
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      redactText(name),
      SECRET_FIELDS.has(name) && typeof field === 'string' && field !== '' ? REDACTED : redactValue(field),
    ]),
  );
}

/** What is kept of one request; its secrets stay in memory and are redacted when it is read. */
export interface SeenRequest {
  /** Numbered from 1 in each run. */
  readonly id: number;
  /** By the business clock, milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly durationMs: number;
  readonly request: string;
  /** The service's answer, whether it arrived or not; undefined if the service was not called. */
  readonly answer: WireResponse | undefined;
  /** Whether the complete answer was sent. */
  readonly arrived: boolean;
  readonly faultId: number | undefined;
}

/** A request as shown in the log; it contains no usable secret. */
export interface LogEntry {
  readonly id: number;
  /** By the business clock, like the timestamps of the records that the call wrote. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  /** The caller, for example `shop 1001`, or the partner with its key for the shop; the key itself is never shown. */
  readonly account: string | null;
  /** The status of the service's answer, even if a fault kept it back; null if the service was not called. */
  readonly status: number | null;
  /** `ok`, or the error code. */
  readonly code: string | null;
  readonly duration_ms: number;
  /** The fault that was applied to the call. */
  readonly fault: number | null;
  /** Whether the complete answer was sent to the caller. */
  readonly arrived: boolean;
  readonly request: unknown;
  readonly response: unknown;
}

/** Of longer bodies only the length is shown. */
const LONGEST_BODY = 64 * 1024;

/** Shows a request without its secrets. `operation` is undefined for other requests, such as the sign-in page. */
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
    account: authorization === undefined ? null : accountOf(work, authorization, operation, answer?.status),
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

/** The account of the key; if the key is not valid (any more), the account that it names. */
function accountOf(
  work: Work,
  authorization: string,
  operation: Operation | undefined,
  status: number | undefined,
): string | null {
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
  const owner = ofPartner || operation?.credential !== 'partner-api-key' ? 'shop' : 'partner';
  // The key is looked up when the log is shown: one that was accepted then may have been revoked since.
  return `${owner} ${id} (${status === 200 ? 'key not valid any more' : 'key not valid'})`;
}

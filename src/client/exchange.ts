import type { Credential, Effect } from '../contract/operation.ts';
import { say } from '../contract/texts.ts';
import { TransportError, type WireRequest, type WireResponse } from '../platform/http/transport.ts';
import { elapsedOn } from '../platform/process/clock.ts';
import type { Secret } from '../platform/settings/secret.ts';
import { readAnswer, type Subject } from './answer.ts';
import { type Conceal, callHeaders, concealingKey, keyFor } from './authorization.ts';
import { checkedBaseUrl, endpoint } from './base-url.ts';
import { type Connection, send, type TraceEvent } from './connection.ts';
import {
  AnotherRecordError,
  CallError,
  NetworkError,
  type Outcome,
  OutcomeUnknownError,
  ServiceError,
} from './errors.ts';
import { isPassingFailure, isPassingStatus, isWrite, RETRY_BUDGET_MS, retryAfterMs, retryDelayMs } from './retry.ts';

/** One request: an encoded body, what its response is validated against, and the key it needs. */
export interface Exchange extends Omit<Subject, 'conceal' | 'drift' | 'unreadable'> {
  readonly credential: Credential;
  readonly body: string;
}

/** The result of one attempt: the value of its response, or a failure and whether to retry. */
type Attempt =
  | { readonly value: unknown }
  | { readonly error: CallError; readonly again: boolean; readonly retryAfterMs?: number | undefined };

/** Converts a missing response to the call's failure: the outcome of a write that may have arrived is unknown. */
function failureOf(id: string, effect: Effect, failed: TransportError, conceal: Conceal): CallError {
  const message = conceal(failed.message);
  // The nested cause comes from a third party and may contain anything, so it is dropped.
  const error = new TransportError(failed.failure, failed.sent, message);
  if (isWrite(effect) && error.sent === 'maybe') {
    return new OutcomeUnknownError(id, say().call.lost({ why: message }), { cause: error });
  }
  return new NetworkError(id, error.failure, message, error);
}

/**
 * Converts an unexpected exception after the first byte may have been sent: it proves nothing about a write. It becomes
 * the cause, since its text may contain part of the response.
 */
function unexpected({ id, effect }: Exchange, error: unknown): CallError {
  if (error instanceof CallError) return error;
  if (!isWrite(effect)) throw error;
  return new OutcomeUnknownError(id, say().call.failedHere, { cause: error });
}

function traceAnswer(answer: WireResponse, milliseconds: number): TraceEvent['facts'] {
  return {
    status: answer.status,
    content_type: answer.headers['content-type'],
    request_id: answer.headers['x-request-id'],
    body_characters: answer.body.length,
    milliseconds,
  };
}

/**
 * A response without the key in its headers, which only failures and traces look at. The body is concealed after
 * parsing, since a key in it may be escaped in many ways.
 */
class ConcealedAnswer implements WireResponse {
  readonly status: number;
  readonly body: string;
  readonly #received: WireResponse['headers'];
  readonly #conceal: Conceal;
  #headers: WireResponse['headers'] | undefined;

  constructor({ status, headers, body }: WireResponse, conceal: Conceal) {
    this.status = status;
    this.body = body;
    this.#received = headers;
    this.#conceal = conceal;
  }

  get headers(): WireResponse['headers'] {
    this.#headers ??= this.#conceal({ ...this.#received }, JSON.stringify(this.#received));
    return this.#headers;
  }
}

async function attempt(
  exchange: Exchange,
  request: WireRequest,
  key: Secret,
  connection: Connection,
): Promise<Attempt> {
  const { id, effect } = exchange;
  const trace = (event: TraceEvent['event'], facts: () => TraceEvent['facts']) =>
    connection.trace?.({ event, operation: id, facts: facts() });
  const began = elapsedOn(connection.clock);
  const conceal = concealingKey(key);
  trace('request', () => {
    const headers = { ...request.headers, authorization: `Bearer ${key.redacted()}` };
    return { url: request.url, headers, body_characters: request.body.length };
  });
  let answer: WireResponse;
  try {
    answer = new ConcealedAnswer(await send(connection, request), conceal);
  } catch (error) {
    if (!(error instanceof TransportError)) return { error: unexpected(exchange, error), again: false };
    const milliseconds = elapsedOn(connection.clock) - began;
    trace('failure', () => ({ failure: error.failure, sent: error.sent, milliseconds }));
    return { error: failureOf(id, effect, error, conceal), again: isPassingFailure(effect, error) };
  }
  try {
    trace('response', () => traceAnswer(answer, elapsedOn(connection.clock) - began));
    const { drift, unreadable } = connection;
    return { value: readAnswer({ ...exchange, conceal, drift, unreadable }, answer) };
  } catch (thrown) {
    const error = unexpected(exchange, thrown);
    const afterMs = retryAfterMs(answer.headers, connection.clock.now());
    if (error instanceof ServiceError) error.retryAfterMs = afterMs;
    return {
      error,
      again: isPassingStatus(answer.status) && error.outcome === 'not_applied',
      retryAfterMs: afterMs,
    };
  }
}

/**
 * Runs an attempt whose write is recorded in the ledger before its first byte; unless the attempt proves an outcome, it
 * stays unknown.
 */
async function entered(
  exchange: Exchange,
  request: WireRequest,
  key: Secret,
  connection: Connection,
): Promise<Attempt> {
  const { id, effect, body } = exchange;
  if (isWrite(effect)) connection.patience?.sent();
  const put: (outcome: Outcome) => void = isWrite(effect) ? (connection.ledger?.enter(id, body) ?? ignore) : ignore;
  const result = await attempt(exchange, request, key, connection);
  put('value' in result ? 'applied' : result.error.outcome);
  return result;
}

const ignore = () => {};

/** Limit for a call that returns one record; a list may be larger, up to the transport's own limit. */
const LARGEST_RECORD_BYTES = 4 * 1024 * 1024;

/**
 * A failure after an attempt that was answered with 503 or 429, although it may have been applied: however a later copy of
 * a change is refused, that proves nothing. A create that is refused is recognised by its name.
 */
function doubted(error: CallError, { id, effect, body }: Exchange, { ledger }: Connection): CallError {
  if (!isWrite(effect) || error.outcome !== 'not_applied') return error;
  const isRefusal = error instanceof ServiceError;
  if (isRefusal && effect === 'create') return error;
  // Recorded once more and left open, so that the way to find out is reported.
  ledger?.enter(id, body);
  const { code, message } = error;
  if (isRefusal) {
    const { meta, status, retryAfterMs } = error;
    return new ServiceError(id, { code, msg: message, meta, status, retryAfterMs, outcome: 'unknown' });
  }
  return new OutcomeUnknownError(id, say().call.doubted({ why: message }), { cause: error });
}

function abortedBeforeSending(id: string): NetworkError {
  return new NetworkError(id, 'aborted', say().call.cancelled);
}

/**
 * Sends one request, with retries, until a response is final, and returns its content. For a write that was sent it
 * throws nothing but CallErrors: unless something proves otherwise, its outcome is unknown. Retries at most
 * `maxRetries` times within RETRY_BUDGET_MS, and only where sending again cannot apply a write twice.
 */
export async function exchange(subject: Exchange, connection: Connection): Promise<unknown> {
  const { id, effect, credential, body } = subject;
  const baseUrl = checkedBaseUrl(connection.baseUrl);
  connection.gate?.({ id, effect, credential, body });
  connection.checkRoute?.(baseUrl);
  const key = keyFor(credential, id, baseUrl.origin, connection);
  const request: WireRequest = {
    method: 'POST',
    url: endpoint(baseUrl, id),
    headers: callHeaders(key, connection.userAgent),
    body,
    timeoutMs: connection.timeoutMs,
    ...(subject.operation !== undefined && subject.operation.page === undefined
      ? { maxResponseBytes: LARGEST_RECORD_BYTES }
      : {}),
    ...(connection.signal === undefined ? {} : { signal: connection.signal }),
    ...(isWrite(effect) && connection.patience !== undefined ? { sentSignal: connection.patience.signal } : {}),
  };
  const deadline = elapsedOn(connection.clock) + RETRY_BUDGET_MS;
  let wasAnswered = false;
  let wasAnothers = false;
  const final = (error: CallError) => (wasAnswered ? doubted(error, subject, connection) : error);
  for (let count = 0; ; count += 1) {
    if (connection.signal?.aborted) throw final(abortedBeforeSending(id));
    const result = await entered(subject, request, key, connection);
    if ('value' in result) return result.value;
    if (result.error instanceof AnotherRecordError && !wasAnothers) {
      wasAnothers = true;
      count -= 1;
      continue;
    }
    if (!result.again || count >= connection.maxRetries) throw final(result.error);
    const delayMs = retryDelayMs(count, connection.random(), result.retryAfterMs);
    if (elapsedOn(connection.clock) + delayMs > deadline) throw final(result.error);
    wasAnswered ||= result.error instanceof ServiceError;
    connection.trace?.({ event: 'retry', operation: id, facts: { attempt: count + 1, delay_ms: delayMs } });
    if ((result.retryAfterMs ?? 0) > 0) connection.waits?.(delayMs);
    try {
      await connection.clock.wait(delayMs, connection.signal);
    } catch (error) {
      if (connection.signal?.aborted) throw final(abortedBeforeSending(id));
      throw error;
    }
  }
}

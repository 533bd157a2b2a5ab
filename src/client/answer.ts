import { missingNeeds } from '../contract/needs.ts';
import type { Effect, Operation } from '../contract/operation.ts';
import type { OperationId } from '../contract/operation-id.ts';
import { readableRecords } from '../contract/readable-records.ts';
import { errorStatus } from '../contract/records/error.ts';
import { parseResponse } from '../contract/schema/parse.ts';
import { say } from '../contract/texts.ts';
import { readJson } from '../domain/json/json.ts';
import { fieldsIn, isDeeperThan, isRecord, isSurelyWithin, jsonExtent, writeJson } from '../domain/json/values.ts';
import type { WireResponse } from '../platform/http/transport.ts';
import type { Conceal } from './authorization.ts';
import { asSeen, excerpt } from './authorization.ts';
import type { Connection, Deviating } from './connection.ts';
import {
  AnotherRecordError,
  type CallError,
  ContractBrokenError,
  type Outcome,
  OutcomeUnknownError,
  RedirectError,
  ServiceError,
} from './errors.ts';
import { isWrite, outcomeOfRedirect, outcomeOfRefusal } from './retry.ts';
import type { Doubt } from './settle/doubt.ts';

/** What a response is validated against. Without an `operation` any JSON is accepted. */
export interface Subject {
  readonly id: OperationId;
  readonly effect: Effect;
  /** Whether the request names what it creates, so that sending it twice creates only one. */
  readonly named?: boolean | undefined;
  readonly operation?: Operation | undefined;
  /** Why a readable answer does not prove that the write was carried out, if so. */
  readonly doubt?: ((answer: unknown) => Doubt | undefined) | undefined;
  /** The name by which a record was asked for, if the answer is about another one. */
  readonly another?: ((answer: unknown) => string | undefined) | undefined;
  /** Removes the key from what the service wrote. */
  readonly conceal: Conceal;
  readonly drift?: Connection['drift'] | undefined;
  readonly unreadable?: Connection['unreadable'] | undefined;
}

interface ErrorBody {
  readonly code: string;
  readonly msg: string;
  readonly meta: Readonly<Record<string, string>>;
}

/**
 * Parses `{code, msg, meta}` (contract, "Errors"): unknown codes pass, meta may be missing and its values become text.
 */
function errorBody(value: unknown): ErrorBody | undefined {
  if (!isRecord(value) || typeof value.code !== 'string' || value.code === '') return undefined;
  const meta = isRecord(value.meta) ? Object.entries(value.meta) : [];
  return {
    code: value.code,
    msg: typeof value.msg === 'string' ? value.msg : '',
    meta: Object.fromEntries(
      meta.map(([name, fact]) => [name, typeof fact === 'string' ? fact : excerpt(writeJson(fact))]),
    ),
  };
}

function isErrorCode(code: string): code is keyof typeof errorStatus {
  return Object.hasOwn(errorStatus, code);
}

/**
 * An error in a response with a success status. `code` alone does not prove one, since many records have a code; `code`
 * with `msg` does, unless the response declares both, like AuthorizeShop's: then only a code from the contract's errors
 * does.
 */
function errorInside(value: unknown, { operation }: Subject): ErrorBody | undefined {
  const body = errorBody(value);
  if (body === undefined || body.code === 'ok' || typeof fieldsIn(value).msg !== 'string') return undefined;
  const declaresMsg = operation === undefined || Object.hasOwn(operation.response.shape, 'msg');
  return !declaresMsg || isErrorCode(body.code) ? body : undefined;
}

/**
 * The error to throw for an unreadable response. If the write may have happened, that matters more than what is wrong
 * with the response, which becomes the cause.
 */
function unreadable(subject: Subject, message: string, status: number, outcome: Outcome): CallError {
  const broken = new ContractBrokenError(subject.id, '', message, status, outcome);
  if (outcome !== 'unknown') return broken;
  return new OutcomeUnknownError(subject.id, message, { cause: broken });
}

/** Bodies that say as little as an empty object does. */
const SILENT = new Set(['', 'null', '\uFEFF', '\uFEFFnull']);

/** Whether a success response without content is what the operation returns (contract, "Endpoints", Empty). */
function isSilence({ operation }: Subject, body: string): boolean {
  return operation !== undefined && Object.keys(operation.response.shape).length === 0 && SILENT.has(body.trim());
}

/** The most of a body that is used for an error, including a key that starts there. */
const REPORTED_CHARACTERS = 16 * 1024;

const typeOf = ({ headers }: WireResponse) => headers['content-type']?.split(';')[0]?.trim();

function describe(answer: WireResponse, conceal: Conceal): string {
  const { status, headers, body } = answer;
  const type = typeOf(answer);
  const texts = say().answer;
  if (body.trim() === '') return texts.empty({ status });
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return texts.compressed({ status, encoding: excerpt(encoding) });
  if (/json$/i.test(type ?? '')) return texts.brokenJson({ status });
  const begin = excerpt(conceal(body.slice(0, REPORTED_CHARACTERS)));
  if (/html$/i.test(type ?? '')) return texts.page({ status, begin });
  return texts.noJson({ status, type: type === undefined ? type : excerpt(type), begin });
}

/** Far deeper than any response in the contract, and shallow enough for every recursive walk. */
const MOST_LEVELS = 100;

/** Many times the size of a page of the largest records; this many values take about 100 MB. */
const MOST_VALUES = 500_000;

/** A parsed response, and whether ids in it may have been numbers. */
type Read = ReturnType<typeof readJson>;

/** A parsed response, or why it cannot be parsed. */
type Parsed = Read | { readonly fault: string };

/** What makes a response too large to process; undefined if its size is normal. */
function excessOf({ status, body }: WireResponse): string | undefined {
  const { depth, values } = jsonExtent(body);
  if (depth > MOST_LEVELS) return tooDeep(status);
  return values > MOST_VALUES ? say().answer.tooMany({ status, values: MOST_VALUES }) : undefined;
}

const tooDeep = (status: number) => say().answer.tooDeep({ status, levels: MOST_LEVELS });

/**
 * Parses a response's JSON without the key: from here on, values are what the service meant, however it escaped them.
 * A response with fewer characters than values are allowed cannot take too much memory: its depth is measured once it
 * is parsed, which takes less than half the time of measuring its text.
 */
function parsed(answer: WireResponse, conceal: Conceal): Parsed {
  const { status, body } = answer;
  const isWithin = isSurelyWithin(body, { depth: MOST_LEVELS, values: MOST_VALUES });
  const isShort = body.length < MOST_VALUES;
  if (!isShort) {
    const excess = excessOf(answer);
    if (excess !== undefined) return { fault: excess };
  }
  try {
    const { value, hadLongNumber } = readJson(body);
    if (isShort && !isWithin && isDeeperThan(MOST_LEVELS, value)) return { fault: tooDeep(status) };
    return { value: conceal(value, body), hadLongNumber };
  } catch {
    const excess = isWithin ? undefined : excessOf(answer);
    return { fault: excess ?? describe(answer, conceal) };
  }
}

/** What a body is that is no JSON, without its content. */
function kindOfBody(answer: WireResponse): string {
  if (answer.body.trim() === '') return 'an empty body';
  const type = typeOf(answer)?.toLowerCase();
  if (type === undefined) return 'no content type';
  return /json$/.test(type) ? 'broken JSON' : asSeen(excerpt(type));
}

function serviceError(subject: Subject, body: ErrorBody, status: number, outcome: Outcome): ServiceError {
  return new ServiceError(subject.id, { ...body, status, outcome });
}

function redirectError(subject: Subject, { status, headers }: WireResponse): RedirectError {
  const target = URL.canParse(headers.location ?? '') ? new URL(headers.location ?? '').origin : undefined;
  return new RedirectError(
    subject.id,
    say().answer.redirect({ status, target }),
    status,
    outcomeOfRedirect(subject.effect, status),
    say().answer.otherAddress,
  );
}

/**
 * Reads a success response: returns its content, or throws. The write was applied, unless the response is truncated or
 * missing.
 */
function readSuccess(subject: Subject, answer: WireResponse): unknown {
  if (isSilence(subject, answer.body)) return {};
  const json = parsed(answer, subject.conceal);
  const unread: Outcome = isWrite(subject.effect) ? 'unknown' : 'not_applied';
  if ('fault' in json) {
    tellDrift(subject, { fault: kindOfBody(answer) });
    throw unreadable(subject, json.fault, answer.status, unread);
  }
  const error = errorInside(json.value, subject);
  if (error !== undefined) {
    const status = isErrorCode(error.code) ? errorStatus[error.code] : 500;
    const outcome = outcomeOfRefusal(subject, { status, code: error.code, retryAfter: false });
    throw serviceError(subject, error, answer.status, outcome);
  }
  if (subject.operation === undefined) return json.value;
  return readDeclared(subject, subject.operation, answer, json);
}

/** Reports an answer that is not as declared, to whoever listens; reporting it never changes what becomes of the call. */
function tellDrift({ operation, drift }: Subject, seen: Omit<Deviating, 'operation'>): void {
  if (operation !== undefined) drift?.({ operation, ...seen });
}

/** The failure of a read that was answered twice with something else, by the field that tells. */
export const ofAnother = (operation: string, by: string, status: number): AnotherRecordError =>
  new AnotherRecordError(operation, by, say().answer.ofAnother({ by }), status);

/** Throws if an answer is about another record than was asked for, or does not prove the write. */
function compare({ id, effect, doubt, another }: Subject, answer: unknown, status: number): void {
  const by = another?.(answer);
  if (by !== undefined && !isWrite(effect)) throw ofAnother(id, by, status);
  const doubted = by === undefined ? doubt?.(answer) : { reason: say().doubt.ofAnother };
  if (doubted === undefined) return;
  const { reason, id: answered_id } = doubted;
  const meta = answered_id === undefined ? {} : { answered_id };
  throw new OutcomeUnknownError(id, reason, { meta, isUnproved: true });
}

/** Reads a success response by its declaration; a record that cannot be read is left out if the caller allows it. */
function readDeclared(subject: Subject, operation: Operation, answer: WireResponse, { value, hadLongNumber }: Read) {
  const response = parseResponse(operation, value);
  const deviates =
    hadLongNumber || !response.ok || response.deviates === true || missingNeeds(operation, value).length > 0;
  if (subject.drift !== undefined && deviates) {
    tellDrift(subject, { answer: () => subject.conceal(JSON.parse(answer.body.replace(/^\uFEFF/, '')), answer.body) });
  }
  compare(subject, response.ok ? response.value : value, answer.status);
  if (response.ok) return response.value;
  const parts = subject.unreadable === undefined ? undefined : readableRecords(operation, value);
  if (parts !== undefined) {
    for (const record of parts.unreadable) subject.unreadable?.(record);
    return parts.value;
  }
  const [wrong = { path: '', message: say().wrong }] = response.errors;
  throw new ContractBrokenError(
    subject.id,
    wrong.path,
    say().answer.unlike({ path: wrong.path, what: wrong.message }),
    answer.status,
    isWrite(subject.effect) ? 'applied' : 'not_applied',
  );
}

/**
 * Reads a response: returns its content, validated leniently (ids keep their digits, unknown fields and enum values
 * pass) and without the key, or throws a ServiceError, ContractBrokenError, RedirectError or OutcomeUnknownError. The
 * caller conceals the headers of `answer`.
 */
export function readAnswer(subject: Subject, answer: WireResponse): unknown {
  const { status } = answer;
  if (status === 202 && isWrite(subject.effect)) {
    throw unreadable(subject, say().answer.accepted, status, 'unknown');
  }
  if (status >= 200 && status < 300) return readSuccess(subject, answer);
  if (status >= 300 && status < 400) throw redirectError(subject, answer);
  const json = parsed(answer, subject.conceal);
  const body = 'value' in json ? errorBody(json.value) : undefined;
  const outcome = outcomeOfRefusal(subject, {
    status,
    code: body?.code,
    retryAfter: answer.headers['retry-after'] !== undefined,
  });
  if (body !== undefined) throw serviceError(subject, body, status, outcome);
  // A rate limiter in front of the service may not know the contract's error body: the status is enough.
  if (status === 429) {
    const msg = say().answer.tooManyCalls;
    throw new ServiceError(subject.id, { code: 'throttled', msg, meta: {}, status, outcome, isRead: false });
  }
  const fault = 'fault' in json ? json.fault : describe(answer, subject.conceal);
  throw unreadable(subject, fault, status, outcome);
}

import type { Credential, FieldError } from '../contract/operation.ts';
import type { TransportFailure } from '../platform/http/transport.ts';

/** Whether a call changed something at the service. */
export type Outcome = 'not_applied' | 'applied' | 'unknown';

/**
 * What a person can do about a failure that its code alone does not tell; a front end words it from the name and facts.
 */
export interface Advice {
  readonly name: 'forget_draft' | 'find_out_by_draft' | 'send_draft_anew';
  readonly facts: Readonly<Record<string, string>>;
}

/**
 * The common fields of all call failures. `code` is the service's code or one of ours; `outcome` says whether the call
 * changed something; `hint` is what to do next, separate from what went wrong.
 */
export interface Failure {
  readonly code: string;
  readonly outcome: Outcome;
  readonly operation?: string;
  readonly hint?: string;
}

/** Base class of call failures, one subclass per kind; the command line maps `kind` to its exit code in one table. */
export abstract class CallError extends Error implements Failure {
  abstract readonly kind:
    | 'request'
    | 'configuration'
    | 'credential'
    | 'service'
    | 'network'
    | 'unknown-outcome'
    | 'contract';
  abstract readonly code: string;
  abstract readonly outcome: Outcome;
  readonly operation?: string;
  readonly hint?: string;
  readonly advice?: Advice;

  constructor(
    message: string,
    facts: {
      operation?: string | undefined;
      hint?: string | undefined;
      advice?: Advice | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    if (facts.operation !== undefined) this.operation = facts.operation;
    if (facts.hint !== undefined) this.hint = facts.hint;
    if (facts.advice !== undefined) this.advice = facts.advice;
  }
}

/** The request was refused locally, before anything was sent; `fieldErrors` names each field. */
export class RequestError extends CallError {
  readonly kind = 'request';
  readonly code = 'invalid_request';
  readonly outcome = 'not_applied';
  readonly fieldErrors: readonly FieldError[];
  /** How to give the request; added by a front end. */
  usage?: string;

  constructor(operation: string, fieldErrors: readonly FieldError[], hint?: string) {
    const first = fieldErrors.map(({ path, label, message }) => `${label ?? path} ${message}`).join('; ');
    super(first || 'the request is not valid', { operation, hint });
    this.fieldErrors = fieldErrors;
  }
}

/** The base url is not a url, contains a forbidden part, or is neither https nor loopback. Nothing was sent. */
export class ConfigurationError extends CallError {
  readonly kind = 'configuration';
  readonly code = 'base_url_invalid';
  readonly outcome = 'not_applied';
}

/** Why there is no key to send: none of that kind, one for another origin, or one that no header can carry. */
export type CredentialProblem = 'credential_missing' | 'key_bound_elsewhere' | 'credential_malformed';

/** There is no key of the kind that the operation needs, or it must not or cannot be sent. Nothing was sent. */
export class CredentialError extends CallError {
  readonly kind = 'credential';
  readonly code: CredentialProblem;
  readonly outcome = 'not_applied';
  /** The kind of the missing key, and its destination, if known. */
  readonly facts: { readonly credential?: Credential; readonly origin?: string };

  constructor(
    code: CredentialProblem,
    message: string,
    {
      operation,
      hint,
      ...facts
    }: { readonly operation?: string | undefined; readonly hint?: string } & CredentialError['facts'] = {},
  ) {
    super(message, { operation, hint });
    this.code = code;
    this.facts = facts;
  }
}

/** The parts of a ServiceError: the error body, its status, and the call's outcome. */
export interface ServiceAnswer {
  readonly code: string;
  readonly msg: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly status: number;
  readonly outcome: Outcome;
  readonly hint?: string | undefined;
  readonly advice?: Advice | undefined;
  readonly isRead?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** A refused field as a local check reports it: the message that follows its path. */
function refusedField(path: string | undefined, message: string): readonly FieldError[] {
  if (path === undefined || path === '') return [];
  return [{ path, message: message.startsWith(`${path} `) ? message.slice(path.length + 1) : message }];
}

/**
 * The service returned an error: its code, message and meta (contract, "Errors"). `status` is the HTTP status, 429 when
 * throttled; with an `outcome` of `unknown`, the write may have happened anyway.
 */
export class ServiceError extends CallError {
  readonly kind = 'service';
  readonly code: string;
  readonly status: number;
  readonly meta: Readonly<Record<string, string>>;
  readonly outcome: Outcome;
  /** The field that the service names as refused; a front end adds the name by which it was given. */
  fieldErrors: readonly FieldError[];
  /** Whether the service itself wrote it: an answer that cannot be read is a gateway's, and only its status tells. */
  readonly isRead: boolean;
  /** Milliseconds from the response until the service accepts a retry; undefined if it does not say. */
  retryAfterMs: number | undefined;

  constructor(operation: string, answer: ServiceAnswer) {
    super(answer.msg || answer.code, { operation, hint: answer.hint, advice: answer.advice });
    this.code = answer.code;
    this.status = answer.status;
    this.meta = answer.meta;
    this.outcome = answer.outcome;
    this.isRead = answer.isRead ?? true;
    this.retryAfterMs = answer.retryAfterMs;
    this.fieldErrors = refusedField(answer.meta.field, this.message);
  }

  /** The same error with more facts beside those of the service. */
  withMeta(more: ServiceAnswer['meta']): ServiceError {
    const { operation = '', message: msg, meta } = this;
    const same = new ServiceError(operation, { ...this, msg, meta: { ...meta, ...more } });
    same.fieldErrors = this.fieldErrors;
    return same;
  }
}

/** No response, and the request was certainly not applied: it never arrived, or it was a read. */
export class NetworkError extends CallError {
  readonly kind = 'network';
  readonly code = 'network';
  readonly outcome = 'not_applied';
  readonly failure: TransportFailure;

  constructor(operation: string, failure: TransportFailure, message: string, cause?: unknown) {
    super(message, { operation, cause });
    this.failure = failure;
  }
}

/**
 * A write was sent and its response was lost or unreadable: it may have happened. `meta` holds what can settle it
 * later: `external_id` and `lookup` (the operation to look it up with), if the operation has them; `cause` is what went
 * wrong.
 */
export class OutcomeUnknownError extends CallError {
  readonly kind = 'unknown-outcome';
  readonly code = 'outcome_unknown';
  readonly outcome = 'unknown';
  readonly meta: Readonly<Record<string, string>>;
  /** Whether there was an answer of success, which did not prove it. */
  readonly isUnproved: boolean;

  constructor(
    operation: string,
    message: string,
    details: { advice?: Advice; cause?: unknown; meta?: Readonly<Record<string, string>>; isUnproved?: boolean } = {},
  ) {
    super(message, { operation, advice: details.advice, cause: details.cause });
    this.meta = details.meta ?? {};
    this.isUnproved = details.isUnproved ?? false;
  }
}

/** The response violates the contract; `path` is the wrong field, empty if the whole body is wrong. */
export class ContractBrokenError extends CallError {
  readonly kind = 'contract';
  readonly code = 'contract_broken';
  readonly outcome: Outcome;
  readonly path: string;
  readonly status: number;

  constructor(operation: string, path: string, message: string, status: number, outcome: Outcome) {
    super(message, { operation });
    this.path = path;
    this.status = status;
    this.outcome = outcome;
  }
}

/** A read was answered twice without what was asked for, or with a record of another name: nothing of it is believed. */
export class AnotherRecordError extends ContractBrokenError {
  constructor(operation: string, by: string, message: string, status: number) {
    super(operation, by, message, status, 'not_applied');
  }
}

/** The service redirected. Redirects are never followed, since a key must not be sent elsewhere. */
export class RedirectError extends CallError {
  readonly kind = 'contract';
  readonly code = 'redirect_refused';
  readonly outcome: Outcome;
  readonly status: number;

  constructor(operation: string, message: string, status: number, outcome: Outcome, hint?: string) {
    super(message, { operation, hint });
    this.status = status;
    this.outcome = outcome;
  }
}

import type { Credential, Effect, Operation } from '../contract/operation.ts';
import type { OperationId } from '../contract/operation-id.ts';
import type { UnreadableRecord } from '../contract/readable-records.ts';
import type { Middleware, Transport, WireRequest, WireResponse } from '../platform/http/transport.ts';
import type { Clock } from '../platform/process/clock.ts';
import type { Patience } from '../platform/process/interruptible.ts';
import type { Secret } from '../platform/settings/secret.ts';
import type { WriteLedger } from './ledger.ts';

/**
 * The kind of a refusal: the input is wrong, what it names is not there, a user's policy forbids it, the settings cannot be used, the service does
 * not accept a key, the service does not respond, or its response violates the contract.
 */
export type RefusalKind =
  | 'usage'
  | 'conflict'
  | 'missing'
  | 'policy'
  | 'configuration'
  | 'credential'
  | 'network'
  | 'contract';

/** A key with the origin it was saved for; a key without one (from the environment) may be sent to any service. */
export interface Key {
  readonly secret: Secret;
  /** Scheme, host and port, for example `https://shop.example`; absent for a key from the environment. */
  readonly origin?: string;
  /** Id of the shop that a partner's key was granted for, where it was saved with it. */
  readonly shop?: string;
}

/** Event for a wire trace; headers are redacted already. */
export interface TraceEvent {
  readonly event: 'request' | 'response' | 'retry' | 'failure' | 'settle';
  readonly operation: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A request about to be sent, as JSON text. */
export interface Outgoing {
  readonly id: OperationId;
  readonly effect: Effect;
  readonly credential: Credential;
  readonly body: string;
}

/** An answer that is not as the contract says. */
export interface Deviating {
  readonly operation: Operation;
  /** The response as JSON.parse reads it, without the key; throws nothing, since it was read before. */
  readonly answer?: () => unknown;
  /** Why it is no response of the contract at all, if so. */
  readonly fault?: string;
}

/** Everything that a call needs besides its operation and request. */
export interface Connection {
  /** Base address of the service, without a trailing slash. https, or loopback. */
  readonly baseUrl: string;
  /** The instance of this machine's sandbox at that address, where its profile says so. */
  readonly instance?: string | undefined;
  /** Called before each call is sent, even before its key is read; throwing ends the call. */
  readonly gate?: (outgoing: Outgoing) => void;
  /** Called with the address before each call, even before its key is read; throws for a proxy that cannot be used. */
  readonly checkRoute?: (url: URL) => void;
  /** Returns the key of one kind, if there is one. */
  readonly key: (credential: Credential) => Key | undefined;
  /** Why there is no key of a kind, where that is known. */
  readonly whyNoKey?: (credential: Credential) => string | undefined;
  readonly transport: Transport;
  /** What each attempt passes before the transport; the first sees the request first, and its answer last. */
  readonly middleware?: readonly Middleware[];
  readonly clock: Clock;
  /** A number in [0, 1), for the jitter of retries. */
  readonly random: () => number;
  /** Time limit for one attempt. */
  readonly timeoutMs: number;
  /** Maximum number of retries of a call. */
  readonly maxRetries: number;
  readonly userAgent: string;
  readonly signal?: AbortSignal;
  /** How long the answer to a write that was sent is waited for after the signal; not at all when absent. */
  readonly patience?: Pick<Patience, 'signal' | 'sent'>;
  readonly trace?: (event: TraceEvent) => void;
  /** Called before a wait that the service asked for (Retry-After), in milliseconds. */
  readonly waits?: (delayMs: number) => void;
  /** Where each write is recorded before it is sent; see `WriteLedger`. */
  readonly ledger?: WriteLedger;
  /** Called with each answer that differs from the contract, whether or not it can be read. Must not throw. */
  readonly drift?: (seen: Deviating) => void;
  /** Called with each record of a list that cannot be read, which is then left out; without it the list fails. */
  readonly unreadable?: (record: UnreadableRecord) => void;
}

/** A connection whose attempts pass one more middleware, before those that it has. */
export function through(connection: Connection, first: Middleware): Connection {
  return { ...connection, middleware: [first, ...(connection.middleware ?? [])] };
}

/** Sends one request over a connection: through its middleware to its transport. Throws a TransportError. */
export function send({ transport, middleware = [] }: Connection, request: WireRequest): Promise<WireResponse> {
  const first = middleware.reduceRight<Transport>((next, one) => (passed) => one(passed, next), transport);
  return first(request);
}

/** The same connection, on which reads are made in a dry run as well; only what writes meets its gate. */
export function readingToo(connection: Connection): Connection {
  return {
    ...connection,
    gate(outgoing) {
      if (outgoing.effect !== 'read') connection.gate?.(outgoing);
    },
  };
}

import type { Credential, Effect, OperationId } from '../contract/operation.ts';
import type { Clock } from '../platform/clock.ts';
import type { Secret } from '../platform/secret.ts';
import type { Transport } from '../platform/transport.ts';
import type { WriteLedger } from './ledger.ts';

/** A key with the origin that it was saved for; a key without one (from the environment) goes where it is told. */
export interface Key {
  readonly secret: Secret;
  /** Scheme, host and port, for example `https://shop.example`; absent for a key from the environment. */
  readonly origin?: string;
  /** Id of the shop that a partner's key was granted for, where it was saved with it. */
  readonly shop?: string;
}

/** What a trace of the wire is told; headers are redacted before they get here. */
export interface TraceEvent {
  readonly event: 'request' | 'response' | 'retry' | 'failure' | 'settle';
  readonly operation: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What is about to be sent, as JSON text. */
export interface Outgoing {
  readonly id: OperationId;
  readonly effect: Effect;
  readonly credential: Credential;
  readonly body: string;
}

/** Everything that a call needs beside its operation and request. */
export interface Connection {
  /** Base address of the service, without a trailing slash. https, or loopback. */
  readonly baseUrl: string;
  /** Asked before each call is sent, before its key too: what it throws ends the call. */
  readonly gate?: (outgoing: Outgoing) => void;
  /** The key of one kind, where there is one. */
  readonly key: (credential: Credential) => Key | undefined;
  readonly transport: Transport;
  readonly clock: Clock;
  /** A number in [0, 1), for the jitter of retries. */
  readonly random: () => number;
  /** Limit for one attempt. */
  readonly timeoutMs: number;
  /** How often a call is tried again, at most. */
  readonly maxRetries: number;
  readonly userAgent: string;
  readonly signal?: AbortSignal;
  readonly trace?: (event: TraceEvent) => void;
  /** Told before a wait that the service asked for (Retry-After), in milliseconds. */
  readonly waits?: (delayMs: number) => void;
  /** Where each write is entered before it leaves; see `WriteLedger`. */
  readonly ledger?: WriteLedger;
}

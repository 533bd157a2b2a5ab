/** One HTTP request, as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time until the whole answer must have arrived; absent means no limit. */
  readonly timeoutMs?: number;
  /** The size at which an answer is given up. */
  readonly maxResponseBytes?: number;
  readonly signal?: AbortSignal;
}

/** One HTTP response, whole. */
export interface WireResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends one request and answers with whatever came back; throws a TransportError when nothing whole did. No redirect is followed. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** Why no answer came. `proxy` is a proxy that refused; `oversized` an answer over the size limit; `aborted` the caller's own signal. */
export type TransportFailure =
  | 'refused'
  | 'unresolved'
  | 'tls'
  | 'proxy'
  | 'timeout'
  | 'closed'
  | 'oversized'
  | 'aborted';

/**
 * Thrown when a request has no whole answer. `sent` tells whether the service may have received it: `no` when the
 * connection never stood, `maybe` from the first byte on.
 */
export class TransportError extends Error {
  readonly failure: TransportFailure;
  readonly sent: 'no' | 'maybe';

  constructor(failure: TransportFailure, sent: 'no' | 'maybe', message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransportError';
    this.failure = failure;
    this.sent = sent;
  }
}

/** One HTTP request, as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time limit for the whole response; none when absent. */
  readonly timeoutMs?: number;
  /** Maximum size of a response. */
  readonly maxResponseBytes?: number;
  readonly signal?: AbortSignal;
}

/** One complete HTTP response. */
export interface WireResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The same body in UTF-8, where it is there already; `body` is then decoded when it is asked for. */
  readonly bytes?: Uint8Array;
}

/**
 * Sends one request and returns the response; throws a TransportError when no complete one arrived. No redirect is
 * followed.
 */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

/**
 * Why there is no response. `plain` is a port that speaks http where https was asked for; `proxy` a proxy that refused; `oversized` a response over the size limit; `aborted` the
 * caller's own signal.
 */
export type TransportFailure =
  | 'refused'
  | 'unresolved'
  | 'tls'
  | 'plain'
  | 'proxy'
  | 'timeout'
  | 'closed'
  | 'oversized'
  | 'aborted';

/**
 * Thrown when a request has no complete response. `sent` says whether the service may have received it: `no` if the
 * connection was never established, `maybe` from the first byte on.
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

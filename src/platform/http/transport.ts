import { say } from '../terminal/texts.ts';

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
  /** Ends it; where a byte may have been sent and `sentSignal` is given, that one does. */
  readonly signal?: AbortSignal;
  readonly sentSignal?: AbortSignal;
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

/** What stands before a transport: passes a request on to the next, and its answer back. Throws what that throws. */
export type Middleware = (request: WireRequest, next: Transport) => Promise<WireResponse>;

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
  /** Whether a proxy that failed may do better a moment later: it closed, or did not answer. */
  readonly passing: boolean;

  constructor(
    failure: TransportFailure,
    sent: 'no' | 'maybe',
    message: string,
    { passing = false, ...options }: ErrorOptions & { readonly passing?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'TransportError';
    this.failure = failure;
    this.sent = sent;
    this.passing = passing;
  }
}

/** The route of a request for error messages: the host and port, and the proxy, if any. */
export interface Way {
  readonly host: string;
  /** Host and port of the proxy, without its password. */
  readonly proxy?: string | undefined;
  /** Whether the proxy has connected to the host: until then it is the proxy that does not answer. */
  readonly isTunnelled?: () => boolean;
}

const CONNECT_FAILURES: Readonly<Record<string, TransportFailure>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  EAI_FAIL: 'unresolved',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'oversized',
  ERR_SSL_WRONG_VERSION_NUMBER: 'plain',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'plain',
};

/** OpenSSL's certificate verification and protocol errors, as Node spells them. */
const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|EPROTO$|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_|HOSTNAME_MISMATCH|PATH_LENGTH)/;

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function failureOf(error: Error): TransportFailure {
  const code = codeOf(error);
  const known = CONNECT_FAILURES[code];
  if (known !== undefined) return known;
  return TLS_CODE.test(code) ? 'tls' : 'closed';
}

/** The words in an error of OpenSSL, which come between its numbers and places in its source. */
const reasonIn = (message: string) => /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;

/** What TLS has against a connection; undefined for an error of another kind. */
export function wordsOfTlsError(error: Error): string | undefined {
  const failure = failureOf(error);
  if (failure === 'plain') return say().network.speaksHttp;
  return failure === 'tls' ? `${reasonIn(error.message)} (${codeOf(error)})` : undefined;
}

function sentence(failure: TransportFailure, error: Error, { host: service, proxy }: Way): string {
  const { network } = say();
  const host = proxy === undefined ? service : network.through({ host: service, proxy });
  const code = codeOf(error);
  switch (failure) {
    case 'refused':
      return network.refused({ host, code });
    case 'unresolved':
      return network.unresolved({ host, code });
    case 'tls':
      return network.tls({ host, why: reasonIn(error.message), code });
    case 'plain':
      return network.plain({ host });
    case 'proxy':
      return code in CONNECT_FAILURES
        ? network.noProxy({ proxy: proxy ?? '', code })
        : network.proxyClosed({ proxy: proxy ?? '', host: service, code });
    case 'timeout':
      return network.slow({ host, code });
    case 'oversized':
      return network.longHeaders({ host, code });
    default:
      // undici's parser fails an assertion on some invalid input, such as a status below 100.
      return code.startsWith('HPE_') || code === 'ERR_ASSERTION'
        ? network.notHttp({ host, code })
        : network.cut({ host, code });
  }
}

/**
 * Classifies an error of the HTTP client. `started` is whether a byte of the request may have been written: before that
 * it certainly did not arrive, afterwards it may have, even over a keep-alive connection that the service had just
 * closed.
 */
export function transportError(error: Error, started: boolean, way: Way): TransportError {
  if (error instanceof TransportError) return error;
  const failure = failureOf(error);
  // Until the tunnel is established there is no connection to the service, so the proxy is to blame.
  const blamed =
    way.proxy !== undefined && !started && failure !== 'tls' && failure !== 'plain' && failure !== 'timeout'
      ? 'proxy'
      : failure;
  const passing = blamed === 'proxy';
  return new TransportError(blamed, started ? 'maybe' : 'no', sentence(blamed, error, way), { cause: error, passing });
}

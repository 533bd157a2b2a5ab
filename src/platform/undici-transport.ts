import type { LookupFunction, Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import { passOverContinue } from './interim-answers.ts';
import { type ProxyVariables, proxyFor } from './proxy.ts';
import { type Transport, TransportError, type WireRequest, type WireResponse } from './transport.ts';
import { transportError, type Way } from './transport-failure.ts';

/** Size of the cache of parsed addresses. */
const MOST_ROADS = 64;

/** Maximum size of a response if the request names none: 8 MiB. */
export const DEFAULT_MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

export interface TransportOptions {
  /** Proxies to use; see `proxyVariables`. */
  readonly proxies?: ProxyVariables;
  /** Time limit for establishing a connection, name lookup and TLS included. */
  readonly connectTimeoutMs?: number;
  /** Resolves a host name; the system's resolver when absent. */
  readonly lookup?: LookupFunction;
}

/** A transport over real sockets, and a way to close it: `close` aborts requests in progress. */
export interface OpenTransport {
  readonly transport: Transport;
  readonly close: () => Promise<void>;
}

/** The route of a request, parsed from its url once. */
interface Road {
  readonly origin: string;
  /** The path with its query. */
  readonly path: string;
  readonly host: string;
  readonly proxy: string | undefined;
}

/** Most responses arrive in one chunk. */
function textOf(chunks: readonly Buffer[], size: number): string {
  const [only] = chunks;
  return (chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size)).toString('utf8');
}

function wireHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

/**
 * Sends one request through a dispatcher. The handler's own events, not an error's name, show whether a byte may have
 * been written: `onRequestStart` comes right before the first one.
 */
function dispatch(
  dispatcher: Dispatcher,
  request: WireRequest,
  { origin, path }: Road,
  way: Way,
): Promise<WireResponse> {
  const limit = request.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let head: Omit<WireResponse, 'body'> | undefined;
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    let timer: NodeJS.Timeout | undefined;

    const settle = () => {
      settled = true;
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
    };
    const fail = (error: Error) => {
      if (settled) return;
      settle();
      chunks.length = 0;
      reject(error);
      controller?.abort(error);
    };
    const giveUp = (failure: 'timeout' | 'aborted' | 'oversized', message: string) =>
      fail(new TransportError(failure, controller === undefined ? 'no' : 'maybe', message));
    const onAbort = () => giveUp('aborted', `the request to ${way.host} was given up`);

    if (request.timeoutMs !== undefined) {
      const message = `${way.host} did not answer within ${request.timeoutMs / 1000} s`;
      timer = setTimeout(() => giveUp('timeout', message), request.timeoutMs);
    }
    request.signal?.addEventListener('abort', onAbort, { once: true });

    dispatcher.dispatch(
      {
        origin,
        path,
        method: request.method,
        headers: request.headers,
        body: request.body,
      },
      {
        onRequestStart(started) {
          // A request that was aborted while waiting for its connection must never be written, and none twice.
          if (settled || controller !== undefined) {
            const error = new TransportError('closed', 'maybe', `the connection to ${way.host} closed`);
            fail(error);
            started.abort(error);
            return;
          }
          controller = started;
        },
        onResponseStart(_, status, headers) {
          head = { status, headers: wireHeaders(headers) };
          if (Number(headers['content-length']) > limit) {
            giveUp('oversized', `the answer from ${way.host} is larger than ${limit} bytes`);
          }
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > limit) giveUp('oversized', `the answer from ${way.host} is larger than ${limit} bytes`);
          else chunks.push(chunk);
        },
        onResponseEnd() {
          if (settled || head === undefined) return;
          settle();
          const response = { ...head, body: textOf(chunks, size) };
          // undici frees the connection in the next immediate: an earlier call would open another one.
          setImmediate(() => setImmediate(resolve, response));
        },
        onResponseError(_, error) {
          // An argument that undici refuses is our bug and must not be reported as a network failure.
          const ours = 'code' in error && error.code === 'UND_ERR_INVALID_ARG';
          fail(ours ? error : transportError(error, controller !== undefined, way));
        },
      },
    );
  });
}

function proxyAddress(proxy: string): URL {
  const text = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (URL.canParse(text)) return new URL(text);
  throw new TransportError('proxy', 'no', 'the address of the proxy is not a URL');
}

/**
 * The transport over undici: connections are kept alive and pooled by origin, and idle ones do not keep the process
 * alive. No redirect is followed. Proxy support is loaded only when a request uses a proxy; additional certificate
 * authorities come from Node's own NODE_EXTRA_CA_CERTS.
 */
export function createTransport(options: TransportOptions = {}): OpenTransport {
  const { proxies = {}, connectTimeoutMs = 10_000 } = options;
  const connector = buildConnector({
    timeout: connectTimeoutMs,
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  // On destroy, undici forgets sockets that are still connecting, and such a socket keeps the process alive.
  const connecting = new Set<Socket>();
  const direct = new Agent({
    connect(target, callback) {
      const socket = connector(target, (...result) => {
        connecting.delete(socket);
        if (result[0] === null) passOverContinue(socket);
        callback(...result);
      });
      connecting.add(socket);
    },
  });
  const tunnels = new Map<string, Promise<Dispatcher>>();

  const tunnelThrough = (address: URL): Promise<Dispatcher> => {
    const known = tunnels.get(address.href);
    if (known !== undefined) return known;
    const timeout = { timeout: connectTimeoutMs };
    const made = import('undici').then(
      ({ ProxyAgent }) => new ProxyAgent({ uri: address.href, proxyTls: timeout, requestTls: timeout }),
    );
    tunnels.set(address.href, made);
    return made;
  };

  // Few addresses are called, each often: a batch calls two of them for every row.
  const roads = new Map<string, Road>();
  const roadTo = (address: string): Road => {
    const known = roads.get(address);
    if (known !== undefined) return known;
    const url = new URL(address);
    const { origin, host } = url;
    const road = { origin, host, path: url.pathname + url.search, proxy: proxyFor(url, proxies) };
    if (roads.size >= MOST_ROADS) roads.clear();
    roads.set(address, road);
    return road;
  };

  const transport: Transport = async (request) => {
    const road = roadTo(request.url);
    const { host, proxy } = road;
    if (request.signal?.aborted) throw new TransportError('aborted', 'no', `the request to ${host} was given up`);
    if (proxy === undefined) return dispatch(direct, request, road, { host });
    const address = proxyAddress(proxy);
    return dispatch(await tunnelThrough(address), request, road, { host, proxy: address.host });
  };

  const close = async () => {
    for (const socket of connecting) socket.destroy();
    await Promise.all([direct, ...(await Promise.all(tunnels.values()))].map((dispatcher) => dispatcher.destroy()));
  };
  return { transport, close };
}

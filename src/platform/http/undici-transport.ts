import type { LookupFunction, Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import { say } from '../terminal/texts.ts';
import { createInFlight, type InFlight, type Limited, passOverContinue } from './in-flight.ts';
import { type ProxyVariables, proxyFor } from './proxy.ts';
import {
  type Transport,
  TransportError,
  transportError,
  type Way,
  type WireRequest,
  type WireResponse,
} from './transport.ts';
import { type Tunnels, tunnelsThrough } from './tunnel.ts';

/** Size of the cache of parsed addresses. */
const MOST_ROADS = 64;

/** So many chunks of an answer are joined to one. */
const MOST_CHUNKS = 1024;

/** Maximum size of a response if the request names none: 8 MiB. */
export const DEFAULT_MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

export interface TransportOptions {
  /** Proxies to use; see `proxyVariables`. */
  readonly proxies?: ProxyVariables;
  /** Time limit for establishing a connection, name lookup and TLS included. */
  readonly connectTimeoutMs?: number;
  /** Resolves a host name; the system's resolver when absent. */
  readonly lookup?: LookupFunction;
  /**
   * How many connections there are to one origin at most; further requests wait for one of them. Where the caller never
   * has more requests in progress than that, a response comes without the pause that otherwise avoids a further
   * connection. No limit when absent.
   */
  readonly connections?: number;
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
  readonly proxy: URL | undefined;
  readonly way: Way;
}

/** Most headers occur once. */
function wireHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

/**
 * One request sent through a dispatcher. The handler's own events, not an error's name, show whether a byte may have
 * been written: `onRequestStart` comes right before the first one. A class, since there can be tens of thousands per
 * second, and a closure for each event of each request costs as much as parsing the response.
 */
class Exchange implements Dispatcher.DispatchHandler, Limited {
  readonly until: number;
  signal: AbortSignal | undefined;
  place = 0;
  readonly #request: WireRequest;
  readonly #way: Way;
  readonly #surroundings: Surroundings;
  readonly #resolve: (response: WireResponse) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<WireResponse, 'body'> | undefined;
  /** Nearly every response arrives in one chunk. */
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  /** How many of them are several in one. */
  #joined = 0;
  #size = 0;
  #isSettled = false;

  constructor(
    request: WireRequest,
    way: Way,
    surroundings: Surroundings,
    resolve: (response: WireResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.until = request.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + request.timeoutMs;
    this.signal = request.signal;
    this.#request = request;
    this.#way = way;
    this.#surroundings = surroundings;
    this.#resolve = resolve;
    this.#reject = reject;
    surroundings.inFlight.add(this);
  }

  timeIsOver(): void {
    const seconds = (this.#request.timeoutMs ?? 0) / 1000;
    const { host, proxy, isTunnelled } = this.#way;
    const isOfProxy = this.#controller === undefined && isTunnelled?.() === false;
    const { late, lateThrough, proxyLate } = say().network;
    if (isOfProxy) {
      const message = proxyLate({ proxy: proxy ?? '', seconds });
      this.#fail(new TransportError('proxy', 'no', message, { passing: true }));
    } else
      this.#giveUp('timeout', proxy === undefined ? late({ host, seconds }) : lateThrough({ host, proxy, seconds }));
  }

  isAborted(): void {
    const { sentSignal } = this.#request;
    if (this.#controller !== undefined && sentSignal?.aborted === false) {
      // Its answer counts: from now on another signal ends it.
      this.#surroundings.inFlight.remove(this);
      this.signal = sentSignal;
      this.#surroundings.inFlight.add(this);
      return;
    }
    this.#giveUp('aborted', say().network.givenUp({ host: this.#way.host }));
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    // A request that was aborted while waiting for its connection must never be written, and none twice.
    if (this.#isSettled || this.#controller !== undefined) {
      const error = new TransportError('closed', 'maybe', say().network.closed({ host: this.#way.host }));
      this.#fail(error);
      started.abort(error);
      return;
    }
    this.#controller = started;
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#head = { status, headers: wireHeaders(headers) };
    if (Number(headers['content-length']) > this.#limit()) this.#isTooLarge();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit()) this.#isTooLarge();
    else if (this.#first === undefined) this.#first = chunk;
    else {
      this.#more ??= [];
      this.#more.push(chunk);
      // Millions of chunks of a byte would take a hundred times their size.
      if (this.#more.length - this.#joined >= MOST_CHUNKS) {
        this.#more.push(Buffer.concat(this.#more.splice(this.#joined)));
        this.#joined = this.#more.length;
      }
    }
  }

  onResponseEnd(): void {
    if (this.#isSettled || this.#head === undefined) return;
    this.#settle();
    const { status, headers } = this.#head;
    const response = { status, headers, body: this.#text() };
    if (this.#surroundings.isBounded) this.#resolve(response);
    // undici frees the connection in the next immediate: an earlier call would open another one.
    else setImmediate(() => setImmediate(this.#resolve, response));
  }

  onResponseError(_: unknown, error: Error): void {
    // An argument that undici refuses is our bug and must not be reported as a network failure.
    const isOurs = 'code' in error && error.code === 'UND_ERR_INVALID_ARG';
    this.#fail(isOurs ? error : transportError(error, this.#controller !== undefined, this.#way));
  }

  #limit(): number {
    return this.#request.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
  }

  #isTooLarge(): void {
    this.#giveUp('oversized', say().network.tooLarge({ host: this.#way.host, bytes: this.#limit() }));
  }

  #text(): string {
    if (this.#first === undefined) return '';
    const whole = this.#more === undefined ? this.#first : Buffer.concat([this.#first, ...this.#more], this.#size);
    return whole.toString('utf8');
  }

  #settle(): void {
    this.#isSettled = true;
    this.#surroundings.inFlight.remove(this);
  }

  #giveUp(failure: 'timeout' | 'aborted' | 'oversized', message: string): void {
    this.#fail(new TransportError(failure, this.#controller === undefined ? 'no' : 'maybe', message));
  }

  #fail(error: Error): void {
    if (this.#isSettled) return;
    this.#settle();
    [this.#first, this.#more] = [undefined, undefined];
    this.#reject(error);
    this.#controller?.abort(error);
  }
}

/** What all requests of a transport share. */
interface Surroundings {
  readonly inFlight: InFlight;
  /** Whether the number of connections is limited. */
  readonly isBounded: boolean;
}

function dispatch(
  dispatcher: Dispatcher,
  request: WireRequest,
  { origin, path }: Road,
  way: Way,
  surroundings: Surroundings,
): Promise<WireResponse> {
  const { method, headers, body, signal } = request;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw new TransportError('aborted', 'no', say().network.givenUp({ host: way.host }));
    const exchange = new Exchange(request, way, surroundings, resolve, reject);
    dispatcher.dispatch({ origin, path, method, headers, body }, exchange);
  });
}

/**
 * The transport over undici: connections are kept alive and pooled by origin, and idle ones do not keep the process
 * alive. No redirect is followed. Additional certificate authorities come from Node's own NODE_EXTRA_CA_CERTS.
 */
export function createTransport(options: TransportOptions = {}): OpenTransport {
  const ways = new UndiciTransport(options);
  return { transport: (request) => ways.send(request), close: () => ways.close() };
}

class UndiciTransport {
  readonly #proxies: ProxyVariables;
  readonly #timeout: { readonly timeout: number };
  readonly #surroundings: Surroundings;
  readonly #most: { readonly connections?: number };
  readonly #direct: Agent;
  // On destroy, undici forgets sockets that are still connecting, and such a socket keeps the process alive.
  readonly #connecting = new Set<Socket>();
  readonly #tunnels = new Map<string, { readonly agent: Agent; readonly tunnels: Tunnels }>();
  // Few addresses are called, each often: a batch calls two of them for every row.
  readonly #roads = new Map<string, Road>();

  constructor({ proxies = {}, connectTimeoutMs = 10_000, connections, lookup }: TransportOptions) {
    this.#proxies = proxies;
    this.#timeout = { timeout: connectTimeoutMs };
    this.#surroundings = { inFlight: createInFlight(), isBounded: connections !== undefined };
    const connector = buildConnector({ ...this.#timeout, ...(lookup === undefined ? {} : { lookup }) });
    this.#most = connections === undefined ? {} : { connections };
    this.#direct = new Agent({
      ...this.#most,
      connect: (target, callback) => {
        const socket = connector(target, (...result) => {
          this.#connecting.delete(socket);
          if (result[0] === null) passOverContinue(socket);
          callback(...result);
        });
        this.#connecting.add(socket);
      },
    });
  }

  // Not an async function: each one that a call passes through costs it two more promises.
  send(request: WireRequest): ReturnType<Transport> {
    try {
      const road = this.#roadTo(request.url);
      if (road.proxy !== undefined) return this.#throughProxy(request, road, road.proxy);
      return dispatch(this.#direct, request, road, road.way, this.#surroundings);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#connecting) socket.destroy();
    const through = [...this.#tunnels.values()].map(({ agent }) => agent);
    await Promise.all([this.#direct, ...through].map((agent) => agent.destroy()));
  }

  #roadTo(address: string): Road {
    const known = this.#roads.get(address);
    if (known !== undefined) return known;
    const url = new URL(address);
    const { origin, host } = url;
    const road = { origin, path: url.pathname + url.search, proxy: proxyFor(url, this.#proxies), way: { host } };
    if (this.#roads.size >= MOST_ROADS) this.#roads.clear();
    this.#roads.set(address, road);
    return road;
  }

  #throughProxy(request: WireRequest, road: Road, proxy: URL): ReturnType<Transport> {
    const { agent, tunnels } = this.#tunnelsThrough(proxy);
    const way = { ...road.way, proxy: proxy.host, isTunnelled: () => tunnels.isOpenTo(road.way.host) };
    return dispatch(agent, request, road, way, this.#surroundings);
  }

  #tunnelsThrough(proxy: URL): { readonly agent: Agent; readonly tunnels: Tunnels } {
    const known = this.#tunnels.get(proxy.href);
    if (known !== undefined) return known;
    const opening = (socket: Socket) => {
      this.#connecting.add(socket);
      socket.once('close', () => this.#connecting.delete(socket));
    };
    const tunnels = tunnelsThrough(proxy, { timeoutMs: this.#timeout.timeout, opening });
    const agent = new Agent({
      ...this.#most,
      connect: (target, callback) =>
        tunnels.connect(target, (...result) => {
          if (result[0] === null) passOverContinue(result[1]);
          callback(...result);
        }),
    });
    const made = { agent, tunnels };
    this.#tunnels.set(proxy.href, made);
    return made;
  }
}

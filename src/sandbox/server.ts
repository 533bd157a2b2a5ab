import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { TransportError, type WireRequest, type WireResponse } from '../platform/http/transport.ts';
import { type Clock, type StartTimer, startTimer, systemClock } from '../platform/process/clock.ts';
import { boundAddress, isLoopbackHost } from '../platform/server/loopback-server.ts';
import { wireTime } from './engine/business-clock.ts';
import { refusalAnswer } from './engine/complete-answer.ts';
import { isLoopbackAuthority } from './engine/loopback.ts';
import { parseUrl } from './engine/parsed-url.ts';
import { Refusal } from './engine/refusal.ts';
import { answerClientError, defaultLimits, readBody, type ServerLimits } from './engine/request-stream.ts';
import { randomSecret, systemRandom } from './engine/store/ids.ts';
import { answerControl, CONTROL_PATH } from './lab/control-plane.ts';
import { BrokenAnswerError } from './lab/fault-acts.ts';
import type { Sandbox } from './sandbox.ts';

/** The server's address. */
export interface ServerOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** A loopback address; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
  /** The machine's clock and timers, if no others are given. */
  readonly clock?: Clock;
  readonly startTimer?: StartTimer;
}

/** A listening sandbox. */
export interface RunningServer {
  readonly baseUrl: string;
  /** The url of the control plane, without a trailing slash. */
  readonly controlUrl: string;
  /** The Bearer token of the control plane; new in every run. */
  readonly controlToken: string;
  /** By the machine's clock, in the wire's format. */
  readonly startedAt: string;
  /** Resolves when the control plane was asked to stop; closing is up to the caller. */
  readonly stopRequested: Promise<void>;
  /** Stops listening, waits for requests in flight, and closes the sandbox. */
  close(): Promise<void>;
}

/**
 * Serves a sandbox on a port of this machine. Throws a RangeError for a host that is not loopback, and Node's own error
 * if the port is in use (`EADDRINUSE`). The server takes over closing the sandbox.
 */
export async function startServer(sandbox: Sandbox, options: ServerOptions): Promise<RunningServer> {
  const { port, host = '127.0.0.1', clock = systemClock, startTimer: begin = startTimer } = options;
  if (!isLoopbackHost(host)) throw new RangeError(`the sandbox listens on this machine only, not on ${host}`);
  const limits = { ...defaultLimits, ...options.limits };
  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkingIntervalMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
  });
  server.timeout = limits.connectionTimeoutMs;
  server.maxHeadersCount = limits.maxHeaders;
  server.on('clientError', answerClientError);

  const controlToken = randomSecret(systemRandom);
  const startedAt = wireTime(clock.now());
  let requestStop = () => {};
  const stopRequested = new Promise<void>((resolve) => {
    requestStop = resolve;
  });
  let baseUrl = '';
  let closing: Promise<void> | undefined;

  const serve = (request: WireRequest): Promise<WireResponse> => {
    if (!parseUrl(request.url)?.pathname.startsWith(CONTROL_PATH)) return sandbox.handle(request);
    const { control } = sandbox;
    return answerControl(request, controlToken, { control, server: { baseUrl, startedAt }, requestStop });
  };

  server.on('request', (raw, response) => {
    // The sandbox has already reported an unexpected error, which must not end it: only this caller gets no answer.
    respond(raw, response, serve, () => closing !== undefined).catch(() => cutOff(raw));
  });

  server.listen({ port, host });
  await once(server, 'listening');
  baseUrl = originOf(boundAddress(server));
  return {
    baseUrl,
    controlUrl: `${baseUrl}${CONTROL_PATH.slice(0, -1)}`,
    controlToken,
    startedAt,
    stopRequested,
    close() {
      closing ??= closeWithin(limits.closeGraceMs, server, sandbox, begin);
      return closing;
    },
  };
}

/**
 * Closes the remaining connections after the grace period: a client that never finishes must not keep the sandbox open.
 */
async function closeWithin(graceMs: number, server: Server, sandbox: Sandbox, begin: StartTimer): Promise<void> {
  const force = begin(graceMs, () => server.closeAllConnections());
  sandbox.interrupt();
  try {
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    await closed;
  } finally {
    force.stop();
    await sandbox.close();
  }
}

const foreign = refusalAnswer(new Refusal('permission_denied', 'the sandbox serves this machine only'));

/** Answers one request; the origin check comes before everything else. */
async function respond(
  raw: IncomingMessage,
  response: ServerResponse,
  serve: (request: WireRequest) => Promise<WireResponse>,
  isClosing: () => boolean,
): Promise<void> {
  const fromHere = isFromThisMachine(raw);
  const body = fromHere ? await readBody(raw).catch(() => undefined) : undefined;
  if (fromHere && body === undefined) {
    cutOff(raw);
    return;
  }
  const answer = body === undefined ? foreign : await answerTo(raw, body.text, serve);
  if (answer instanceof TransportError) breakOff(answer, raw, response);
  else send(response, answer, { last: isClosing() || !body?.whole });
}

/**
 * Whether a request is addressed to this machine and comes from one of the sandbox's own pages: another page must not
 * reach the sandbox through the browser, not even by a name that resolves to this machine.
 */
function isFromThisMachine({ headers: { host = '', origin } }: IncomingMessage): boolean {
  return isLoopbackAuthority(host) && (origin === undefined || origin === `http://${host}`);
}

/** The answer to a request, or the error that says why it must not arrive completely. */
async function answerTo(
  raw: IncomingMessage,
  body: string,
  serve: (request: WireRequest) => Promise<WireResponse>,
): Promise<WireResponse | TransportError> {
  // Even an invalid url gets an answer.
  const path = raw.url?.startsWith('/') ? raw.url : '/';
  const url = `http://${raw.headers.host}${path}`;
  try {
    return await serve({ method: raw.method ?? '', url, headers: headersOf(raw), body });
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    texts[name] = typeof value === 'string' ? value : (value?.join(', ') ?? '');
  }
  return texts;
}

function originOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function send(response: ServerResponse, answer: WireResponse, { last }: { readonly last: boolean }): void {
  const body = answer.bytes ?? answer.body;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const headers: OutgoingHttpHeaders = { ...answer.headers, 'content-length': length };
  if (last) headers.connection = 'close';
  response.writeHead(answer.status, headers).end(body);
}

/** Closes the connection without an answer, or in the middle of one if a fault says so. */
function breakOff(broken: TransportError, raw: IncomingMessage, response: ServerResponse): void {
  const answer = broken instanceof BrokenAnswerError && broken.half ? broken.answer : undefined;
  if (answer === undefined) {
    cutOff(raw);
    return;
  }
  const bytes = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => raw.socket.destroy());
}

function cutOff(raw: IncomingMessage): void {
  raw.socket.destroy();
}

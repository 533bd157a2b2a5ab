import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorCode } from '../process/error-code.ts';
import { say } from '../terminal/texts.ts';
import { boundAddress, type ListenOnLoopback } from './loopback-server.ts';

/** Thrown when an address cannot be bound; `code` is the system's (`EADDRINUSE`, `EACCES`, …). */
export class PortError extends Error {
  readonly kind = 'configuration';
  readonly code: string;

  constructor(host: string, port: number, code: string) {
    const { noPort, portTaken } = say().network;
    super(code === 'EADDRINUSE' ? portTaken({ host, port }) : noPort({ host, port, code }));
    this.name = 'PortError';
    this.code = code;
  }
}

/** A request as far as its headers go; names of headers are in lower case. */
export interface PageHead {
  readonly method: string;
  /** The path and the query as they were sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A whole answer. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** An answer that goes on until it is ended, or its reader leaves. */
export interface PageStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once with a way to write and one to end; returns what to call when either has happened. */
  open(write: (text: string) => void, end: () => void): () => void;
}

/** Where a server listens, and what it takes. */
interface Serving {
  /** An address of this machine, for example `127.0.0.1`. */
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Maximum size of a body in bytes. */
  readonly mostBodyBytes: number;
  /** Maximum time for a request to arrive, body included. */
  readonly mostArrivalMs: number;
  /** Idle connections beyond this number are closed, the oldest first. */
  readonly mostConnections: number;
  /** How long closing waits for answers that are pending. */
  readonly closeGraceMs: number;
  /** Refuses a request by its headers, before its body is read; undefined admits it. */
  admit(head: PageHead): PageAnswer | undefined;
  /** Answers an admitted request; `left` is aborted when its sender disconnects. An exception becomes a 500 without its message. */
  answer(head: PageHead, body: Buffer, left: AbortSignal): Promise<PageAnswer | PageStream>;
}

/** A listening server. */
export interface HttpServer {
  /** `http://HOST:PORT`. */
  readonly origin: string;
  /** Stops accepting requests, ends its streams, waits for pending answers, and closes. */
  close(): Promise<void>;
}

/** Options of a server for the pages of this machine's own browser. */
type PageServerOptions = Pick<Serving, 'port' | 'mostBodyBytes' | 'admit'> & {
  answer(head: PageHead, body: string, left: AbortSignal): Promise<PageAnswer | PageStream>;
};

/** Listens on 127.0.0.1. Throws a PortError if the port cannot be bound. */
export type ListenForPages = (options: PageServerOptions) => Promise<HttpServer>;

/** The response to a POST: a status, and plain text. */
export interface PostReply {
  readonly status: number;
  readonly body: string;
}

/** Options of a server for POSTs. */
export interface PostServerOptions extends Pick<Serving, 'host' | 'port' | 'mostBodyBytes' | 'mostArrivalMs'> {
  /** Whether the path exists, checked before the body is read; other paths get 404. */
  isThere(path: string): boolean;
  /** Answers one request. An exception becomes a 500 without its message. */
  answer(path: string, body: Buffer): Promise<PostReply>;
}

/** Listens for POSTs. Throws a PortError if the address cannot be bound. */
export type ListenForPosts = (options: PostServerOptions) => Promise<HttpServer>;

const LOOPBACK = '127.0.0.1';
const empty = (status: number): PageAnswer => ({ status, headers: {}, body: '' });

/** For the console: browsers open six connections to a host, and keep them. */
export const listenForPages: ListenForPages = (options) =>
  listen({
    ...options,
    host: LOOPBACK,
    mostArrivalMs: 10_000,
    mostConnections: 128,
    closeGraceMs: 1_000,
    answer: (head, body, left) => options.answer(head, body.toString('utf8'), left),
  });

/** For callbacks: acknowledging should cost no more than the write to disk. */
export const listenForPosts: ListenForPosts = ({ isThere, answer, ...options }) => {
  const inText = ({ status, body }: PostReply): PageAnswer => ({
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body,
  });
  return listen({
    ...options,
    mostConnections: 512,
    closeGraceMs: 5_000,
    admit({ path, method }) {
      if (!isThere(path)) return inText({ status: 404, body: '' });
      return method === 'POST' ? undefined : inText({ status: 405, body: '' });
    },
    answer: async ({ path }, body) => inText(await answer(path, body)),
  });
};

/** For the sign-in page: one form, and no connection is kept. */
export const listenOnLoopback: ListenOnLoopback = (answer) =>
  listen({
    host: LOOPBACK,
    port: 0,
    // Far more than any of our forms.
    mostBodyBytes: 16 * 1024,
    mostArrivalMs: 10_000,
    mostConnections: 32,
    closeGraceMs: 1_000,
    admit: () => undefined,
    async answer({ method, path, headers }, body) {
      const url = `http://${headers.host ?? ''}${path}`;
      const answered = await answer({ method, url, headers, body: body.toString('utf8') });
      return { ...answered, headers: { ...answered.headers, connection: 'close' } };
    },
  });

/** Listens with node:http, without a framework: small headers, short timeouts, a request refused by its headers if it can be. */
async function listen(serving: Serving): Promise<HttpServer> {
  const { host, port, mostArrivalMs } = serving;
  const pending = new Set<ServerResponse>();
  const streams = new Set<ServerResponse>();
  const limits = {
    requestTimeout: mostArrivalMs,
    headersTimeout: Math.min(10_000, mostArrivalMs),
    connectionsCheckingInterval: Math.min(1_000, mostArrivalMs),
    maxHeaderSize: 16 * 1024,
  };
  const server = createServer(limits, (request, response) => {
    pending.add(response);
    response.once('close', () => pending.delete(response));
    respond(request, response, serving, streams).catch(() => {
      if (response.headersSent) response.destroy();
      else send(response, empty(500), request);
    });
  });
  makeRoom(server, serving.mostConnections);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new PortError(host, port, errorCode(error) ?? 'unknown');
  }
  const bound = boundAddress(server);
  let closing: Promise<void> | undefined;
  return {
    origin: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    close() {
      for (const response of streams) response.end();
      closing ??= close(server, pending, serving.closeGraceMs);
      return closing;
    },
  };
}

/**
 * Closes the oldest idle connection when there is one more than `most`: a client that holds connections open without a
 * request cannot lock others out.
 */
function makeRoom(server: Server, most: number): void {
  const asking = new Set<Socket>();
  const open = new Set<Socket>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    asking.add(socket);
    response.once('close', () => asking.delete(socket));
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      asking.delete(socket);
    });
    if (open.size <= most) return;
    const oldest = [...open].find((other) => !asking.has(other)) ?? socket;
    oldest.destroy();
  });
}

function headOf({ method = '', url = '/', headers }: IncomingMessage): PageHead {
  const texts = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    [value ?? ''].flat().join(', '),
  ]);
  return { method, path: url, headers: Object.fromEntries(texts) };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { admit, answer, mostBodyBytes }: Serving,
  streams: Set<ServerResponse>,
): Promise<void> {
  const head = headOf(request);
  const refusal = admit(head);
  if (refusal !== undefined) return send(response, refusal, request);
  const body = await bodyOf(request, mostBodyBytes);
  if (body === 'cut') return;
  if (body === 'too long') return send(response, empty(413), request);
  const left = new AbortController();
  response.once('close', () => left.abort());
  const answered = await answer(head, body, left.signal);
  if ('open' in answered) return flow(response, answered, streams);
  send(response, answered, request);
}

function flow(response: ServerResponse, { status, headers, open }: PageStream, streams: Set<ServerResponse>): void {
  if (response.destroyed) return;
  streams.add(response);
  response.writeHead(status, headers);
  response.flushHeaders();
  const close = open(
    (text) => response.write(text),
    () => response.end(),
  );
  response.once('close', () => {
    streams.delete(response);
    close();
  });
}

function send(response: ServerResponse, { status, headers, body }: PageAnswer, request: IncomingMessage): void {
  const length = { 'content-length': Buffer.byteLength(body) };
  // The unread rest of a body would precede the next request on this connection.
  const last = request.complete ? {} : { connection: 'close' };
  response.writeHead(status, { ...headers, ...length, ...last }).end(body);
}

/** The body; `cut` if the sender disconnected before it was complete. */
function bodyOf(request: IncomingMessage, most: number): Promise<Buffer | 'too long' | 'cut'> {
  if (Number(request.headers['content-length']) > most) return Promise.resolve('too long');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > most) {
        chunks.length = 0;
        resolve('too long');
      } else {
        chunks.push(chunk);
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks, length)));
    request.once('close', () => resolve('cut'));
    request.on('error', () => resolve('cut'));
  });
}

/** A browser opens connections in advance and sends nothing over them: all are cut once the last answer is sent. */
async function close(server: Server, pending: ReadonlySet<ServerResponse>, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await Promise.all([...pending].map((response) => once(response, 'close')));
  server.closeAllConnections();
  await closed;
  clearTimeout(force);
}

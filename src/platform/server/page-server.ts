import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorCode } from '../process/error-code.ts';
import { makeRoom } from './loopback-server.ts';

/** The response to a POST: a status, and plain text. */
export interface PostReply {
  readonly status: number;
  readonly body: string;
}

/** Options of a server for POSTs. */
export interface PostServerOptions {
  /** An address of this machine, for example `127.0.0.1`. */
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Maximum size of a body. */
  readonly mostBodyBytes: number;
  /** Maximum time for a request to arrive, body included. */
  readonly mostArrivalMs: number;
  /** Whether the path exists, checked before the body is read; other paths get 404. */
  isThere(path: string): boolean;
  /** Answers one request. An exception becomes a 500 without its message. */
  answer(path: string, body: Buffer): Promise<PostReply>;
}

/** A listening server. */
export interface PostServer {
  /** `http://HOST:PORT`. */
  readonly origin: string;
  /** Stops accepting requests, waits for pending responses, and closes. */
  close(): Promise<void>;
}

/** Listens for POSTs. Throws a PortError if the address cannot be bound. */
export type ListenForPosts = (options: PostServerOptions) => Promise<PostServer>;

/** Thrown when an address cannot be bound; `code` is the system's (`EADDRINUSE`, `EACCES`, …). */
export class PortError extends Error {
  readonly kind = 'configuration';
  readonly code: string;

  constructor(host: string, port: number, code: string) {
    const reason = code === 'EADDRINUSE' ? 'another program listens there' : code;
    super(`cannot listen at ${host}:${port}: ${reason}`);
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

/** Options of a server for the pages of this machine's own browser. */
interface PageServerOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** Maximum size of a body in bytes. */
  readonly mostBodyBytes: number;
  /** Refuses a request by its headers, before its body is read; undefined admits it. */
  admit(head: PageHead): PageAnswer | undefined;
  /** Answers an admitted request; `left` is aborted when its sender disconnects. An exception becomes a 500 without its message. */
  answer(head: PageHead, body: string, left: AbortSignal): Promise<PageAnswer | PageStream>;
}

/** A listening server. */
interface PageServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Ends its streams, waits shortly for pending answers, and closes. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. Throws a PortError if the port cannot be bound. */
export type ListenForPages = (options: PageServerOptions) => Promise<PageServer>;

const HOST = '127.0.0.1';
/** How long closing waits for pending answers. */
const CLOSE_GRACE_MS = 1000;
/** Browsers open six connections to a host; idle ones beyond this number are closed, the oldest first. */
const MOST_CONNECTIONS = 128;

const limits = {
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
};

/** Listens with node:http, without a framework: a request is refused by its headers before its body is read. */
export const listenForPages: ListenForPages = async (options) => {
  const streams = new Set<ServerResponse>();
  const server = createServer(limits, (request, response) => {
    respond(request, response, options, streams).catch(() => {
      if (response.headersSent) response.destroy();
      else send(response, { status: 500, headers: {}, body: '' }, request);
    });
  });
  makeRoom(server, MOST_CONNECTIONS);
  server.listen(options.port, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new PortError(HOST, options.port, errorCode(error) ?? 'unknown');
  }
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  let closing: Promise<void> | undefined;
  return {
    origin: `http://${HOST}:${port}`,
    close() {
      closing ??= close(server, streams);
      return closing;
    },
  };
};

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
  options: PageServerOptions,
  streams: Set<ServerResponse>,
): Promise<void> {
  const head = headOf(request);
  const refusal = options.admit(head);
  if (refusal !== undefined) return send(response, refusal, request);
  const body = await bodyOf(request, options.mostBodyBytes);
  if (body === 'cut') return;
  if (body === undefined) return send(response, { status: 413, headers: {}, body: '' }, request);
  const left = new AbortController();
  response.once('close', () => left.abort());
  const answer = await options.answer(head, body, left.signal);
  if ('open' in answer) return flow(response, answer, streams);
  send(response, answer, request);
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

/** The body as text; undefined if it is too long, `cut` if the sender disconnected before it was complete. */
function bodyOf(request: IncomingMessage, most: number): Promise<string | 'cut' | undefined> {
  if (Number(request.headers['content-length']) > most) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > most) {
        chunks.length = 0;
        resolve(undefined);
      } else {
        chunks.push(chunk);
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('close', () => resolve('cut'));
    request.on('error', () => resolve('cut'));
  });
}

async function close(server: Server, streams: ReadonlySet<ServerResponse>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const response of streams) response.end();
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await closed;
  clearTimeout(force);
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorCode } from '../process/error-code.ts';
import { boundAddress, makeRoom } from './loopback-server.ts';
import { type ListenForPosts, PortError, type PostReply, type PostServerOptions } from './page-server.ts';

/** How long closing waits for slow responses. */
const CLOSE_GRACE_MS = 5000;
const MOST_CONNECTIONS = 512;

/** Listens with node:http, without a framework: acknowledging should cost no more than the write to disk. */
export const listenForPosts: ListenForPosts = async (options) => {
  const server = createServer(
    {
      requestTimeout: options.mostArrivalMs,
      headersTimeout: Math.min(10_000, options.mostArrivalMs),
      connectionsCheckingInterval: Math.min(1000, options.mostArrivalMs),
      maxHeaderSize: 16 * 1024,
    },
    (request, response) => {
      respond(request, response, options).catch(() => response.destroy());
    },
  );
  makeRoom(server, MOST_CONNECTIONS);
  server.listen(options.port, options.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new PortError(options.host, options.port, errorCode(error) ?? 'unknown');
  }
  const { address, port, family } = boundAddress(server);
  let closing: Promise<void> | undefined;
  return {
    origin: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close() {
      closing ??= close(server);
      return closing;
    },
  };
};

async function respond(request: IncomingMessage, response: ServerResponse, options: PostServerOptions): Promise<void> {
  const path = request.url ?? '/';
  if (!options.isThere(path)) return send(response, { status: 404, body: '' }, request);
  if (request.method !== 'POST') return send(response, { status: 405, body: '' }, request);
  const body = await bodyOf(request, options.mostBodyBytes);
  if (body === 'cut') return;
  if (body === 'too long') return send(response, { status: 413, body: '' }, request);
  let reply: PostReply;
  try {
    reply = await options.answer(path, body);
  } catch {
    reply = { status: 500, body: '' };
  }
  send(response, reply, request);
}

function send(response: ServerResponse, { status, body }: PostReply, request: IncomingMessage): void {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  // The unread rest of a body would precede the next request on this connection.
  response.writeHead(status, request.complete ? headers : { ...headers, connection: 'close' }).end(body);
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

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await closed;
  clearTimeout(force);
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { WireResponse } from '../http/transport.ts';
import type { ListenOnLoopback } from './loopback-server.ts';
import { boundAddress, makeRoom } from './loopback-server.ts';

/** Far more than any of our forms. */
const mostBodyBytes = 16 * 1024;

/** How long closing waits for a slow reader. */
const closeGraceMs = 1000;

/** Most connections open at once. */
const mostConnections = 32;

/**
 * Listens with node:http: small bodies, short timeouts, no keep-alive, no response to clients that do not send HTTP.
 */
export const listenOnLoopback: ListenOnLoopback = async (answer) => {
  const limits = { requestTimeout: 10_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 };
  const underWay = new Set<ServerResponse>();
  const server = createServer({ ...limits, maxHeaderSize: 16 * 1024 }, async (request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    try {
      const body = await bodyOf(request);
      if (body === undefined) return send(response, { status: 413, headers: {}, body: '' });
      const url = `http://${request.headers.host ?? ''}${request.url ?? '/'}`;
      send(response, await answer({ method: request.method ?? '', url, headers: headersOf(request), body }));
    } catch {
      // The client disconnected, or the handler failed: there is nobody to report details to.
      if (response.headersSent) response.destroy();
      else send(response, { status: 500, headers: {}, body: '' });
    }
  });
  makeRoom(server, mostConnections);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = boundAddress(server);
  let closing: Promise<void> | undefined;
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      closing ??= close(server, underWay);
      return closing;
    },
  };
};

function send(response: ServerResponse, { status, headers, body }: WireResponse): void {
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}

/** The body as text, or undefined if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  const arriving: AsyncIterable<Buffer> = request;
  for await (const chunk of arriving) {
    length += chunk.length;
    if (length > mostBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** A browser opens connections in advance and sends nothing over them: all are cut once the last response is sent. */
async function close(server: Server, underWay: ReadonlySet<ServerResponse>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const force = setTimeout(() => server.closeAllConnections(), closeGraceMs);
  await Promise.all([...underWay].map((response) => once(response, 'close')));
  server.closeAllConnections();
  await closed;
  clearTimeout(force);
}

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A TCP server that records every byte it receives and lets the test answer each complete HTTP request. */
export interface RawServer {
  readonly port: number;
  readonly origin: string;
  /** The bytes of each request, as text. */
  readonly requests: readonly string[];
  /** Number of connections that were opened. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Answers the request with this number, counted from 0, on its socket. */
export type Answerer = (socket: Socket, index: number, request: string) => void;

/** The end of the first complete request in a text, or undefined: headers, and as many bytes as content-length says. */
function endOfRequest(bytes: Buffer): number | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = Number(/^content-length: (\d+)/im.exec(bytes.subarray(0, head).toString())?.[1] ?? 0);
  const end = head + 4 + length;
  return bytes.length >= end ? end : undefined;
}

/** Listens on a free port of 127.0.0.1; a greeting is written as soon as a connection is established. */
export async function rawServer(answer: Answerer, greeting?: string): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let received = Buffer.alloc(0);
    if (greeting !== undefined) socket.write(greeting);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let end = endOfRequest(received); end !== undefined; end = endOfRequest(received)) {
        const request = received.subarray(0, end).toString();
        received = received.subarray(end);
        requests.push(request);
        answer(socket, requests.length - 1, request);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A complete HTTP/1.1 response as bytes. */
export function httpAnswer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Some\r\n${lines.join('')}\r\n${body}`;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transport, WireResponse } from '../../src/platform/http/transport.ts';

/** What stands between the program and the service can do this with a request. */
export interface Passing {
  /** Lets the service have it, and gives its answer; each time it is called, once more. */
  deliver(): Promise<WireResponse>;
  /** Answers the program. */
  answer(response: WireResponse): void;
  /** Closes the connection without an answer, or in the middle of this one. */
  drop(half?: string): void;
  /** Resolves when the program went away. */
  readonly gone: Promise<void>;
}

export type Deed = (passing: Passing) => Promise<void>;

/** A deed that befalls the calls of an operation, the first `times` of them. */
export interface Plan {
  readonly operation: string;
  readonly deed: Deed;
  times: number;
}

/** An HTTP proxy in this process: a service as the program sees it, with the sandbox behind it. */
export interface ServiceProxy {
  readonly baseUrl: string;
  /** What befalls the next calls. */
  plans: Plan[];
  /** The operations that were asked for, in order. */
  readonly seen: string[];
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function passing(service: Transport, request: IncomingMessage, body: string, response: ServerResponse): Passing {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return {
    deliver: () => service({ method: 'POST', url: `http://127.0.0.1:4010${request.url}`, headers, body }),
    answer({ status, headers: answered, body: text }) {
      const { 'content-length': _, ...rest } = answered;
      response.writeHead(status, { ...rest, 'content-length': Buffer.byteLength(text) });
      response.end(text);
    },
    drop(half) {
      if (half !== undefined) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': half.length * 2 });
        response.write(half);
      }
      setImmediate(() => request.socket.destroy());
    },
    gone: new Promise((resolve) => {
      response.once('close', resolve);
    }),
  };
}

const pass: Deed = async (way) => way.answer(await way.deliver());

/** Puts a proxy before a service. */
export async function startProxy(service: Transport): Promise<ServiceProxy> {
  const proxy: { plans: Plan[]; seen: string[] } = { plans: [], seen: [] };
  const server = createServer((request, response) => {
    void (async () => {
      try {
        const body = await bodyOf(request);
        const operation = (request.url ?? '').replace(/^\/v1\//, '');
        proxy.seen.push(operation);
        const plan = proxy.plans.find((candidate) => candidate.times > 0 && operation.endsWith(candidate.operation));
        if (plan !== undefined) plan.times -= 1;
        await (plan?.deed ?? pass)(passing(service, request, body, response));
      } catch {
        // The program was killed in the middle of its request, or of the answer.
        response.destroy();
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(proxy, {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

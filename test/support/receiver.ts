import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Deliver, Delivery } from '../../src/sandbox/service/webhooks/deliver.ts';
import type { ReceiverAnswer } from '../../src/sandbox/service/webhooks/verdict.ts';

/** A callback as parsed by a receiver. */
export interface ReceivedCallback {
  readonly id: string;
  readonly changes: readonly {
    readonly change_type: string;
    readonly entity: string;
    readonly time: string;
    readonly changed: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly latest: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  }[];
}

/** A webhook receiver in the test, called by the sandbox without a socket. */
export interface ScriptedReceiver {
  readonly deliver: Deliver;
  /** What was delivered so far, to any url. */
  readonly deliveries: readonly (ReceivedCallback & { readonly url: string })[];
  /** Sets the response from now on; an Error is a failed connection. A function decides each time. */
  answer(next: string | Error | ReceiverAnswer | ((delivery: Delivery) => ReturnType<Deliver>)): void;
}

/** A 200 response with a body. */
export function okAnswer(body = 'ok'): ReceiverAnswer {
  return { status: 200, body: Buffer.from(body) };
}

/** A receiver without a socket; accepts everything unless told otherwise. */
export function scriptedReceiver(): ScriptedReceiver {
  const deliveries: (ReceivedCallback & { url: string })[] = [];
  let respond: Deliver = async () => okAnswer();
  return {
    deliveries,
    deliver(delivery) {
      deliveries.push({ url: delivery.url, ...JSON.parse(delivery.body) });
      return respond(delivery);
    },
    answer(next) {
      respond = async (delivery) => {
        if (next instanceof Error) throw next;
        if (typeof next === 'function') return next(delivery);
        return typeof next === 'string' ? okAnswer(next) : next;
      };
    },
  };
}

/** A request to a listening receiver. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly callback: ReceivedCallback;
}

/** Listens on 127.0.0.1 until the test ends; `respond` answers each request, or misbehaves. */
export async function listeningReceiver(
  respond: (response: ServerResponse, request: ReceivedRequest) => void = (response) => response.end('ok'),
): Promise<{ readonly url: string; readonly requests: readonly ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, callback: JSON.parse(Buffer.concat(chunks).toString()) };
      requests.push(request);
      respond(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=1`, requests };
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createTransport } from '../../src/platform/http/undici-transport.ts';

/** How a service puts the text of an answer on the wire. */
export type Way = (text: string, put: (chunk: string | Uint8Array) => void) => void | Promise<void>;

/** Ways that a reader has to live with. */
export const ways: Readonly<Record<string, Way>> = {
  'chunked byte by byte': (text, put) => {
    for (const byte of Buffer.from(text)) put(Uint8Array.of(byte));
  },
  'slow: a part now, and a part later': async (text, put) => {
    put(text.slice(0, 10));
    await later(10);
    put(text.slice(10));
  },
};

/** A server on a port that answers in a way, and the transport to it; both end with the test. */
export async function answeredBy(way: Way, answer: (url: string, body: string) => string) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(200, { 'content-type': 'application/json' });
    await way(answer(request.url ?? '', Buffer.concat(chunks).toString()), (chunk) => void response.write(chunk));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { transport, close } = createTransport({ proxies: {} });
  onTestFinished(async () => {
    await close();
    server.close();
  });
  return { transport, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

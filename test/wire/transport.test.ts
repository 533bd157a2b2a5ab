import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { WireRequest } from '../../src/platform/http/transport.ts';
import {
  createTransport,
  type OpenTransport,
  type TransportOptions,
} from '../../src/platform/http/undici-transport.ts';
import { type Answerer, httpAnswer, type RawServer, rawServer } from '../support/raw-server.ts';

const opened: (OpenTransport | RawServer)[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function serve(answer: Answerer, greeting?: string): Promise<RawServer> {
  const server = await rawServer(answer, greeting);
  opened.unshift(server);
  return server;
}

function opens(options?: TransportOptions): OpenTransport['transport'] {
  const open = createTransport(options);
  opened.unshift(open);
  return open.transport;
}

function post(url: string, more: Partial<WireRequest> = {}): WireRequest {
  return { method: 'POST', url, headers: { authorization: 'Bearer k' }, body: '{}', ...more };
}

/** A port on which nothing listens: one that was just given back. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('a refused connection was surely not sent', async () => {
  const url = `http://127.0.0.1:${await deadPort()}/`;
  await expect(opens()(post(url))).rejects.toMatchObject({ failure: 'refused', sent: 'no' });
});

test('a TLS handshake that fails was surely not sent', async () => {
  const server = await serve(() => {}, 'HTTP/1.1 400 No\r\n\r\n');
  const url = `https://127.0.0.1:${server.port}/`;
  await expect(opens()(post(url))).rejects.toMatchObject({ failure: 'plain', sent: 'no' });
  expect(server.requests).toEqual([]);
});

test('a connection that closes without an answer may have delivered the request', async () => {
  const server = await serve((socket) => socket.destroy());
  await expect(opens()(post(server.origin))).rejects.toMatchObject({ failure: 'closed', sent: 'maybe' });
  expect(server.requests).toHaveLength(1);
});

test('a body shorter than its content-length is no answer', async () => {
  const server = await serve((socket) => socket.end(httpAnswer(200, '{"id":"1"', { 'content-length': '100' })));
  await expect(opens()(post(server.origin))).rejects.toMatchObject({ failure: 'closed', sent: 'maybe' });
});

test('a chunked body that breaks off is no answer', async () => {
  const server = await serve((socket) =>
    socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{"id":"1"\r\n'),
  );
  await expect(opens()(post(server.origin))).rejects.toMatchObject({ failure: 'closed', sent: 'maybe' });
});

test('an answer that is not HTTP is no answer', async () => {
  const server = await serve((socket) => socket.end('220 smtp.example ESMTP\r\n'));
  await expect(opens()(post(server.origin))).rejects.toMatchObject({ failure: 'closed', sent: 'maybe' });
});

test('a silent service runs into the time limit', async () => {
  const server = await serve(() => {});
  const request = post(server.origin, { timeoutMs: 50 });
  await expect(opens()(request)).rejects.toMatchObject({ failure: 'timeout', sent: 'maybe' });
});

test('a body that trickles runs into the time limit of the whole answer', async () => {
  const server = await serve((socket) => {
    socket.write(httpAnswer(200, '{', { 'content-length': '1000' }));
    const drip = setInterval(() => socket.write(' '), 10);
    socket.on('close', () => clearInterval(drip));
  });
  const request = post(server.origin, { timeoutMs: 100 });
  await expect(opens()(request)).rejects.toMatchObject({ failure: 'timeout', sent: 'maybe' });
});

test('a signal breaks a request off, and one that was given up before is not sent', async () => {
  const controller = new AbortController();
  const server = await serve(() => controller.abort());
  const transport = opens();
  const request = post(server.origin, { signal: controller.signal });
  await expect(transport(request)).rejects.toMatchObject({ failure: 'aborted', sent: 'maybe' });
  await expect(transport(request)).rejects.toMatchObject({ failure: 'aborted', sent: 'no' });
  expect(server.requests).toHaveLength(1);
});

test('an answer of 100 MB is given up at its limit, whether it says its length or not', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, ' ');
  let written = 0;
  const server = await serve((socket, index) => {
    if (index === 0) return socket.write(httpAnswer(200, '', { 'content-length': String(100 * megabyte.length) }));
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const pour = () => {
      while (written < 100 && !socket.destroyed) {
        written += 1;
        if (!socket.write(megabyte)) return socket.once('drain', pour);
      }
      return socket.end();
    };
    return pour();
  });
  const transport = opens();
  const request = post(server.origin, { maxResponseBytes: 8 * megabyte.length });
  const before = process.memoryUsage().rss;
  await expect(transport(request)).rejects.toMatchObject({ failure: 'oversized', sent: 'maybe' });
  await expect(transport(request)).rejects.toMatchObject({ failure: 'oversized', sent: 'maybe' });
  expect(written).toBeLessThan(60);
  expect(process.memoryUsage().rss - before).toBeLessThan(80 * megabyte.length);
});

test('a redirect is handed on, not followed', async () => {
  const other = await serve((socket) => socket.write(httpAnswer(200, '{}')));
  const server = await serve((socket) => socket.write(httpAnswer(307, '', { location: other.origin })));
  expect(await opens()(post(server.origin))).toMatchObject({ status: 307, headers: { location: other.origin } });
  expect(other.requests).toEqual([]);
});

test('calls share one connection', async () => {
  const server = await serve((socket) => socket.write(httpAnswer(200, '{}', { connection: 'keep-alive' })));
  const transport = opens();
  for (let count = 0; count < 5; count += 1) await transport(post(server.origin));
  expect(server.requests).toHaveLength(5);
  expect(server.connections()).toBe(1);
});

test('characters of more than one byte survive the borders of packets', async () => {
  const body = Buffer.from('{"name":"Phường Đội Cấn 🚚"}');
  const server = await serve((socket) => {
    socket.setNoDelay(true);
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
    let at = 0;
    const drip = setInterval(() => {
      socket.write(body.subarray(at, at + 1));
      at += 1;
      if (at === body.length) clearInterval(drip);
    }, 1);
  });
  expect((await opens()(post(server.origin))).body).toBe(body.toString());
});

test('a request that was given up while it waited for its connection is never written', async () => {
  const controller = new AbortController();
  const server = await serve((socket) => socket.write(httpAnswer(200, '{}')));
  const transport = opens();
  const pending = transport(post(server.origin, { signal: controller.signal }));
  controller.abort();
  await expect(pending).rejects.toMatchObject({ failure: 'aborted', sent: 'no' });
  await transport(post(server.origin, { body: '{"second":1}' }));
  expect(server.requests.map((text) => text.split('\r\n\r\n')[1])).toEqual(['{"second":1}']);
});

test('with a limited number of connections no further one is opened, although a response comes at once', async () => {
  const server = await serve((socket) => socket.write(httpAnswer(200, '{}', { connection: 'keep-alive' })));
  const transport = opens({ connections: 3 });
  const sendTwenty = async () => {
    for (let count = 0; count < 20; count += 1) await transport(post(server.origin));
  };
  await Promise.all([sendTwenty(), sendTwenty(), sendTwenty()]);
  expect(server.requests).toHaveLength(60);
  expect(server.connections()).toBe(3);
});

test('requests in progress together have a time limit each', async () => {
  let answerFirst = () => {};
  const server = await serve((socket, index) => {
    if (index === 0) answerFirst = () => socket.write(httpAnswer(200, '{"first":1}'));
  });
  const transport = opens();
  const long = transport(post(server.origin, { timeoutMs: 600_000 }));
  const short = [50, 80].map((timeoutMs) => transport(post(server.origin, { timeoutMs })));
  for (const one of short) await expect(one).rejects.toMatchObject({ failure: 'timeout', sent: 'maybe' });
  answerFirst();
  expect((await long).body).toBe('{"first":1}');
});

test('a signal breaks off the requests that were given it and no other, and is left alone when they have ended', async () => {
  const { signal: other } = new AbortController();
  const controller = new AbortController();
  const { signal } = controller;
  const answers: (() => void)[] = [];
  let arrived = () => {};
  const all = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = await serve((socket) => {
    answers.push(() => socket.write(httpAnswer(200, '{}')));
    if (answers.length === 3) arrived();
  });
  const transport = opens();
  const broken = [signal, signal].map((one) => transport(post(server.origin, { signal: one })));
  const kept = transport(post(server.origin, { signal: other }));
  await all;
  expect([signal, other].map((one) => getEventListeners(one, 'abort').length)).toEqual([1, 1]);
  controller.abort();
  for (const one of broken) await expect(one).rejects.toMatchObject({ failure: 'aborted', sent: 'maybe' });
  for (const answer of answers) answer();
  expect(await kept).toMatchObject({ status: 200 });
  expect([signal, other].map((one) => getEventListeners(one, 'abort').length)).toEqual([0, 0]);
});

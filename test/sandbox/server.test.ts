import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as operations from '../../src/contract/control/operations.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import type { ServerLimits } from '../../src/sandbox/engine/request-stream.ts';
import { controlClient } from '../../src/sandbox/lab/control-client.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { quotedOrder } from '../support/sandbox-order.ts';

async function startTestServer(limits: Partial<ServerLimits> = {}) {
  const test = await openTestSandbox();
  const server = await startServer(test.sandbox, { port: 0, limits });
  onTestFinished(() => server.close());
  const port = Number(new URL(server.baseUrl).port);
  const address = { control_url: server.controlUrl, control_token: server.controlToken };
  return { ...test, server, port, control: controlClient(address) };
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** Sends one request with Node's own client, which lets every header through. */
async function send(port: number, { method = 'POST', path = '/', headers = {}, body = '' }: Sent) {
  const outgoing: ClientRequest = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  const answer = await text(incoming);
  return { status: Number(incoming.statusCode), headers: incoming.headers, body: answer };
}

const json = { 'content-type': 'application/json' };
const getOrder = '/v1/partner.Shipping/GetOrder';

/** Sends raw bytes and answers everything that comes back until the connection is closed. */
async function exchange(port: number, bytes: string, keepSending?: string) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  const timer = keepSending === undefined ? undefined : setInterval(() => socket.write(keepSending), 20);
  try {
    return await text(socket).catch(() => '');
  } finally {
    clearInterval(timer);
    socket.destroy();
  }
}

describe('the service over HTTP', () => {
  it('keeps every digit of an id on the way in and out', async () => {
    const { port, shopKey, post, ...test } = await startTestServer();
    const order = await quotedOrder({ port, shopKey, post, ...test } as never);
    const created = await post('partner.Shipping/CreateAndConfirmOrder', order, shopKey);
    const headers = { ...json, authorization: `Bearer ${shopKey}` };
    const { status, body } = await send(port, { path: getOrder, headers, body: `{"id":${created.body.order.id}}` });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual(created.body);
  });

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND', 'QUERY', 'TRACE'])(
    'answers 404 bad_route to %s',
    async (method) => {
      const { port } = await startTestServer();
      const { status, body } = await send(port, { method, path: getOrder, headers: json });
      expect([status, JSON.parse(body).code]).toEqual([404, 'bad_route']);
    },
  );

  it.each(['', 'text/plain', 'nonsense', ';;;', 'multipart/form-data'])(
    'answers 404 bad_route to the Content-Type "%s"',
    async (contentType) => {
      const { port } = await startTestServer();
      const headers = contentType === '' ? {} : { 'content-type': contentType };
      const { status, body } = await send(port, { path: getOrder, headers, body: '{}' });
      expect([status, JSON.parse(body).code]).toEqual([404, 'bad_route']);
    },
  );

  it.each(['/', '/v1', '/%', '/v1/partner.Shipping/GetOrder%2f', '//', '/v1/partner.Shipping/GetOrder/../x'])(
    'answers 404 bad_route at %s',
    async (path) => {
      const { port } = await startTestServer();
      const { status, body } = await send(port, { path, headers: json, body: '{}' });
      expect([status, JSON.parse(body).code]).toEqual([404, 'bad_route']);
    },
  );

  it('answers 400 to a body that is empty, no UTF-8, or over 1 MiB', async () => {
    const { port } = await startTestServer();
    const bodies = ['', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), `{"x":"${'a'.repeat(2 * 1024 * 1024)}"}`];
    for (const body of bodies) {
      const answer = await send(port, { path: getOrder, headers: json, body });
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'invalid_argument']);
    }
    const spoilt = Buffer.from([...Buffer.from('{"id":"'), 0xff, ...Buffer.from('1"}')]);
    const { body } = await send(port, { path: getOrder, headers: json, body: spoilt });
    expect(JSON.parse(body).msg).toMatch(/^the body is not JSON: .* at line 1, column 8$/);
  });

  it('takes a body in chunks, and characters that are split between them', async () => {
    const { port, shopKey } = await startTestServer();
    const headers = { ...json, authorization: `Bearer ${shopKey}`, 'transfer-encoding': 'chunked' };
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path: getOrder, headers, agent: false });
    const bytes = Buffer.from('{"external_id":"đơn"}');
    for (const byte of bytes) outgoing.write(Buffer.from([byte]));
    outgoing.end();
    const [incoming] = await once(outgoing, 'response');
    expect(JSON.parse(await text(incoming)).code).toBe('not_found');
  });

  it('closes the connection without an answer where a fault script says so', async () => {
    const { port, sandbox } = await startTestServer();
    const broken = await startServer(
      { ...sandbox, handle: () => Promise.reject(new TransportError('closed', 'maybe', 'cut')), close: async () => {} },
      { port: 0 },
    );
    onTestFinished(() => broken.close());
    const brokenPort = Number(new URL(broken.baseUrl).port);
    await expect(send(brokenPort, { path: getOrder, headers: json, body: '{}' })).rejects.toThrow('socket hang up');
    expect((await send(port, { path: getOrder, headers: json, body: '{}' })).status).toBe(401);
  });
});

describe('who may ask', () => {
  it.each(['GET', 'POST', 'OPTIONS', 'HEAD', 'PROPFIND'])(
    'is this machine only: %s with another Host',
    async (method) => {
      const { port } = await startTestServer();
      for (const host of [
        'shop.example',
        '127.0.0.1.shop.example',
        'localhost.shop.example:80',
        'x@127.0.0.1',
        '0.0.0.0',
      ]) {
        for (const path of [getOrder, '/_sandbox/status', '/sign-in/', '/nowhere']) {
          expect((await send(port, { method, path, headers: { ...json, host } })).status).toBe(403);
        }
      }
    },
  );

  it.each([
    ['', 401],
    ['http://127.0.0.1:3000', 403],
    ['http://localhost', 403],
    ['http://localhost:9999', 403],
    ['http://[::1]:8080', 403],
    ['https://shop.example', 403],
    ['null', 403],
    ['file://', 403],
  ])('is pages of its own only: Origin %s gives %s', async (given, status) => {
    const { port } = await startTestServer();
    const origin = given === '' ? `http://127.0.0.1:${port}` : given;
    expect((await send(port, { path: getOrder, headers: { ...json, origin }, body: '{}' })).status).toBe(status);
  });

  it('refuses to listen on any other address', async () => {
    const { sandbox } = await openTestSandbox();
    await expect(startServer(sandbox, { port: 0, host: '0.0.0.0' })).rejects.toThrow(RangeError);
  });

  it('says what is wrong where the port is taken', async () => {
    const { port, sandbox } = await startTestServer();
    await expect(startServer(sandbox, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('a slow or greedy client', () => {
  const head = (length: number) =>
    `POST ${getOrder} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const limits = { requestTimeoutMs: 300, headersTimeoutMs: 200, checkingIntervalMs: 50 };

  it('that sends its body byte by byte is cut off', async () => {
    const { port } = await startTestServer(limits);
    const answer = await exchange(port, head(1000), 'x');
    expect(answer).toMatch(/^HTTP\/1.1 408 .*deadline_exceeded/s);
  });

  it('that sends its headers byte by byte is cut off', async () => {
    const { port } = await startTestServer(limits);
    expect(await exchange(port, 'POST / HTTP/1.1\r\nX: ', 'x')).toMatch(/^HTTP\/1.1 408 /);
  });

  it('that sends too many bytes of headers, or no HTTP, is refused', async () => {
    const { port } = await startTestServer();
    const long = `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await exchange(port, long)).toMatch(/^HTTP\/1.1 400 .*invalid_argument/s);
    expect(await exchange(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });

  it('that goes away in the middle harms nobody', async () => {
    const { port } = await startTestServer();
    const socket = connect(port, '127.0.0.1');
    socket.write(head(1000));
    await once(socket, 'connect');
    socket.destroy();
    expect((await send(port, { path: getOrder, headers: json, body: '{}' })).status).toBe(401);
  });
});

describe('the control plane', () => {
  it('needs the token of this run, whatever is asked', async () => {
    const { port, server, shopKey } = await startTestServer();
    for (const authorization of ['', 'Bearer wrong', `Bearer ${shopKey}`, `Basic ${server.controlToken}`]) {
      for (const path of ['/_sandbox/status', '/_sandbox/nothing', '/_sandbox/']) {
        const { status, body } = await send(port, { method: 'GET', path, headers: { authorization } });
        expect([status, JSON.parse(body).code]).toEqual([401, 'unauthenticated']);
      }
    }
  });

  it('answers bad_route to what it does not have', async () => {
    const { control } = await startTestServer();
    await expect(control.send('GET', 'nothing')).rejects.toMatchObject({ code: 'bad_route' });
    await expect(control.send('GET', 'stop')).rejects.toMatchObject({ code: 'bad_route' });
  });

  it('reports status and credentials', async () => {
    const { control, server, partner, shop } = await startTestServer();
    expect(await control.call(operations.serverStatus, {})).toEqual({
      base_url: server.baseUrl,
      started_at: server.startedAt,
    });
    const credentials = await control.call(operations.credentials, {});
    expect(credentials).toMatchObject({
      base_url: server.baseUrl,
      partner: { id: partner.id, api_key: partner.apiKey },
      shops: [{ id: shop.id, name: shop.name, api_key: shop.apiKey }, { name: 'Second Demo Shop' }],
    });
  });

  it('signs a shop in and off', async () => {
    const { control, partner, otherShop, post } = await startTestServer();
    const { body } = await post('partner.Shop/AuthorizeShop', {}, partner.apiKey);
    expect(await control.call(operations.signIn, { token: body.auth_token, shop_id: otherShop.id })).toEqual({
      shop_id: otherShop.id,
    });
    expect(await control.call(operations.unlink, { shop_id: otherShop.id })).toEqual({ removed: 1 });
    await expect(
      control.call(operations.signIn, { token: body.auth_token, shop_id: otherShop.id }),
    ).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(control.send('POST', 'sign-in', {})).rejects.toMatchObject({
      code: 'invalid_argument',
      meta: { field: 'token' },
    });
  });

  it('asks the process to stop', async () => {
    const { control, server } = await startTestServer();
    await control.call(operations.stop, {});
    await server.stopRequested;
    await server.close();
    await expect(control.call(operations.serverStatus, {})).rejects.toMatchObject({ code: 'unreachable' });
  });
});

describe('closing', () => {
  it('finishes what is in flight', async () => {
    const { sandbox } = await openTestSandbox();
    let release = () => {};
    let begun = () => {};
    const beginning = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow: typeof sandbox.handle = async (asked) => {
      begun();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return sandbox.handle(asked);
    };
    const server = await startServer({ ...sandbox, handle: slow }, { port: 0 });
    const answer = send(Number(new URL(server.baseUrl).port), { path: getOrder, headers: json, body: '{}' });
    await beginning;
    const closing = server.close();
    release();
    const { status, headers } = await answer;
    expect([status, headers.connection]).toEqual([401, 'close']);
    await closing;
  });

  it('does not wait for a client that never ends', async () => {
    const { sandbox } = await openTestSandbox();
    const server = await startServer(sandbox, { port: 0, limits: { closeGraceMs: 50 } });
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(`POST ${getOrder} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nx`);
    await once(socket, 'connect');
    await send(Number(new URL(server.baseUrl).port), { path: getOrder, headers: json, body: '{}' });
    await server.close();
    await server.close();
  });
});

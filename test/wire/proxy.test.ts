import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { WireRequest } from '../../src/platform/http/transport.ts';
import { createTransport, type OpenTransport } from '../../src/platform/http/undici-transport.ts';
import { httpAnswer, type RawServer, rawServer } from '../support/raw-server.ts';

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function request(url: string): WireRequest {
  return { method: 'POST', url, headers: { authorization: 'Bearer canary-key' }, body: '{}', timeoutMs: 5_000 };
}

/** A proxy that tunnels every CONNECT to one server of this machine, or refuses with a status. */
async function proxy(to: RawServer, refusal?: number): Promise<{ port: number; heads: string[] }> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (head) => {
      heads.push(head.toString());
      if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      const onward = connect(to.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      sockets.add(onward);
      return onward.on('error', () => {});
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, heads };
}

async function service(): Promise<RawServer> {
  const server = await rawServer((socket) => socket.write(httpAnswer(200, '{"ok":true}')));
  ends.push(server.close);
  return server;
}

function opens(http: string): OpenTransport['transport'] {
  const open = createTransport({ proxies: { http, https: http } });
  ends.push(open.close);
  return open.transport;
}

test('a request goes through a tunnel, and the proxy sees its password but never the key', async () => {
  const server = await service();
  const { port, heads } = await proxy(server);
  const transport = opens(`http://me:pass@127.0.0.1:${port}`);
  expect(await transport(request('http://shop.example/v1/x'))).toMatchObject({ status: 200, body: '{"ok":true}' });
  expect(heads).toHaveLength(1);
  expect(heads[0]).toMatch(/^CONNECT shop\.example:80 HTTP\/1\.1\r\n/);
  expect(heads[0]).toContain(`proxy-authorization: Basic ${Buffer.from('me:pass').toString('base64')}`);
  expect(heads[0]).not.toContain('canary-key');
  expect(server.requests[0]).toMatch(/^POST \/v1\/x HTTP\/1\.1\r\nhost: shop\.example\r\n/);
});

test('this machine is reached without the proxy', async () => {
  const server = await service();
  const { port, heads } = await proxy(server);
  expect(await opens(`http://127.0.0.1:${port}`)(request(server.origin))).toMatchObject({ status: 200 });
  expect(heads).toEqual([]);
});

test('a proxy that refuses is named without its password, and nothing was sent', async () => {
  const server = await service();
  const { port } = await proxy(server, 407);
  const failure = opens(`http://me:hidden-pass@127.0.0.1:${port}`)(request('https://shop.example/v1/x'));
  await expect(failure).rejects.toMatchObject({
    failure: 'proxy',
    sent: 'no',
    message: `the proxy 127.0.0.1:${port} refused to connect to shop.example (status 407)`,
  });
  expect(server.requests).toEqual([]);
});

test('a proxy that is not there, or not a url, is a failure of the proxy', async () => {
  const dead = createServer().listen(0, '127.0.0.1');
  await once(dead, 'listening');
  const { port } = dead.address() as AddressInfo;
  dead.close();
  await once(dead, 'close');
  const through = (http: string) => opens(http)(request('https://shop.example/'));
  await expect(through(`127.0.0.1:${port}`)).rejects.toMatchObject({ failure: 'proxy', sent: 'no' });
  await expect(through('http://[nowhere')).rejects.toMatchObject({ failure: 'proxy', sent: 'no' });
});

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { call } from '../../src/client/call.ts';
import { CreateCustomer } from '../../src/contract/shop/customer.ts';
import type { WireRequest } from '../../src/platform/http/transport.ts';
import { createTransport, type OpenTransport } from '../../src/platform/http/undici-transport.ts';
import { httpAnswer, type RawServer, rawServer } from '../support/raw-server.ts';
import { testConnection } from '../support/test-connection.ts';

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function request(url: string): WireRequest {
  return { method: 'POST', url, headers: { authorization: 'Bearer canary-key' }, body: '{}', timeoutMs: 5_000 };
}

/** What a proxy does with CONNECT that it does not serve: a text to end with, or a function of its socket. */
type Refusing = string | ((socket: Socket) => void);

const withStatus = (status: number) => `HTTP/1.1 ${status} No\r\n\r\n`;
const withPage = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>';

/** A proxy that tunnels every CONNECT to one server of this machine, or refuses. */
async function proxy(to: RawServer, refusal?: Refusing): Promise<{ port: number; heads: string[] }> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (head) => {
      heads.push(head.toString());
      if (typeof refusal === 'function') return refusal(socket);
      if (refusal !== undefined) return socket.end(refusal);
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
  const { port } = await proxy(server, withStatus(407));
  const failure = opens(`http://me:hidden-pass@127.0.0.1:${port}`)(request('https://shop.example/v1/x'));
  await expect(failure).rejects.toMatchObject({
    failure: 'proxy',
    sent: 'no',
    message: `the proxy 127.0.0.1:${port} refused to connect to shop.example (status 407): it wants a user and a password, or others than its address has`,
  });
  expect(server.requests).toEqual([]);
});

test('a proxy that is not there is a failure of the proxy', async () => {
  const dead = createServer().listen(0, '127.0.0.1');
  await once(dead, 'listening');
  const { port } = dead.address() as AddressInfo;
  dead.close();
  await once(dead, 'close');
  const through = (http: string) => opens(http)(request('https://shop.example/'));
  await expect(through(`127.0.0.1:${port}`)).rejects.toMatchObject({ failure: 'proxy', sent: 'no' });
});

const dropped = 'closed the connection instead of connecting to shop.example';

test.each<[string, Refusing, string]>([
  ['drops the connection', (socket) => socket.destroy(), dropped],
  ['ends the connection', (socket) => socket.end(), dropped],
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'broke off instead of connecting to shop.example'],
  ['answers with a page', withPage, 'answered with a page instead of connecting to shop.example'],
  ['says that the service is away', withStatus(502), 'refused to connect to shop.example (status 502)'],
  ['speaks another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'does not answer as a proxy'],
  ['says a word of another protocol, and ends', 'SSH-2.0-OpenSSH_9.6\r\n', 'does not answer as a proxy'],
])('a proxy that %s is dialled once, and blamed', async (_, refusal, says) => {
  const server = await service();
  const { port, heads } = await proxy(server, refusal);
  for (const url of ['https://shop.example/', 'http://shop.example/']) {
    heads.length = 0;
    const failure = opens(`http://me:hidden-pass@127.0.0.1:${port}`)(request(url));
    await expect(failure).rejects.toMatchObject({
      failure: 'proxy',
      sent: 'no',
      message: expect.stringContaining(`the proxy 127.0.0.1:${port} ${says}`),
    });
    await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining('hidden-pass') });
    expect(heads).toHaveLength(1);
  }
  expect(server.requests).toEqual([]);
});

test('a proxy that never answers is blamed, and not the service', async () => {
  const { port, heads } = await proxy(await service(), () => {});
  const failure = opens(`127.0.0.1:${port}`)({ ...request('https://shop.example/'), timeoutMs: 50 });
  await expect(failure).rejects.toMatchObject({
    failure: 'proxy',
    sent: 'no',
    message: `the proxy 127.0.0.1:${port} did not answer within 0.05 s`,
  });
  // Whether its first byte has come by then is the machine's affair.
  expect(heads.length).toBeLessThanOrEqual(1);
});

test('a service that says nothing behind a tunnel is named with the proxy', async () => {
  const server = await rawServer((socket, index) => {
    if (index === 0) socket.write(httpAnswer(200, '{"ok":true}'));
  });
  ends.push(server.close);
  const { port } = await proxy(server);
  const transport = opens(`127.0.0.1:${port}`);
  await transport(request('http://shop.example/'));
  await expect(transport({ ...request('http://shop.example/silent'), timeoutMs: 50 })).rejects.toMatchObject({
    failure: 'timeout',
    message: `shop.example, through the proxy 127.0.0.1:${port}, did not answer within 0.05 s`,
  });
});

test.each<[string, Refusing, number[]]>([
  ['drops the connection', (socket) => socket.destroy(), [125, 250, 500]],
  ['refuses', withStatus(407), []],
])(
  'a call through a proxy that %s is tried again only with pauses, and never without end',
  async (_, refusal, waits) => {
    const { port, heads } = await proxy(await service(), refusal);
    const connection = testConnection(opens(`127.0.0.1:${port}`), { baseUrl: 'https://shop.example' });
    const failure = call(CreateCustomer, { full_name: 'Lan', phone: '0901234567' }, connection);
    await expect(failure).rejects.toMatchObject({ kind: 'network', failure: 'proxy', outcome: 'not_applied' });
    expect([heads.length, connection.clock.waits]).toEqual([waits.length + 1, waits]);
  },
);

test('100 Continue is skipped through a proxy, too', async () => {
  const server = await rawServer((socket) =>
    socket.write(`HTTP/1.1 100 Continue\r\n\r\n${httpAnswer(200, '{"ok":true}')}`),
  );
  ends.push(server.close);
  const { port } = await proxy(server);
  expect(await opens(`127.0.0.1:${port}`)(request('http://shop.example/'))).toMatchObject({ status: 200 });
});

test.each([
  ['socks5h://127.0.0.1:1080', 'starts with socks5h://'],
  ['socks4://127.0.0.1:1080', 'starts with socks4://'],
  ['ftp://127.0.0.1', 'starts with ftp://'],
  ['file:///etc/proxy.pac', 'starts with file://'],
  ['direct://', 'starts with direct://'],
  ['http://CORP\\lan:hidden-pass@127.0.0.1:1', 'has a backslash in its user or password'],
  ['http://lan:hidden-pass%w@127.0.0.1:1', 'has a % in its user or password that encodes nothing'],
  ['http://lan:1#hidden-pass@127.0.0.1:1', 'has a character in its user or password that ends them'],
  ['http://lan:1?hidden-pass@127.0.0.1:1', 'has a character in its user or password that ends them'],
  ['http://lan:hidden-pass/@127.0.0.1:1', 'is not a URL'],
  ['http://[nowhere', 'is not a URL'],
])('a proxy like %s is refused before it is dialled, without its password', async (address, says) => {
  const open = createTransport({ proxies: { https: address } });
  const failure = open.transport(request('https://shop.example/'));
  await expect(failure).rejects.toMatchObject({
    kind: 'configuration',
    code: 'address_invalid',
    message: expect.stringContaining(`the proxy in HTTPS_PROXY cannot be used: it ${says}`),
  });
  await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining('hidden-pass') });
  await open.close();
});

test('a password that is percent-encoded reaches the proxy as it is', async () => {
  const { port, heads } = await proxy(await service());
  await opens(`http://CORP%5Clan:p%25w@127.0.0.1:${port}`)(request('http://shop.example/'));
  expect(heads[0]).toContain(`Basic ${Buffer.from('CORP\\lan:p%w').toString('base64')}`);
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../src/platform/server/http-server.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { standingClock } from '../support/standing-clock.ts';

async function idle(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

it('answers on the sign-in page, however many connections are open and silent', async () => {
  const server = await listenOnLoopback(() => ({ status: 200, headers: {}, body: 'here' }));
  onTestFinished(() => server.close());
  const port = Number(new URL(server.origin).port);
  for (let round = 0; round < 3; round += 1) {
    const silent = await Promise.all(Array.from({ length: 40 }, () => idle(port)));
    expect(await (await fetch(server.origin)).text()).toBe('here');
    // Who is silent is put out at last: that was not waited for.
    expect(silent.some(({ readyState }) => readyState === 'open')).toBe(true);
  }
});

it('does not close a connection whose answer is under way to make room', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = await listenOnLoopback(async () => {
    arrived();
    await released;
    return { status: 200, headers: {}, body: 'whole' };
  });
  onTestFinished(() => server.close());
  const answer = fetch(server.origin);
  await arrival;
  const port = Number(new URL(server.origin).port);
  await Promise.all(Array.from({ length: 60 }, () => idle(port)));
  release();
  expect(await (await answer).text()).toBe('whole');
});

it.each([
  '127.0.0.1:99999',
  '127.0.0.1:65536',
  '127.0.0.999',
  '127.1.1.256:80',
  'localhost:0x50',
  '[::1]:99999',
  '[:::]',
  '',
])('answers a request to the sandbox with the Host %j in the words of the service', async (host) => {
  const sandbox = await openSandbox({ seed: 'none', clock: standingClock() });
  const server = await startServer(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const socket = await idle(Number(new URL(server.baseUrl).port));
  socket.end(
    `POST /v1/shop.Misc/VersionInfo HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
  );
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 (?:400|403) /);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ msg: expect.any(String) });
});

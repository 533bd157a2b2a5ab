import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { WireRequest, WireResponse } from '../../src/platform/http/transport.ts';
import { listenOnLoopback } from '../../src/platform/server/http-server.ts';
import type { LoopbackServer } from '../../src/platform/server/loopback-server.ts';

async function listen(answer: (request: WireRequest) => Promise<WireResponse> | WireResponse): Promise<LoopbackServer> {
  const server = await listenOnLoopback(answer);
  onTestFinished(() => server.close());
  return server;
}

const ok: WireResponse = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };

it('hands a request on as it came, on 127.0.0.1 alone', async () => {
  const requests: WireRequest[] = [];
  const server = await listen((request) => {
    requests.push(request);
    return ok;
  });
  expect(server.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(`${server.origin}/a?b=c`, { method: 'POST', body: 'é' })).text()).toBe('ok');
  expect(requests).toMatchObject([
    { method: 'POST', url: `${server.origin}/a?b=c`, body: 'é', headers: { host: server.origin.slice(7) } },
  ]);
});

it('closes after the answer under way, and cuts a connection that sends nothing', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = await listen(async () => {
    arrived();
    await released;
    return ok;
  });
  const silent = connect(Number(new URL(server.origin).port), '127.0.0.1');
  const cut = new Promise((resolve) => silent.once('close', resolve));
  silent.on('error', () => {});
  const answer = fetch(server.origin);
  await arrival;
  const closing = server.close();
  release();
  expect((await answer).status).toBe(200);
  await Promise.all([closing, cut]);
  await expect(fetch(server.origin)).rejects.toThrow('fetch failed');
});

it('answers 500 and nothing more when the answer fails', async () => {
  const server = await listen(() => {
    throw new Error('a secret');
  });
  const answer = await fetch(server.origin);
  expect([answer.status, await answer.text()]).toEqual([500, '']);
});

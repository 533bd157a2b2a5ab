import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { listenForPosts } from '../../src/platform/server/http-server.ts';

it('answers a sender while somebody else holds more connections open than it takes', async () => {
  const server = await listenForPosts({
    host: '127.0.0.1',
    port: 0,
    isThere: () => true,
    mostBodyBytes: 1_000,
    mostArrivalMs: 60_000,
    answer: async () => ({ status: 200, body: 'ok' }),
  });
  onTestFinished(() => server.close());
  const port = Number(new URL(server.origin).port);
  const held: Socket[] = [];
  onTestFinished(() => {
    for (const socket of held) socket.destroy();
  });
  for (let count = 0; count < 600; count += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    held.push(socket);
    await once(socket, 'connect');
    socket.write('POST /');
  }
  const answer = await fetch(`${server.origin}/hook`, { method: 'POST', body: '{}' });
  expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
});

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes the oldest idle connection when there is one more than `most`: a client that holds connections open without a
 * request cannot lock others out.
 */
export function makeRoom(server: Server, most: number): void {
  const asking = new Set<Socket>();
  const open = new Set<Socket>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    asking.add(socket);
    response.once('close', () => asking.delete(socket));
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      asking.delete(socket);
    });
    if (open.size <= most) return;
    const oldest = [...open].find((other) => !asking.has(other)) ?? socket;
    oldest.destroy();
  });
}

import { connect, createServer, type Socket } from 'node:net';

/** A proxy to the server that loses the next COMMIT, or the response to it. */
export async function commitCutter(port: number) {
  let next: 'before' | 'after' | undefined;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let deaf = false;
    let isOpen = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1').toLowerCase();
      // Statements that are sent at once have no begin and no commit: the mark is the last of them.
      const isCommit = text.includes('commit\0') || (!isOpen && text.includes('insert into write_marks'));
      if (text.includes('begin\0')) isOpen = true;
      if (/(?:commit|rollback)\0/.test(text)) isOpen = false;
      if (next !== undefined && isCommit) {
        cuts += 1;
        const fate = next;
        next = undefined;
        if (fate === 'before') return void [client, upstream].map((socket) => socket.destroy());
        deaf = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => (deaf ? [client, upstream].map((socket) => socket.destroy()) : client.write(chunk)));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    cutNext: (fate: 'before' | 'after') => {
      next = fate;
    },
    get cuts() {
      return cuts;
    },
    /** Breaks all connections, whatever the server is at. */
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

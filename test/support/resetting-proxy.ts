import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** When a connection is reset: before the request is forwarded, when its response begins, or in the middle of it. */
const moments = ['before', 'after', 'half'] as const;

/** A proxy in front of a server that resets (RST) the connection of every n-th request to a path with this suffix. */
export async function startResettingProxy(
  port: number,
  { ending, every }: { readonly ending: string; readonly every: number },
): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  let seen = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(port, '127.0.0.1');
    let moment: (typeof moments)[number] | undefined;
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (bytes.toString('latin1').split('\r\n', 1)[0]?.includes(`${ending} HTTP`)) {
        seen += 1;
        if (seen % every === 0) moment = moments[(seen / every) % moments.length];
      }
      if (moment === 'before') client.resetAndDestroy();
      else service.write(bytes);
    });
    service.on('data', (bytes) => {
      if (moment === 'half') client.write(bytes.subarray(0, bytes.length / 2), () => client.resetAndDestroy());
      else if (moment === 'after') client.resetAndDestroy();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

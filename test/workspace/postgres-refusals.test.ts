import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { asWorkspaceError, isAway } from '../../src/store/together.ts';
import { testMachine } from '../support/context.ts';
import { selfSigned } from '../support/self-signed.ts';
import { errorOf } from '../support/stderr-lines.ts';

/** A server that answers the first thing it hears and is not a PostgreSQL; its port. */
async function listening(answer: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => answer(socket));
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** An ErrorResponse of the protocol: severity, SQLSTATE and words. */
function refusal(code: string, words: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${words}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

const refusing: [string, string, (socket: Socket) => void, string][] = [
  ['has no TLS', '?sslmode=verify-full', (socket) => void socket.write('N'), 'does not speak as we need it'],
  [
    'has a certificate that nobody vouches for',
    '?sslmode=verify-full',
    (socket) => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, ...selfSigned }).on('error', () => {});
    },
    'is not trusted',
  ],
  [
    'takes no settings for a session',
    '',
    (socket) => void socket.end(refusal('08P01', 'unsupported startup parameter: options')),
    'unsupported startup parameter: options',
  ],
  ['knows no such role', '', (socket) => void socket.end(refusal('28P01', 'no such role')), 'refuses the login'],
];

it.each(refusing)('a server that %s is told as that, at once, with exit 14', async (_, query, answer, reported) => {
  const port = await listening(answer);
  const { run } = testMachine(() => {
    throw new Error('nothing is to be sent');
  });
  const env = { SHOPCTL_WORKSPACE: `postgres://shop@127.0.0.1:${port}/shop${query}` };
  const { exit, stderr } = await run(['batch', 'list', '--json'], { env });
  const error = errorOf(stderr);
  expect({ exit, code: error.code }).toEqual({ exit: 14, code: 'workspace_unusable' });
  expect(error.message).toContain(reported);
  expect(error.message).toContain(`127.0.0.1:${port}`);
});

it('a host that nobody knows is told as that', () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND db.example'), { code: 'ENOTFOUND' });
  const unasked = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
  expect(asWorkspaceError(unasked, 'postgres://shop@db.example/shop')).toMatchObject({
    message: 'postgres://shop@db.example/shop asks for a password, and none was given',
    hint: 'put the password in PGPASSWORD or ~/.pgpass',
  });
  expect(asWorkspaceError(unknown, 'postgres://shop@db.example/shop')).toMatchObject({
    code: 'workspace_unusable',
    message: 'no host of that name is known: postgres://shop@db.example/shop',
  });
});

it('a server of which one address is refused is away, whatever its other one says', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
  const unusable = Object.assign(new Error('connect EADDRNOTAVAIL 127.0.0.1:5432'), { code: 'EADDRNOTAVAIL' });
  expect(isAway(new AggregateError([unusable, refused]))).toBe(true);
  expect(isAway(new AggregateError([unusable]))).toBe(false);
});

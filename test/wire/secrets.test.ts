import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { call } from '../../src/client/call.ts';
import type { TraceEvent } from '../../src/client/connection.ts';
import { CreateCustomer, GetCustomer } from '../../src/contract/shop/customer.ts';
import { TransportError, type WireResponse } from '../../src/platform/http/transport.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { httpAnswer, rawServer } from '../support/raw-server.ts';
import { json, scripted } from '../support/scripted-transport.ts';
import { CANARY, testConnection } from '../support/test-connection.ts';

const secret = CANARY.slice(CANARY.indexOf(':') + 1);
const escaped = CANARY.replaceAll('/', '\\/');

/** Every way a value could be shown, joined. */
function shown(value: unknown): string {
  const texts: string[] = [];
  for (let error = value; error instanceof Error; error = error.cause) {
    texts.push(
      error.message,
      String(error.stack),
      JSON.stringify(error),
      inspect(error, { depth: 9, showHidden: true }),
    );
  }
  return [...texts, JSON.stringify(value), inspect(value, { depth: 9, showHidden: true })].join('\n');
}

const echoes: readonly (readonly [string, WireResponse | Error])[] = [
  [
    'an error',
    json(401, { code: 'unauthenticated', msg: `bad key ${CANARY}`, meta: { [CANARY]: `Bearer ${CANARY}` } }),
  ],
  ['an error code', json(400, { code: CANARY, msg: '' })],
  ['escaped JSON', { ...json(400, null), body: `{"code":"x","msg":"${escaped.replace(':', '\\u003a')}"}` }],
  ['a page', { status: 400, headers: { 'content-type': 'text/html' }, body: `<title>Bearer ${CANARY}</title>` }],
  ['a long text', { status: 400, headers: {}, body: `${'x'.repeat(40)}${CANARY}` }],
  ['a content type', { status: 400, headers: { 'content-type': `text/${CANARY}` }, body: 'x' }],
  [
    'a redirect',
    { status: 302, headers: { location: `https://${secret.replace('/', '.')}.example/?k=${CANARY}` }, body: '' },
  ],
  ['a field of the wrong type', json(200, { id: { [CANARY]: CANARY } })],
  ['a result', json(200, { id: '1', note: `my key is ${CANARY}`, full_name: encodeURIComponent(CANARY) })],
  ['a failure', new TransportError('closed', 'maybe', `lost ${CANARY}`)],
];

test.each(echoes)('%s that echoes the key does not show it', async (_, step) => {
  const traced: TraceEvent[] = [];
  for (const run of [
    (connection: ReturnType<typeof testConnection>) => call(GetCustomer, { id: '1' }, connection),
    (connection: ReturnType<typeof testConnection>) => call(CreateCustomer, { full_name: 'a', phone: '1' }, connection),
  ]) {
    const connection = testConnection(scripted(step).transport, {
      maxRetries: 0,
      trace: (event) => traced.push(event),
    });
    const result = await run(connection).catch((error: unknown) => error);
    const everything = shown(result) + shown(traced) + shown(connection.key('shop-key'));
    expect(everything).not.toContain(CANARY);
    expect(everything).not.toContain(secret);
  }
});

test('a redirect does not carry the key to another place', async () => {
  const other = await rawServer((socket) => socket.write(httpAnswer(200, '{}')));
  const server = await rawServer((socket) => socket.write(httpAnswer(307, '', { location: `${other.origin}/v1/x` })));
  const open = createTransport();
  try {
    const connection = testConnection(open.transport, { baseUrl: server.origin });
    await expect(call(GetCustomer, { id: '1' }, connection)).rejects.toMatchObject({ code: 'redirect_refused' });
    expect(other.connections()).toBe(0);
  } finally {
    await open.close();
    await other.close();
    await server.close();
  }
});

test('a key that no header can carry is refused without being shown', async () => {
  const { Secret } = await import('../../src/platform/settings/secret.ts');
  const connection = testConnection(scripted().transport, { key: () => ({ secret: new Secret(`${CANARY}\n`) }) });
  const error = await call(GetCustomer, { id: '1' }, connection).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ kind: 'credential', code: 'credential_malformed' });
  expect(shown(error)).not.toContain(secret);
});

import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allOperations } from '../../src/contract/areas.ts';
import type { Credential, Operation } from '../../src/contract/operation.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import type { ServerLimits } from '../../src/sandbox/engine/request-stream.ts';
import { tables } from '../../src/sandbox/engine/store/statement.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { rows } from '../support/rows.ts';
import { openTestSandbox, type TestClock, type TestSandbox } from '../support/sandbox.ts';
import { quotedOrder } from '../support/sandbox-order.ts';

const operations = await allOperations();
const createOrder = 'partner.Shipping/CreateAndConfirmOrder';
const getOrder = 'partner.Shipping/GetOrder';
const json = { 'content-type': 'application/json' };

async function startTestServer({ limits, clock }: { limits?: Partial<ServerLimits>; clock?: TestClock } = {}) {
  const test = await openTestSandbox(clock ? { clock } : {});
  const server = await startServer(test.sandbox, { port: 0, ...(limits ? { limits } : {}) });
  onTestFinished(() => server.close());
  return { ...test, server, port: Number(new URL(server.baseUrl).port) };
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function send(port: number, { method = 'POST', path, headers = {}, body = '' }: Sent) {
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  return { status: Number(incoming.statusCode), body: await text(incoming) };
}

/** Sends raw bytes and answers all that comes back until the connection is closed. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.end(bytes);
  return text(socket).catch(() => '');
}

/** A key of each kind. */
function keysOf({ partner, shop, shopKey }: TestSandbox): Readonly<Record<Credential, string>> {
  return { 'partner-api-key': partner.apiKey, 'shop-api-key': shop.apiKey, 'shop-key': shopKey };
}

describe('a page of another place', () => {
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND', 'TRACE'];
  const pathsOf = (controlPath: string) => [
    `/v1/${getOrder}`,
    `${controlPath}/credentials`,
    `${controlPath}/stop`,
    `${controlPath}/reset`,
    '/sign-in/',
    '/sign-in/component.js',
    '/',
  ];

  it.each(methods)('is refused whatever it asks for with %s, even if it knows the keys', async (method) => {
    const { port, server, shopKey } = await startTestServer();
    const keys = { ...json, 'x-key': shopKey, authorization: `Bearer ${server.controlToken}` };
    for (const path of pathsOf(new URL(server.controlUrl).pathname)) {
      for (const foreign of [{ host: 'shop.example' }, { origin: 'https://shop.example' }, { origin: 'null' }]) {
        const { status, body } = await send(port, { method, path, headers: { ...keys, ...foreign } });
        expect([status, method === 'HEAD' ? '' : body], `${path} ${JSON.stringify(foreign)}`).toEqual([
          403,
          expect.not.stringContaining('api_key'),
        ]);
      }
    }
  });

  it('cannot name this machine in one place and itself in another', async () => {
    const { port } = await startTestServer();
    const rest = `Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
    const statusOf = async (bytes: string) => /^HTTP\/1.1 (\d{3})/.exec(await exchange(port, bytes))?.[1];
    expect(await statusOf(`POST /v1/${getOrder} HTTP/1.1\r\nHost: 127.0.0.1\r\n${rest}`)).toBe('401');
    for (const host of ['', 'Host: \r\n', 'Host: shop.example\r\nHost: 127.0.0.1\r\n']) {
      const status = await statusOf(`POST /v1/${getOrder} HTTP/1.1\r\n${host}${rest}`);
      expect(['400', '403']).toContain(status);
    }
    expect(await statusOf(`POST /v1/${getOrder} HTTP/1.0\r\n${rest}`)).toBe('403');
    // A whole url as the target is not a path of the service, whatever host it names.
    expect(await statusOf(`POST http://shop.example/v1/${getOrder} HTTP/1.1\r\nHost: 127.0.0.1\r\n${rest}`)).toBe(
      '404',
    );
  });

  it('gets no leave to read an answer', async () => {
    const { port } = await startTestServer();
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method: 'OPTIONS',
      path: `/v1/${getOrder}`,
      headers: { origin: 'http://127.0.0.1:3000', 'access-control-request-method': 'POST' },
      agent: false,
    });
    outgoing.end();
    const [incoming] = await once(outgoing, 'response');
    incoming.resume();
    expect(Object.keys(incoming.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('the control plane', () => {
  it('is closed to every key of the service, on every route', async () => {
    const { port, server, ...test } = await startTestServer();
    const { pathname } = new URL(server.controlUrl);
    const tokens = [...Object.values(keysOf(test)), server.controlToken.slice(0, -1), `${server.controlToken}x`, ''];
    for (const path of [
      'credentials',
      'reset',
      'snapshots/save',
      'faults/add',
      'log',
      'clock',
      'stop',
      '../v1/x',
      '',
    ]) {
      for (const method of ['GET', 'POST']) {
        for (const token of tokens) {
          const headers = { ...json, authorization: `Bearer ${token}` };
          const { status } = await send(port, { method, path: `${pathname}/${path}`, headers });
          expect([401, 404]).toContain(status);
        }
      }
    }
    expect((await test.sandbox.control.credentials()).shops).toHaveLength(2);
  });

  it('refuses a body that is not a JSON object, and stays open', async () => {
    const { port, server } = await startTestServer();
    const { pathname } = new URL(server.controlUrl);
    const headers = { ...json, authorization: `Bearer ${server.controlToken}` };
    for (const body of ['', '[]', '7', '{"name":', 'x'.repeat(2 * 1024 * 1024), '{"name":{"toString":1}}']) {
      expect((await send(port, { path: `${pathname}/snapshots/save`, headers, body })).status).toBe(400);
    }
    const hostile = '{"__proto__":{"name":"x"},"constructor":{"prototype":{"name":"x"}}}';
    expect((await send(port, { path: `${pathname}/snapshots/save`, headers, body: hostile })).status).toBe(400);
    expect((await send(port, { method: 'GET', path: `${pathname}/status`, headers })).status).toBe(200);
  });
});

/** What pollutes an object that copies it carelessly. */
const pollution =
  '"__proto__":{"polluted":"yes","id":"1"},"constructor":{"prototype":{"polluted":"yes"}},"prototype":{"polluted":"yes"}';

/** A request with that at every level where an object may stand, as text. */
function polluted(schema: JsonSchema): string {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.type === 'array' ? field.items : field;
    if (inner?.type !== 'object') return [];
    const value = inner.properties === undefined ? `{${pollution}}` : polluted(inner);
    return [`${JSON.stringify(name)}:${field.type === 'array' ? `[${value}]` : value}`];
  });
  return `{${[pollution, ...fields].join(',')}}`;
}

describe('a request that would reach into objects', () => {
  it('pollutes nothing, in any operation', async () => {
    const failures: unknown[] = [];
    const test = await openTestSandbox({ onInternalError: (error) => failures.push(error) });
    const keys = keysOf(test);
    for (const { id, request: schema, credential } of operations) {
      const { status, body } = await test.post(id, polluted(jsonSchema(schema)), keys[credential]);
      expect(status, `${id}: ${JSON.stringify(body)}`).toBeLessThan(502);
      expect(JSON.stringify(body), id).not.toContain('polluted":');
      expect(Object.keys(Object.prototype), id).toEqual([]);
      expect({}, id).not.toHaveProperty('polluted');
    }
    expect(failures).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'finds no operation, area, sort or enum value named %s',
    async (name) => {
      const { post, shop } = await openTestSandbox();
      for (const path of [name, `shop.Order/${name}`, `${name}/${name}`, `shop.${name}/GetOrder`]) {
        expect((await post(path, {}, shop.apiKey)).status).toBe(404);
      }
      expect((await post('shop.Order/ListOrders', { paging: { sort: name } }, shop.apiKey)).status).toBe(400);
      const customer = { full_name: 'Lan', phone: '0901234567', gender: name };
      expect((await post('shop.Customer/CreateCustomer', customer, shop.apiKey)).status).toBe(400);
    },
  );
});

const metacharacters = [
  `' OR '1'='1`,
  `' OR 1=1 --`,
  `"; DROP TABLE orders; --`,
  `x') UNION SELECT secret FROM api_keys --`,
  '%',
  '_',
  '*',
  '\\',
  '\u0000',
  `';ATTACH DATABASE ':memory:' AS x;--`,
  '$1',
  '?1',
  '[0-9]*',
];

/** Each text of a request by its path, `filter.phone` for example. */
function textsOf(schema: JsonSchema, path: readonly string[] = []): (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = [...path, name];
    if (field.type === 'object') return textsOf(field, here);
    return field.type === 'string' ? [here] : [];
  });
}

function nested(path: readonly string[], value: string): object {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}

describe('a text that would be SQL', () => {
  const lookups = operations.filter(({ effect }) => effect === 'read');

  it('is only ever compared: no read finds anything by it, fails on it or changes anything', async () => {
    const failures: unknown[] = [];
    const test = await openTestSandbox({ seed: 'demo', onInternalError: (error) => failures.push(error) });
    const keys = keysOf(test);
    const total = () =>
      test.core.read(({ database }) => {
        const [row] = rows(
          database,
          tables.selectFrom('orders').select(({ fn }) => fn.countAll<number>().as('count')),
        );
        return row?.count;
      });
    const before = await total();
    let asked = 0;
    for (const { id, request: schema, credential, page } of lookups) {
      for (const path of textsOf(jsonSchema(schema))) {
        for (const value of metacharacters) {
          const { status, body } = await test.post(id, nested(path, value), keys[credential]);
          asked += 1;
          const found = status === 200 ? body[page?.items ?? ''] : [];
          expect([[400, 404, 412, 501].includes(status), found], `${id} ${path.join('.')} ${value}`).toEqual(
            status === 200 ? [false, []] : [true, []],
          );
        }
      }
    }
    expect(asked).toBeGreaterThan(metacharacters.length * 30);
    expect([await total(), failures]).toEqual([before, []]);
  });

  it('is kept as it came', async () => {
    const { post, shop } = await openTestSandbox();
    for (const [index, note] of metacharacters.entries()) {
      const customer = { full_name: note, phone: `090123456${index}`, note };
      const { status, body } = await post('shop.Customer/CreateCustomer', customer, shop.apiKey);
      if (note.trim() === '') continue;
      expect([status, body.note, body.full_name]).toEqual([200, note, note]);
      expect((await post('shop.Customer/GetCustomer', { id: body.id }, shop.apiKey)).body).toEqual(body);
    }
  });

  it('opens nothing as a key', async () => {
    const { post } = await openTestSandbox();
    for (const value of metacharacters) {
      for (const key of [value, `${value}:${value}`, `1${value}:x`, `shop1:${value}`]) {
        expect((await post('shop.Order/ListOrders', {}, key)).status).toBe(401);
      }
    }
  });
});

describe('a client that is slow or greedy', () => {
  const quick = { requestTimeoutMs: 200, headersTimeoutMs: 150, checkingIntervalMs: 25 };

  it('does nothing by a request that is cut off in its body, a byte at a time', async () => {
    const { port, shopKey, post, ...test } = await startTestServer({ limits: quick });
    const order = JSON.stringify(await quotedOrder({ shopKey, post, ...test } as never, { external_id: 'SLOW' }));
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /v1/${createOrder} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${shopKey}\r\nContent-Length: ${Buffer.byteLength(order)}\r\n\r\n${order.slice(0, -50)}`,
    );
    const dripping = setInterval(() => socket.write(' '), 20);
    onTestFinished(() => clearInterval(dripping));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 .*deadline_exceeded/s);
    expect((await post(getOrder, { external_id: 'SLOW' }, shopKey)).status).toBe(404);
  });

  it('is answered 400 to a body over 1 MiB, on the control plane and the sign-in page, too', async () => {
    const { port, server } = await startTestServer();
    const body = `{"x":"${'a'.repeat(1024 * 1024)}"}`;
    const headers = { ...json, authorization: `Bearer ${server.controlToken}` };
    const control = `${new URL(server.controlUrl).pathname}/sign-in`;
    expect((await send(port, { path: control, headers, body })).status).toBe(400);
    expect((await send(port, { path: `/v1/${getOrder}`, headers, body })).status).toBe(400);
    expect((await send(port, { path: '/sign-in/', headers, body })).status).toBeGreaterThanOrEqual(400);
  });

  it('is refused where its headers are too long, by a limit that can be set', async () => {
    const { port } = await startTestServer({ limits: { maxHeaderBytes: 2048 } });
    const head = (length: number) =>
      `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX: ${'x'.repeat(length)}\r\n\r\n`;
    expect(await exchange(port, head(1000))).toMatch(/^HTTP\/1.1 404 /);
    expect(await exchange(port, head(3000))).toMatch(/^HTTP\/1.1 400 .*invalid_argument/s);
  });

  it('does not keep others waiting', async () => {
    const { port } = await startTestServer();
    const idle = Array.from({ length: 50 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    onTestFinished(() => {
      for (const socket of idle) socket.destroy();
    });
    for (const socket of idle)
      socket.write(`POST /v1/${getOrder} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n`);
    expect((await send(port, { path: `/v1/${getOrder}`, headers: json, body: '{}' })).status).toBe(401);
  });
});

describe('a server that closes', () => {
  it('finishes the write that is under way, answers it, and takes no more', async () => {
    const realClock: TestClock = { ...systemClock, advance: () => {} };
    const { port, server, sandbox, shopKey, ...test } = await startTestServer({ clock: realClock });
    const order = await quotedOrder({ shopKey, ...test } as never, { external_id: 'LAST' });
    await sandbox.control.faults.add({ operation: createOrder, once: true, do: 'delay=60000' });
    const headers = { ...json, authorization: `Bearer ${shopKey}` };
    const answering = send(port, { path: `/v1/${createOrder}`, headers, body: JSON.stringify(order) });
    await expect.poll(() => sandbox.control.faults.list().faults[0]?.fired).toBe(1);
    await server.close();
    const { status, body } = await answering;
    expect([status, JSON.parse(body).order.external_id]).toEqual([200, 'LAST']);
    await expect(send(port, { path: `/v1/${getOrder}`, headers, body: '{}' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

it('every operation refuses a request without a key, and one with a key of another kind', async () => {
  const test = await openTestSandbox();
  const keys = keysOf(test);
  const wrongKeysOf = ({ credential }: Operation) =>
    Object.entries(keys).flatMap(([kind, key]) => (kind === credential ? [] : [key]));
  for (const operation of operations) {
    for (const key of [undefined, ...wrongKeysOf(operation)]) {
      const { status, body } = await test.post(operation.id, {}, key);
      expect([status, body.code], operation.id).toEqual([401, 'unauthenticated']);
    }
  }
});

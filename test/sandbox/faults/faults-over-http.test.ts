import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as operations from '../../../src/contract/control/operations.ts';
import { systemClock } from '../../../src/platform/process/clock.ts';
import { controlClient } from '../../../src/sandbox/lab/control-client.ts';
import { startServer } from '../../../src/sandbox/server.ts';
import { openTestSandbox, type TestClock } from '../../support/sandbox.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';

const createOrder = 'partner.Shipping/CreateAndConfirmOrder';
const getOrder = 'partner.Shipping/GetOrder';

/** The machine's own clock, so that delays are real. */
const realClock: TestClock = { ...systemClock, advance: () => {} };

async function startTestServer(options: { clock?: TestClock } = {}) {
  const test = await openTestSandbox(options);
  const server = await startServer(test.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const address = { control_url: server.controlUrl, control_token: server.controlToken };
  const call = (operation: string, body: object, signal?: AbortSignal) =>
    fetch(`${server.baseUrl}/v1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${test.shopKey}` },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  return { ...test, server, call, control: controlClient(address), port: Number(new URL(server.baseUrl).port) };
}

describe('faults over HTTP', () => {
  it('are added, counted and cleared by the control plane', async () => {
    const { control, call } = await startTestServer();
    const added = await control.call(operations.addFault, {
      operation: getOrder,
      nth: 2,
      do: 'status=503,retry-after=2',
    });
    expect(added).toMatchObject({ id: 1, when: 'nth 2', seen: 0 });
    const statuses = [await call(getOrder, { id: '1' }), await call(getOrder, { id: '1' })];
    expect(statuses.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [404, null],
      [503, '2'],
    ]);
    expect((await control.call(operations.listFaults, {})).faults).toEqual([{ ...added, seen: 2, fired: 1 }]);
    expect(await control.call(operations.clearFaults, {})).toEqual({ cleared: 1 });
    await expect(control.call(operations.addFault, { operation: getOrder, nth: 0, do: 'html' })).rejects.toMatchObject({
      code: 'invalid_argument',
      meta: { field: 'nth' },
    });
  });

  it.each(['drop-before', 'drop-after-commit'])('close the connection without a byte: %s', async (action) => {
    const { control, call, port, shopKey, ...test } = await startTestServer();
    const order = await quotedOrder({ shopKey, ...test } as never, { external_id: 'WEB-1' });
    await control.call(operations.addFault, { operation: createOrder, once: true, do: action });
    const body = JSON.stringify(order);
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /v1/${createOrder} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${shopKey}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    expect(await text(socket)).toBe('');
    expect((await call(getOrder, { external_id: 'WEB-1' })).status).toBe(action === 'drop-before' ? 404 : 200);
  });

  it('send the length of the whole answer and half of it', async () => {
    const { control, call, port, shopKey } = await startTestServer();
    const whole = await (await call(getOrder, { id: '1' })).text();
    await control.call(operations.addFault, { operation: getOrder, once: true, do: 'half-answer' });
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /v1/${getOrder} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${shopKey}\r\nContent-Length: 10\r\n\r\n{"id":"1"}`,
    );
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 404 /);
    expect(head?.toLowerCase()).toContain(`content-length: ${whole.length}`);
    expect(body).toBe(whole.slice(0, Math.floor(whole.length / 2)));
  });

  it('let the work be done although the caller has gone', async () => {
    const { control, call, ...test } = await startTestServer({ clock: realClock });
    const order = await quotedOrder(test as never, { external_id: 'GONE' });
    await control.call(operations.addFault, { operation: createOrder, once: true, do: 'late-after-commit' });
    const abort = new AbortController();
    const late = call(createOrder, order, abort.signal);
    const gone = expect(late).rejects.toThrow('aborted');
    await expect.poll(async () => (await call(getOrder, { external_id: 'GONE' })).status).toBe(200);
    abort.abort();
    await gone;
  });

  it('do not keep the server from stopping: what is late comes at once', async () => {
    const { control, call, server } = await startTestServer({ clock: realClock });
    await control.call(operations.addFault, { operation: getOrder, once: true, do: 'late-after-commit' });
    const late = call(getOrder, { id: '1' });
    await expect.poll(async () => (await control.call(operations.listFaults, {})).faults[0]?.fired).toBe(1);
    await server.close();
    expect((await late).status).toBe(404);
  });

  it('break one answer of a connection and not the next connection', async () => {
    const { control, call } = await startTestServer();
    await control.call(operations.addFault, { operation: getOrder, every: 2, do: 'half-answer' });
    for (let round = 0; round < 3; round += 1) {
      expect((await call(getOrder, { id: '1' })).status).toBe(404);
      await expect(call(getOrder, { id: '1' }).then((answer) => answer.text())).rejects.toThrow('terminated');
    }
  });
});

it('a half answer closes a connection that a client keeps open', async () => {
  const { control, port, shopKey } = await startTestServer();
  await control.call(operations.addFault, { operation: '*', once: true, do: 'half-answer' });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /v1/${getOrder} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\nContent-Type: application/json\r\n` +
      `Authorization: Bearer ${shopKey}\r\nContent-Length: 10\r\n\r\n{"id":"1"}`,
  );
  socket.resume();
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

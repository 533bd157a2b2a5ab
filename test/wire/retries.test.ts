import { expect, test } from 'vitest';
import { call } from '../../src/client/call.ts';
import { CreateAndConfirmOrder } from '../../src/contract/partner/shipping.ts';
import { AuthorizeShop } from '../../src/contract/partner/shop.ts';
import { CreateCustomer, GetCustomer, UpdateCustomer } from '../../src/contract/shop/customer.ts';
import { fetchTransport } from '../support/fetch-transport.ts';
import { behindNock, service } from '../support/nock-service.ts';
import { madeOrder, shippedOrder } from '../support/order-request.ts';
import { testConnection } from '../support/test-connection.ts';

const customer = { full_name: 'Lan', phone: '0901234567' };
const unavailable = { code: 'unavailable', msg: 'later' };

behindNock();

test.each([429, 502, 503, 504])('a read is tried again after %i', async (status) => {
  service('shop.Customer/GetCustomer').twice().reply(status, '<html>busy</html>', { 'content-type': 'text/html' });
  service('shop.Customer/GetCustomer').reply(200, { id: '1' });
  const connection = testConnection(fetchTransport);
  expect(await call(GetCustomer, { id: '1' }, connection)).toEqual({ id: '1' });
  expect(connection.clock.waits).toEqual([125, 250]);
});

test('Retry-After in seconds is waited for', async () => {
  service('shop.Customer/GetCustomer').reply(429, {}, { 'retry-after': '7' });
  service('shop.Customer/GetCustomer').reply(200, { id: '1' });
  const connection = testConnection(fetchTransport);
  await call(GetCustomer, { id: '1' }, connection);
  expect(connection.clock.waits).toEqual([7_000]);
});

test("Retry-After as a date counts from the service's own clock, and from ours where it tells none", async () => {
  const retryAfter = 'Sat, 31 Jan 2026 08:00:09 GMT';
  service('shop.Customer/GetCustomer').reply(
    503,
    {},
    { 'retry-after': retryAfter, date: 'Sat, 31 Jan 2026 08:00:04 GMT' },
  );
  service('shop.Customer/GetCustomer').reply(503, {}, { 'retry-after': retryAfter });
  service('shop.Customer/GetCustomer').reply(200, { id: '1' });
  const connection = testConnection(fetchTransport);
  await call(GetCustomer, { id: '1' }, connection);
  expect(connection.clock.waits).toEqual([5_000, 4_000]);
});

test('a Retry-After beyond the budget ends the call at once', async () => {
  service('shop.Customer/GetCustomer').reply(
    429,
    { code: 'resource_exhausted', msg: 'slow' },
    { 'retry-after': '3600' },
  );
  const connection = testConnection(fetchTransport);
  await expect(call(GetCustomer, { id: '1' }, connection)).rejects.toMatchObject({
    code: 'resource_exhausted',
    status: 429,
  });
  expect(connection.clock.waits).toEqual([]);
});

test('retries end, with what the last answer said', async () => {
  service('shop.Customer/GetCustomer').times(3).reply(503, unavailable);
  const connection = testConnection(fetchTransport, { maxRetries: 2 });
  await expect(call(GetCustomer, { id: '1' }, connection)).rejects.toMatchObject({
    kind: 'service',
    code: 'unavailable',
    outcome: 'not_applied',
  });
});

test('a write is tried again after 429, for whoever throttles has done nothing', async () => {
  service('shop.Customer/UpdateCustomer').reply(429, 'slow down', { 'retry-after': '1' });
  service('shop.Customer/UpdateCustomer').reply(200, { id: '1' });
  const update = { id: '1', note: 'rings twice' };
  expect(await call(UpdateCustomer, update, testConnection(fetchTransport))).toEqual({ id: '1' });
});

test('a create whose name is not unique is not tried again after 429: a limiter behind the service is too late', async () => {
  service('shop.Customer/CreateCustomer').reply(429, 'slow down', { 'retry-after': '1' });
  const made = call(CreateCustomer, customer, testConnection(fetchTransport));
  await expect(made).rejects.toMatchObject({ kind: 'service', outcome: 'unknown' });
});

test('a write is tried again after the service itself asked for it', async () => {
  service('shop.Customer/UpdateCustomer').reply(503, unavailable, { 'retry-after': '1' });
  service('shop.Customer/UpdateCustomer').reply(200, { id: '1' });
  const update = { id: '1', note: 'rings twice' };
  expect(await call(UpdateCustomer, update, testConnection(fetchTransport))).toEqual({ id: '1' });
});

test('a create is tried again then only under a name that keeps the second one from being made', async () => {
  const order = 'partner.Shipping/CreateAndConfirmOrder';
  service(order).reply(503, unavailable, { 'retry-after': '1' });
  service(order).reply(200, { order: madeOrder });
  const made = await call(CreateAndConfirmOrder, shippedOrder, testConnection(fetchTransport));
  expect(made).toEqual({ order: madeOrder });
  for (const [path, operation, request] of [
    ['shop.Customer/CreateCustomer', CreateCustomer, customer],
    [order, CreateAndConfirmOrder, { ...shippedOrder, external_id: undefined }],
  ] as const) {
    service(path).reply(503, unavailable, { 'retry-after': '1' });
    const connection = testConnection(fetchTransport);
    await expect(call(operation, request as never, connection)).rejects.toMatchObject({ outcome: 'unknown' });
    expect(connection.clock.waits).toEqual([]);
  }
});

test.each([
  ['502 of a gateway', 502, 'bad gateway', {}],
  ['504 of a gateway', 504, 'timeout', {}],
  ['503 of a gateway, even one that says when to come again', 503, 'busy', { 'retry-after': '1' }],
  ['503 that does not say when to come again', 503, JSON.stringify(unavailable), {}],
  ['500', 500, '{"code":"internal","msg":"?"}', {}],
  ['408 without a word', 408, '', {}],
  ['408', 408, '{"code":"deadline_exceeded","msg":"?"}', {}],
])('a write is sent once and of unknown outcome after %s', async (_, status, body, headers) => {
  service('shop.Customer/CreateCustomer').reply(status, body, headers);
  const connection = testConnection(fetchTransport);
  await expect(call(CreateCustomer, customer, connection)).rejects.toMatchObject({ outcome: 'unknown' });
  expect(connection.clock.waits).toEqual([]);
});

test('a lost answer of a read is asked for again, of a write it is not', async () => {
  service('shop.Customer/GetCustomer').replyWithError('reset');
  service('shop.Customer/GetCustomer').reply(200, { id: '1' });
  service('shop.Customer/CreateCustomer').replyWithError('reset');
  const connection = testConnection(fetchTransport);
  expect(await call(GetCustomer, { id: '1' }, connection)).toEqual({ id: '1' });
  await expect(call(CreateCustomer, customer, connection)).rejects.toMatchObject({
    code: 'outcome_unknown',
    operation: 'shop.Customer/CreateCustomer',
  });
});

test('AuthorizeShop changes nothing that counts and is tried again as a read is', async () => {
  service('partner.Shop/AuthorizeShop').reply(502, '');
  service('partner.Shop/AuthorizeShop').reply(200, {
    code: 'ok',
    msg: 'done',
    type: 'shop_request',
    auth_token: 'request:1',
  });
  const answer = await call(AuthorizeShop, {}, testConnection(fetchTransport));
  expect(answer).toMatchObject({ code: 'ok', type: 'shop_request' });
});

test('an answer that does not come within the limit is asked for again by a read, and leaves a write open', async () => {
  service('shop.Customer/GetCustomer').delay(60_000).reply(200, { id: '1' });
  service('shop.Customer/GetCustomer').reply(200, { id: '1' });
  service('shop.Customer/CreateCustomer').delay(60_000).reply(200, { id: '2' });
  const connection = testConnection(fetchTransport, { timeoutMs: 1_000 });
  expect(await call(GetCustomer, { id: '1' }, connection)).toEqual({ id: '1' });
  await expect(call(CreateCustomer, customer, connection)).rejects.toMatchObject({ outcome: 'unknown' });
  expect(connection.clock.waits).toEqual([125]);
});

test('a redirect is followed by nobody: its target is never asked', async () => {
  service('shop.Customer/GetCustomer').reply(307, '', { location: 'http://127.0.0.1:4011/elsewhere' });
  const connection = testConnection(fetchTransport);
  await expect(call(GetCustomer, { id: '1' }, connection)).rejects.toMatchObject({ code: 'redirect_refused' });
});

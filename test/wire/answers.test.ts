import { expect, test } from 'vitest';
import { call, callRaw } from '../../src/client/call.ts';
import { CreateAndConfirmOrder, GetOrder } from '../../src/contract/partner/shipping.ts';
import { AuthorizeShop } from '../../src/contract/partner/shop.ts';
import { errorStatus } from '../../src/contract/records/error.ts';
import { CreateCustomer, GetCustomer, UpdateCustomer } from '../../src/contract/shop/customer.ts';
import type { WireResponse } from '../../src/platform/http/transport.ts';
import { answering, behindNock } from '../support/nock-service.ts';
import { shippedOrder } from '../support/order-request.ts';
import { errorAnswer, json, scripted } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

behindNock();

const once = { maxRetries: 0 };
const customer = { full_name: 'Lan', phone: '0901234567' };

const read = (answer: WireResponse) => call(GetCustomer, { id: '1' }, testConnection(answering(answer), once));
const write = (answer: WireResponse) => call(CreateCustomer, customer, testConnection(answering(answer), once));
const html: WireResponse = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><html><head><title>Sign in\u202e to the Wi-Fi</title></head><body>…</body></html>',
};
const jsonText = (body: string, status = 200): WireResponse => ({ ...json(status, null), body });

/** What each error says of a write; the codes of 5xx and of time leave it open. */
const open = new Set(['deadline_exceeded', 'canceled', 'internal', 'unknown', 'unavailable']);

test.each(Object.entries(errorStatus))('the error %s is told as the service told it', async (code, status) => {
  const answer = errorAnswer(status, code, { reason: 'because' });
  const reported = { kind: 'service', code, status, message: `says ${code}`, meta: { reason: 'because' } };
  await expect(read(answer)).rejects.toMatchObject({ ...reported, outcome: 'not_applied' });
  await expect(write(answer)).rejects.toMatchObject({
    ...reported,
    outcome: open.has(code) ? 'unknown' : 'not_applied',
  });
});

test('an error without meta, with an unknown code, or with facts that are no text is read all the same', async () => {
  await expect(read(json(418, { code: 'teapot' }))).rejects.toMatchObject({
    code: 'teapot',
    message: 'teapot',
    meta: {},
  });
  const meta = { count: 3, order_id: '1234567890123456789', list: [1] };
  await expect(read(json(400, { code: 'invalid_argument', msg: 'no', meta }))).rejects.toMatchObject({
    meta: { count: '3', order_id: '1234567890123456789', list: '[1]' },
  });
});

test('a write that was taken, and not carried out yet, is open, whatever its answer says', async () => {
  const made = { ...customer, id: '1' };
  expect(await write(json(200, made))).toEqual(made);
  await expect(write(json(202, made))).rejects.toMatchObject({ code: 'outcome_unknown' });
  const update = call(UpdateCustomer, made, testConnection(answering(json(202, made)), once));
  await expect(update).rejects.toMatchObject({ code: 'outcome_unknown' });
  expect(await read(json(202, made))).toEqual(made);
});

test('an error with status 200 is an error', async () => {
  const answer = errorAnswer(200, 'invalid_argument');
  await expect(read(answer)).rejects.toMatchObject({ kind: 'service', code: 'invalid_argument', status: 200 });
  await expect(write(answer)).rejects.toMatchObject({ outcome: 'not_applied' });
  await expect(write(errorAnswer(200, 'made_up'))).rejects.toMatchObject({ code: 'made_up', outcome: 'unknown' });
  const authorize = call(AuthorizeShop, {}, testConnection(answering(errorAnswer(200, 'permission_denied'))));
  await expect(authorize).rejects.toMatchObject({ code: 'permission_denied' });
});

test('code and msg of a result, and entries with code ok, are no errors', async () => {
  const key = { code: 'ok', msg: 'authorized', type: 'shop_key', auth_token: 'shop1:x', expires_in: -1 };
  expect(await call(AuthorizeShop, {}, testConnection(answering(json(200, key))))).toEqual(key);
  const order = {
    order: { id: '1', code: 'invalid_argument' },
    fulfillments: [],
    fulfillment_errors: [{ code: 'ok', msg: '' }],
  };
  expect(await call(GetOrder, { id: '1' }, testConnection(answering(json(200, order))))).toEqual(order);
  expect(await read(json(200, { id: '1', code: 'not_found' }))).toEqual({ id: '1', code: 'not_found' });
});

test('a page instead of JSON is named a web page, with its title made safe', async () => {
  const message = 'the service answered 200 with a web page ("Sign in to the Wi-Fi"): a proxy in front of it?';
  await expect(read(html)).rejects.toMatchObject({ kind: 'contract', code: 'contract_broken', message, status: 200 });
  await expect(read({ ...html, status: 502 })).rejects.toMatchObject({ kind: 'contract', status: 502 });
  await expect(read({ ...html, status: 403 })).rejects.toMatchObject({ kind: 'contract', outcome: 'not_applied' });
  // Whatever its status: what a gateway says in place of the service proves nothing of a write.
  for (const status of [200, 403])
    await expect(write({ ...html, status })).rejects.toMatchObject({ code: 'outcome_unknown' });
  await expect(write(html)).rejects.toMatchObject({
    code: 'outcome_unknown',
    message: expect.stringContaining(message),
  });
});

test('a cut or empty answer breaks a read and leaves a write open', async () => {
  for (const body of ['{"id":"1"', '', ' \n']) {
    await expect(read(jsonText(body))).rejects.toMatchObject({ code: 'contract_broken', outcome: 'not_applied' });
    await expect(write(jsonText(body))).rejects.toMatchObject({ code: 'outcome_unknown' });
  }
  await expect(read(jsonText('', 404))).rejects.toMatchObject({ code: 'contract_broken', outcome: 'not_applied' });
  await expect(write(jsonText('', 404))).rejects.toMatchObject({ code: 'outcome_unknown' });
});

test('a wrong type is named with its path, and a write whose name was answered so is applied', async () => {
  const order = { id: '1', external_id: shippedOrder.external_id, lines: [{ quantity: 1 }, { quantity: 'two' }] };
  const wrong = json(200, { order });
  await expect(call(GetOrder, { id: '1' }, testConnection(answering(wrong)))).rejects.toMatchObject({
    code: 'contract_broken',
    path: 'order.lines[1].quantity',
    outcome: 'not_applied',
  });
  await expect(call(CreateAndConfirmOrder, shippedOrder, testConnection(answering(wrong)))).rejects.toMatchObject({
    path: 'order.lines[1].quantity',
    outcome: 'applied',
  });
  const unnamed = json(200, { order: { ...order, external_id: 'WEB-8' } });
  await expect(call(CreateAndConfirmOrder, shippedOrder, testConnection(answering(unnamed)))).rejects.toMatchObject({
    code: 'outcome_unknown',
  });
  await expect(read(json(200, []))).rejects.toMatchObject({ code: 'contract_broken', path: '' });
});

test('unknown fields and enum values pass', async () => {
  const answer = { id: '1', gender: 'unheard-of', since: { year: 1 } };
  expect(await read(json(200, answer))).toEqual(answer);
});

test('a redirect is an error of its own', async () => {
  const answer = (status: number) => json(status, null, { location: 'https://user:pw@other.example/path?token=1' });
  await expect(read(answer(302))).rejects.toMatchObject({
    code: 'redirect_refused',
    message: 'the service answered 302, a redirect to https://other.example, which is not followed',
  });
  await expect(write(answer(307))).rejects.toMatchObject({ outcome: 'not_applied' });
  await expect(write(answer(303))).rejects.toMatchObject({ outcome: 'unknown' });
});

test('a request that the contract refuses names every fault and sends nothing', async () => {
  const script = scripted();
  const request = { full_name: 'Lan', phone: 5, gendr: 'male' } as never;
  await expect(call(UpdateCustomer, request, testConnection(script.transport))).rejects.toMatchObject({
    kind: 'request',
    outcome: 'not_applied',
    fieldErrors: expect.arrayContaining([
      expect.objectContaining({ path: 'id' }),
      expect.objectContaining({ path: 'phone' }),
      expect.objectContaining({ path: 'gendr' }),
    ]),
  });
  const badSum = { ...shippedOrder, total_amount: 1 };
  await expect(call(CreateAndConfirmOrder, badSum, testConnection(script.transport))).rejects.toMatchObject({
    fieldErrors: [expect.objectContaining({ path: 'total_amount' })],
  });
  expect(script.requests).toEqual([]);
});

test('a raw call reads errors too', async () => {
  const target = { id: 'shop.New/DoThat', credential: 'shop-api-key' } as const;
  const raw = (answer: WireResponse) => callRaw(target, 'not json', testConnection(answering(answer), once));
  await expect(raw(errorAnswer(404, 'bad_route'))).rejects.toMatchObject({ code: 'bad_route', outcome: 'not_applied' });
  await expect(raw(errorAnswer(200, 'not_found'))).rejects.toMatchObject({ code: 'not_found' });
  await expect(raw(html)).rejects.toMatchObject({ code: 'outcome_unknown' });
});

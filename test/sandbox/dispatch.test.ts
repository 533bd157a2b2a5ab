import { describe, expect, it } from 'vitest';
import type { WireRequest } from '../../src/platform/http/transport.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';

const getOrder = 'partner.Shipping/GetOrder';

async function send({ sandbox, shopKey }: TestSandbox, changes: Partial<WireRequest>) {
  const answer = await sandbox.handle({
    method: 'POST',
    url: `http://127.0.0.1:4010/v1/${getOrder}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${shopKey}` },
    body: '{"id":"1"}',
    ...changes,
  });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.body) };
}

describe('the order of the checks', () => {
  it.each([
    ['a wrong method', { method: 'GET' }],
    ['a wrong path', { url: 'http://127.0.0.1:4010/v1/partner.Shipping/GetOrders' }],
    ['a path with a slash too many', { url: `http://127.0.0.1:4010/v1/${getOrder}/` }],
    ['a path outside /v1', { url: `http://127.0.0.1:4010/v2/${getOrder}` }],
    ['the name of an inherited property', { url: 'http://127.0.0.1:4010/v1/partner.Shipping/constructor' }],
    ['no Content-Type', { headers: {} }],
    ['another Content-Type', { headers: { 'content-type': 'text/plain' } }],
    ['a url that is none', { url: 'nowhere' }],
  ])('answers 404 bad_route to %s, whatever else is wrong', async (_, changes) => {
    const test = await openTestSandbox();
    const { status, body } = await send(test, {
      headers: { 'content-type': 'application/json' },
      body: '',
      ...changes,
    });
    expect([status, body.code]).toEqual([404, 'bad_route']);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y'])(
    'takes %s for JSON',
    async (contentType) => {
      const test = await openTestSandbox();
      const { body } = await send(test, { headers: { 'content-type': contentType } });
      expect(body.code).toBe('unauthenticated');
    },
  );

  it.each([
    ['no body', ''],
    ['white space', ' \n'],
    ['broken JSON', '{"id":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"{}"'],
    ['a number', '1'],
  ])('answers 400 to %s, even with a bad key', async (_, body) => {
    const test = await openTestSandbox();
    const headers = { 'content-type': 'application/json', authorization: 'Bearer wrong' };
    const answer = await send(test, { headers, body });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_argument']);
  });

  it('refuses a body over 1 MiB, and takes one of exactly 1 MiB', async () => {
    const test = await openTestSandbox();
    const body = (bytes: number) => `{"x":"${'a'.repeat(bytes - 8)}"}`;
    expect((await send(test, { body: body(1024 * 1024) })).body.msg).toContain('give id, code or external_id');
    const refused = await send(test, { body: body(1024 * 1024 + 1) });
    expect([refused.status, refused.body.msg]).toEqual([400, 'the body is longer than 1048576 bytes']);
  });

  it('refuses a body that is nested too deeply instead of failing on it', async () => {
    const test = await openTestSandbox();
    const { status, body } = await send(test, { body: `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}` });
    expect([status, body.code]).toEqual([400, 'invalid_argument']);
  });

  it('checks the key before the request, and the request before the record', async () => {
    const test = await openTestSandbox();
    expect((await test.post(getOrder, { id: [] }, 'wrong')).status).toBe(401);
    expect((await test.post(getOrder, { id: [] }, test.shopKey)).body).toMatchObject({
      code: 'invalid_argument',
      meta: { field: 'id' },
    });
  });

  it('answers 501 where an operation has no handler, after the key', async () => {
    const test = await openTestSandbox();
    const operation = 'shop.History/GetChanges';
    expect((await test.post(operation, {}, test.shopKey)).status).toBe(401);
    expect(await test.post(operation, {}, test.shop.apiKey)).toMatchObject({
      status: 501,
      body: { code: 'unimplemented' },
    });
  });
});

describe('a request', () => {
  it('may hold unknown fields, and null stands for absent', async () => {
    const test = await openTestSandbox();
    const { body } = await test.post(
      getOrder,
      { id: null, code: 'DH9', colour: 'red', nested: { a: null } },
      test.shopKey,
    );
    expect(body).toMatchObject({ code: 'not_found' });
  });

  it('may write an id as a string or as an integer of 19 digits', async () => {
    const test = await openTestSandbox();
    for (const id of ['"9007199254740993001"', '9007199254740993001', '12']) {
      expect((await test.post(getOrder, `{"id":${id}}`, test.shopKey)).status).toBe(404);
    }
    expect((await test.post(getOrder, '{"id":1.5}', test.shopKey)).status).toBe(400);
    expect((await test.post(getOrder, '{"id":"abc"}', test.shopKey)).status).toBe(400);
    expect((await test.post(getOrder, '{"id":9223372036854775808}', test.shopKey)).status).toBe(400);
  });

  it('says which field is missing', async () => {
    const test = await openTestSandbox();
    const { body } = await test.post('partner.Shipping/CancelOrder', { id: '1' }, test.shopKey);
    expect(body).toEqual({
      code: 'invalid_argument',
      msg: 'cancel_reason is missing',
      meta: { field: 'cancel_reason' },
    });
  });
});

describe('an answer', () => {
  it('is JSON that nobody keeps', async () => {
    const { headers } = await send(await openTestSandbox(), {});
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      // By the business clock, which a test sets.
      date: 'Sat, 31 Jan 2026 08:00:00 GMT',
    });
  });

  it('leaves out the meta of an error that has none', async () => {
    const { body } = await send(await openTestSandbox(), {});
    expect(body).toEqual({ code: 'not_found', msg: 'order not found' });
  });

  it('is 500 without the reason when the sandbox fails, and the sandbox keeps running', async () => {
    const seen: unknown[] = [];
    const test = await openTestSandbox({ onInternalError: (error) => seen.push(error) });
    test.core.store.exclusively((sqlite) => sqlite.exec('ALTER TABLE links RENAME TO gone'));
    const { status, body } = await test.post(
      'partner.Shop/AuthorizeShop',
      { shop_id: test.shop.id },
      test.partner.apiKey,
    );
    expect([status, body]).toEqual([500, { code: 'internal', msg: 'the sandbox failed' }]);
    expect(seen.map(String)).toEqual([expect.stringContaining('no such table: links')]);
    expect((await test.post('partner.Shop/AuthorizeShop', {}, test.partner.apiKey)).status).toBe(200);
  });

  it('is 503 once the sandbox is closed', async () => {
    const test = await openTestSandbox();
    await test.sandbox.close();
    expect(await test.post(getOrder, {}, test.shopKey)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });
});

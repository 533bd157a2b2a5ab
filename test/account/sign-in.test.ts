import { expect, it } from 'vitest';
import { authorizeShop, authorizeShopOnPage, isSafePage } from '../../src/account/sign-in.ts';
import { errorAnswer, json, scripted } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

const request = (more: object = {}) =>
  json(200, { code: 'ok', type: 'shop_request', auth_token: 'request:abc', expires_in: 900, ...more });

it('tells when a request ends by the clock of the connection', async () => {
  const step = await authorizeShop({}, testConnection(scripted(request()).transport));
  expect(step).toMatchObject({ kind: 'pending', expiresAt: '2026-01-31T08:15:00Z' });
  expect(JSON.stringify(step)).not.toContain('request:abc');
});

it('asks again without redirect_url where the service refuses what it does not know', async () => {
  const { transport, requests } = scripted(errorAnswer(400, 'invalid_argument'), request());
  const step = await authorizeShopOnPage(
    { email: 'a@b.example' },
    'http://127.0.0.1:1/return',
    testConnection(transport),
  );
  expect(step.kind).toBe('pending');
  expect(requests.map(({ body }) => JSON.parse(body))).toEqual([
    { email: 'a@b.example', redirect_url: 'http://127.0.0.1:1/return' },
    { email: 'a@b.example' },
  ]);
});

it('reports a request that stays wrong without it', async () => {
  const { transport } = scripted(errorAnswer(400, 'invalid_argument'), errorAnswer(400, 'invalid_argument'));
  await expect(authorizeShopOnPage({}, 'http://127.0.0.1:1/', testConnection(transport))).rejects.toMatchObject({
    code: 'invalid_argument',
  });
});

it.each([
  ['a page that is not safe to open', request({ auth_url: 'http://shop.example/sign-in' })],
  ['no token', request({ auth_token: '' })],
  ['a type that nobody knows', request({ type: 'shop_surprise' })],
  ['a key for no shop', request({ type: 'shop_key' })],
  ['an expiry that no date has', request({ expires_in: 9e15 })],
])('an answer with %s breaks the contract', async (_, answer) => {
  await expect(authorizeShop({}, testConnection(scripted(answer).transport))).rejects.toMatchObject({
    code: 'contract_broken',
  });
});

it('an answer with the key of another shop is not taken for that of the one that was asked for', async () => {
  const granted = (key: string) => request({ type: 'shop_key', auth_token: key, expires_in: -1 });
  const asked = (key: string) => authorizeShop({ shop_id: '7' }, testConnection(scripted(granted(key)).transport));
  await expect(asked('shop8:secret-of-eight')).rejects.toThrow('a key of shop 8, and shop 7 was asked for');
  await expect(asked('shop8:secret-of-eight')).rejects.not.toThrow('secret-of-eight');
  for (const key of ['shop7:secret', 'of another form']) expect(await asked(key)).toMatchObject({ shopId: '7' });
});

it.each([
  ['https://shop.example/a', true],
  ['http://127.0.0.1:4010/a', true],
  ['http://localhost/a', true],
  ['http://shop.example/', false],
  ['javascript:alert(1)', false],
  ['file:///etc/passwd', false],
  ['https://user@shop.example/', false],
  ['no url', false],
])('%s may be opened: %s', (address, isSafe) => {
  expect(isSafePage(address)).toBe(isSafe);
});

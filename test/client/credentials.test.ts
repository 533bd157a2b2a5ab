import { expect, test } from 'vitest';
import { reportOf } from '../../src/cli/report/report.ts';
import { concealingKey } from '../../src/client/authorization.ts';
import { checkedBaseUrl, endpoint } from '../../src/client/base-url.ts';
import { call } from '../../src/client/call.ts';
import { CreateAndConfirmOrder, GetOrder } from '../../src/contract/partner/shipping.ts';
import { GetCustomer } from '../../src/contract/shop/customer.ts';
import { isLoopbackHost } from '../../src/platform/server/loopback-server.ts';
import { Secret } from '../../src/platform/settings/secret.ts';
import { json, scripted } from '../support/scripted-transport.ts';
import { CANARY, testConnection } from '../support/test-connection.ts';

const answered = () => scripted(json(200, {}));
const secret = new Secret(CANARY);

test.each([
  'https://shop.example',
  'https://shop.example:8443/api',
  'http://localhost:4010',
  'http://127.0.0.1:4010/',
  'http://127.9.9.9',
  'http://127.1',
  'http://[::1]:4010',
  'HTTP://LOCALHOST',
])('%s may be called', async (baseUrl) => {
  const script = answered();
  await call(GetCustomer, { id: '1' }, testConnection(script.transport, { baseUrl }));
  expect(script.requests).toHaveLength(1);
});

test.each(['"', "'"])('a key in %s is refused with what is wrong with it, and not sent', async (quote) => {
  const script = answered();
  const connection = testConnection(script.transport, {
    key: () => ({ secret: new Secret(`${quote}${CANARY}${quote}`) }),
  });
  const failure = call(GetCustomer, { id: '1' }, connection);
  await expect(failure).rejects.toMatchObject({
    code: 'credential_malformed',
    message: expect.stringContaining('is in quotes'),
  });
  await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining(CANARY) });
  expect(script.requests).toHaveLength(0);
});

test('an answer that is compressed is said to be so', async () => {
  const script = scripted({
    status: 200,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: '\u001f\ufffd',
  });
  const failure = call(GetCustomer, { id: '1' }, testConnection(script.transport));
  await expect(failure).rejects.toMatchObject({
    message: 'the service answered 200 compressed (content-encoding: gzip), which was not asked for',
  });
});

test.each([
  'http://shop.example',
  'http://127.0.0.1.example',
  'http://localhost.example',
  'http://0.0.0.0:4010',
  'http://[::2]',
  'http://[::ffff:127.0.0.1]',
  'ftp://127.0.0.1',
  'file:///etc/passwd',
  'https://user:pw@shop.example',
  'https://shop.example?key=1',
  'https://shop.example#x',
  'shop.example',
  '',
])('%s may not be called', async (baseUrl) => {
  const script = scripted();
  await expect(call(GetCustomer, { id: '1' }, testConnection(script.transport, { baseUrl }))).rejects.toMatchObject({
    kind: 'configuration',
    code: 'base_url_invalid',
    message: expect.not.stringContaining('pw'),
  });
  expect(script.requests).toEqual([]);
});

test('an address keeps the path of its base url', () => {
  expect(endpoint(checkedBaseUrl('https://shop.example/a/b//'), 'shop.Misc/VersionInfo')).toBe(
    'https://shop.example/a/b/v1/shop.Misc/VersionInfo',
  );
  expect(isLoopbackHost('128.0.0.1')).toBe(false);
});

test('a missing key says which kind it is and how to get it', async () => {
  const asked: string[] = [];
  const connection = testConnection(scripted().transport, {
    key: (credential) => {
      asked.push(credential);
      return undefined;
    },
  });
  const error = await call(GetOrder, { id: '1' }, connection).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'credential_missing',
    outcome: 'not_applied',
    message: 'a shop key is needed, and there is none',
    facts: { credential: 'shop-key' },
  });
  expect(reportOf(error).hint).toContain('shopctl auth login');
  expect(asked).toEqual(['shop-key']);
});

test('a saved key goes to its own origin only, one without an origin to the base url in force', async () => {
  const bound = (origin: string) => ({ key: () => ({ secret, origin }), baseUrl: 'https://shop.example/api' });
  for (const origin of ['https://other.example', 'https://shop.example:8443', 'http://shop.example']) {
    await expect(
      call(GetCustomer, { id: '1' }, testConnection(scripted().transport, bound(origin))),
    ).rejects.toMatchObject({
      code: 'key_bound_elsewhere',
      message: expect.stringContaining(origin),
    });
  }
  const script = answered();
  await call(GetCustomer, { id: '1' }, testConnection(script.transport, bound('https://shop.example')));
  expect(script.requests[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
});

test('a request is checked before a key is asked for', async () => {
  const connection = testConnection(scripted().transport, { key: () => undefined });
  await expect(call(CreateAndConfirmOrder, {} as never, connection)).rejects.toMatchObject({ kind: 'request' });
});

test('a key is taken out of a text, a text that is too common for a key is not', () => {
  expect(concealingKey(secret)(`a ${CANARY} b`)).toBe('a ***e0c4 b');
  expect(concealingKey(new Secret('12345678901'))('order 12345678901')).toBe('order 12345678901');
  expect(concealingKey(new Secret('1:a'))('the key is 1:a')).toBe('the key is 1:a');
});

test('a key is taken out of what was read from JSON, however the JSON spells it, and wherever it stands', () => {
  const conceal = concealingKey(new Secret('shop11:c4nary+key_e0c4'));
  const spelled = ['shop11:c4nary+key_e0c4', 'c4nary+key_e0c4', 'c4nary%2Bkey_e0c4', 'c4nary&#43;key_e0c4'];
  const escaped = ['c4n\\u0061ry+key_e0c4', 'c4nary\\u002bkey\\u005fe0c4', '\\u0063\\u0034nary+key_e0c4'];
  for (const spelling of [...spelled, ...escaped]) {
    for (const body of [`{"msg":"a ${spelling} b"}`, `{"a":[{"${spelling}":1}]}`, `["x",["${spelling}"]]`]) {
      const concealed = JSON.stringify(conceal(JSON.parse(body), body));
      expect(concealed, body).not.toMatch(/nary|key_e0c4/);
    }
  }
  const clear = '{"id":"1000000000000000001","name":"Trà Lan","note":"12% & \\"more\\""}';
  expect(conceal(JSON.parse(clear), clear)).toEqual(JSON.parse(clear));
});

test.each(['sk_12345', 'a1b2c3d4e5f6g7h8i9j', '1042:sk_12345'])(
  'a short key is concealed as a long one is: %s',
  (key) => {
    const conceal = concealingKey(new Secret(key));
    const part = key.slice(key.indexOf(':') + 1);
    for (const text of [`of ${key}.`, `of ${part}.`, JSON.stringify({ a: part })])
      expect(conceal(text)).not.toContain(part);
  },
);

test.each(['sk_1234', '12345678901234567890', '1042:sk_1234'])(
  'what may be part of any answer is no key: %s',
  (key) => {
    const part = key.slice(key.indexOf(':') + 1);
    expect(concealingKey(new Secret(key))(`of ${part}.`)).toBe(`of ${part}.`);
  },
);
